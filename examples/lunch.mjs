/**
 * Records a lunch and corrects it.
 *
 *   DEMO=on npm start                          in one terminal; it prints the two values for the line "export"
 *   npm run build                              once, for the packages: npm start builds only the programs
 *   export CENTAVO_BASE_URL=… CENTAVO_TOKEN=…  in another terminal
 *   node examples/lunch.mjs
 *
 * In your own project, import from '@centavo/sdk'.
 */
import { FinancialClient } from '../packages/sdk/dist/index.js';

const client = new FinancialClient({ token: process.env.CENTAVO_TOKEN, baseUrl: process.env.CENTAVO_BASE_URL });
const { data: accounts } = await client.accounts.list();
const account = accounts[0];
if (account === undefined) throw new Error('Create an account first');

const lunch = await client.movements.create({
  type: 'expense',
  amountDecimal: '12.50',
  accountId: account.id,
  description: 'Lunch',
});
await client.movements.correctWith(lunch.id, () => ({ merchantName: 'Casa Ana' }));

for await (const row of client.movements.list({ from: lunch.occurredOn })) {
  console.log(row.occurredOn, row.amountDecimal, row.currencyCode, row.merchantName);
}
