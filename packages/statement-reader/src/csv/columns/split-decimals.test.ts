import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

it('the CSV reader refuses a file in which the commas of the amounts split each amount into two cells', async () => {
  const rows = ['2026-03-13,Shop,-45,10', '2026-03-14,Lidl,-12,5', '2026-03-17,Salary,1500,00'];
  await expect(readExport(['Date,Text,Amount,', ...rows])).rejects.toMatchObject({
    message:
      'The column "Amount" may have only the whole part of each amount, and "column 4" the decimals: "-45" and "10" may be the amount "-45,10".',
    remedy:
      'Export the statement with semicolons between the cells, or with quotation marks around the amounts. If "column 4" has other numbers, give it a header.',
  });
  const named = { columns: { amount: 'Amount' } };
  await expect(readExport(['Date,Text,Amount,', ...rows], named)).rejects.toThrow('whole part');
});

it('the CSV reader also refuses such a file if an amount without decimal places has an empty cell to its right', async () => {
  const rows = ['2026-03-13,-45,10,Shop', '2026-03-14,-12,,Lidl'];
  await expect(readExport(['Date,Amount,,Text', ...rows])).rejects.toThrow('"-45" and "10" may be the amount "-45,10"');
});

it.each([
  ['the amounts have decimal places', 'Date,Text,Amount,', '2026-03-13,Shop,-45.10,7'],
  ['the column has longer numbers in some rows', 'Date,Text,Amount,', '2026-03-13,Shop,-45,10\n2026-03-14,Shop,-3,128'],
  ['the column has a header', 'Date,Text,Amount,Points', '2026-03-13,Shop,-45,10'],
  ['the column is empty', 'Date,Text,Amount,', '2026-03-13,Shop,-45,'],
  ['the cells are separated by semicolons', 'Date;Text;Amount;', '2026-03-13;Shop;-45;10'],
])('the CSV reader reads a file with a column to the right of the amount if %s', async (_, headers, rows) => {
  const read = await readExport([headers, ...rows.split('\n')]);
  expect(read.rows[0]).toMatch(/^2026-03-13 -45(\.1)? Shop$/);
});
