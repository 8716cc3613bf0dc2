/**
 * Two people correct one movement at the same time, and neither overwrites the change of the other.
 *
 *   DEMO=on npm start                          in one terminal; it prints the two values for the line "export"
 *   npm run build                              once, for the packages: npm start builds only the programs
 *   export CENTAVO_BASE_URL=… CENTAVO_TOKEN=…  in another terminal
 *   node examples/correct-together.mjs
 *
 * In your own project, import from '@centavo/sdk'.
 */
import { FinancialClient, isVersionConflictError } from '../packages/sdk/dist/index.js';

const client = new FinancialClient({ token: process.env.CENTAVO_TOKEN, baseUrl: process.env.CENTAVO_BASE_URL });
const { data: accounts } = await client.accounts.list();
const account = accounts[0];
if (account === undefined) throw new Error('Create an account first');

const dinner = await client.movements.create({ type: 'expense', amountDecimal: '48.00', accountId: account.id });

// Ana and Berta read the same version of the movement.
const readByAna = await client.movements.get(dinner.id).withResponse();
const readByBerta = await client.movements.get(dinner.id).withResponse();

await client.movements.correct(dinner.id, { merchantName: 'Casa Ana' }, { etag: readByAna.etag });
try {
  await client.movements.correct(dinner.id, { description: 'Dinner' }, { etag: readByBerta.etag });
} catch (error) {
  if (!isVersionConflictError(error)) throw error;
  console.log("Berta's correction was refused, because the movement had changed.");
  console.log(`She read version ${readByBerta.etag}, and the current version is ${error.currentEtag}.`);
}

// correctWith reads the movement, calls this function, and sends the correction that the function returns. If another client has
// changed the movement in the meantime, correctWith starts again.
const corrected = await client.movements.correctWith(dinner.id, (current) =>
  current.description === null ? { description: `Dinner at ${current.merchantName ?? 'home'}` } : undefined,
);
console.log(`Version ${corrected.version}: ${corrected.description}, ${corrected.merchantName}`);
