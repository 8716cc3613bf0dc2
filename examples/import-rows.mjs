/**
 * Imports rows of a bank statement, each with an idempotency key that is derived from the row. You may stop the program at any time and
 * run it again: no row is recorded twice.
 *
 *   DEMO=on npm start                          in one terminal; it prints the two values for the line "export"
 *   npm run build                              once, for the packages: npm start builds only the programs
 *   export CENTAVO_BASE_URL=… CENTAVO_TOKEN=…  in another terminal
 *   node examples/import-rows.mjs
 *
 * In your own project, import from '@centavo/sdk'.
 */
import { createHash } from 'node:crypto';
import { FinancialClient, isValidationError } from '../packages/sdk/dist/index.js';

/** The rows of the statement. Two purchases may be equal except for their references. */
const rows = [
  { reference: 'A-1001', bookedOn: '2026-01-02', amount: '-950.00', text: 'Rent January' },
  { reference: 'A-1002', bookedOn: '2026-01-03', amount: '-2.50', text: 'Metro' },
  { reference: 'A-1003', bookedOn: '2026-01-03', amount: '-2.50', text: 'Metro' },
  { reference: 'A-1004', bookedOn: '2026-01-05', amount: '1800.00', text: 'Salary' },
  { reference: 'A-1005', bookedOn: '2026-01-06', amount: '-3.999', text: 'A row that the bank got wrong' },
];

const client = new FinancialClient({
  token: process.env.CENTAVO_TOKEN,
  baseUrl: process.env.CENTAVO_BASE_URL,
  userAgent: 'import-rows/1.0',
  // A long import reaches the rate limit. The SDK waits as long as the server requests; this hook prints the waits.
  hooks: {
    onRetry: ({ code, delayMs }) => console.error(`Waiting ${Math.round(delayMs)} ms after ${code ?? 'no answer'}`),
  },
});
const { data: accounts } = await client.accounts.list();
const account = accounts[0];
if (account === undefined) throw new Error('Create an account first');

const counts = { recorded: 0, alreadyThere: 0, refused: 0 };
for (const row of rows) {
  try {
    const { replayed } = await client.movements
      .create(
        {
          type: row.amount.startsWith('-') ? 'expense' : 'income',
          amountDecimal: row.amount.replace('-', ''),
          accountId: account.id,
          occurredOn: row.bookedOn,
          description: row.text,
        },
        { idempotencyKey: keyOf(row) },
      )
      .withResponse();
    counts[replayed ? 'alreadyThere' : 'recorded'] += 1;
  } catch (error) {
    // An invalid row does not stop the import. Any other error does, because the next row would fail too.
    if (!isValidationError(error)) throw error;
    counts.refused += 1;
    console.error(`${row.reference}: ${error.issues.map(({ path, message }) => `${path}: ${message}`).join(' ')}`);
  }
}
console.log(`${counts.recorded} recorded, ${counts.alreadyThere} already there, ${counts.refused} refused`);

/**
 * Returns the idempotency key of a row. The key depends on the account, so that you can import the same statement into another account.
 * @param {(typeof rows)[number]} row
 */
function keyOf(row) {
  const hash = createHash('sha256').update(`${account?.id}\n${row.reference}`).digest('hex');
  return `import-rows:${hash}`;
}
