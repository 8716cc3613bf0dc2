/**
 * Prints the expenses and incomes of a month by category, as CSV. Transfers are neither expenses nor incomes, so the report omits them.
 *
 *   DEMO=on npm start                          in one terminal; it prints the two values for the line "export"
 *   npm run build                              once, for the packages: npm start builds only the programs
 *   export CENTAVO_BASE_URL=… CENTAVO_TOKEN=…  in another terminal
 *   node examples/month-report.mjs 2026-01 > january.csv
 *
 * In your own project, import from '@centavo/sdk'.
 */
import { FinancialClient, fromMinorUnits, toMinorUnits } from '../packages/sdk/dist/index.js';

const month = process.argv[2] ?? new Date().toISOString().slice(0, 7);
if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new Error('Name a month as YYYY-MM');
const [year, monthNumber] = month.split('-').map(Number);
const lastDay = new Date(Date.UTC(year ?? 0, monthNumber ?? 0, 0)).getUTCDate();

const client = new FinancialClient({ token: process.env.CENTAVO_TOKEN, baseUrl: process.env.CENTAVO_BASE_URL });
const { data: categories } = await client.categories.list();
const names = new Map(categories.map(({ id, name }) => [id, name]));

/** @type {Map<string, { type: string, category: string, currencyCode: string, count: number, minorUnits: bigint }>} */
const sums = new Map();
// The loop fetches pages as needed. No row appears twice, even if rows are added during the loop.
const filters = /** @type {const} */ ({ from: `${month}-01`, to: `${month}-${lastDay}`, kind: 'regular', limit: 200 });
for await (const { type, categoryId, currencyCode, amountDecimal } of client.movements.list(filters)) {
  const category = names.get(categoryId ?? '') ?? '';
  const key = JSON.stringify([type, category, currencyCode]);
  const sum = sums.get(key) ?? { type, category, currencyCode, count: 0, minorUnits: 0n };
  // Adds the amounts as whole numbers of minor units, such as cents: binary fractions cannot represent most amounts exactly.
  sums.set(key, {
    ...sum,
    count: sum.count + 1,
    minorUnits: sum.minorUnits + toMinorUnits(amountDecimal, currencyCode),
  });
}

console.log('type,category,count,amount,currency');
for (const [, { type, category, count, minorUnits, currencyCode }] of [...sums].sort()) {
  console.log([type, quoted(category), count, fromMinorUnits(minorUnits, currencyCode), currencyCode].join(','));
}

/** @param {string} text */
function quoted(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
