/**
 * Records one expense exactly once: another run with the same receipt adds nothing.
 *
 *   DEMO=on npm start                          in one terminal; it prints the two values for the line "export"
 *   npm run build                              once, for the packages: npm start builds only the programs
 *   export CENTAVO_BASE_URL=… CENTAVO_TOKEN=…  in another terminal
 *   node examples/record-safely.mjs receipt-2026-0117 12.50 "Lunch with Berta"
 *
 * In your own project, import from '@centavo/sdk'.
 */
import {
  FinancialClient,
  isOutcomeUnknownError,
  isServerError,
  isValidationError,
} from '../packages/sdk/dist/index.js';

const [, , receipt = 'receipt-2026-0117', amountDecimal = '12.50', description = 'Lunch with Berta'] = process.argv;
const client = new FinancialClient({ token: process.env.CENTAVO_TOKEN, baseUrl: process.env.CENTAVO_BASE_URL });

const { data: accounts } = await client.accounts.list();
const account = accounts[0];
if (account === undefined) throw new Error('Create an account first');

// The key is not random but derived from the receipt, so that a run after a crash uses the same key.
const idempotencyKey = `receipts:${receipt}`;
const input = /** @type {const} */ ({ type: 'expense', amountDecimal, accountId: account.id, description });

try {
  const { data, replayed } = await client.movements.create(input, { idempotencyKey }).withResponse();
  console.log(replayed ? 'Had been recorded before:' : 'Recorded:', data.id, data.amountDecimal, data.currencyCode);
} catch (error) {
  if (isOutcomeUnknownError(error) || isServerError(error)) {
    // The SDK has already retried with the same key. The outcome is unknown, but a later retry with this key is safe.
    console.error(
      `The outcome is unknown (${error.message}). Run the same command again later: the expense is recorded only once.`,
    );
    process.exitCode = 1;
  } else if (isValidationError(error)) {
    for (const { path, code, message } of error.issues) console.error(`${path}: ${message} (${code})`);
    process.exitCode = 2;
  } else throw error;
}
