import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

it('the CSV reader refuses a file in which the commas of the amounts split each amount into two cells', async () => {
  const rows = ['2026-03-13,Shop,-45,10', '2026-03-14,Lidl,-12,5', '2026-03-17,Salary,1500,00'];
  await expect(readExport(['Date,Text,Amount,', ...rows])).rejects.toMatchObject({
    message:
      'The column "Amount" may have only the beginning of each amount, and "column 4" the end: "-45" and "10" may be the amount "-45,10".',
    remedy:
      'Export the statement with semicolons between the cells, or with quotation marks around the amounts. If "column 4" has other numbers, give it a header.',
  });
  const named = { columns: { amount: 'Amount' } };
  await expect(readExport(['Date,Text,Amount,', ...rows], named)).rejects.toThrow('only the beginning of each amount');
});

it('the CSV reader also refuses such a file if an amount without decimal places has an empty cell to its right', async () => {
  const rows = ['2026-03-13,-45,10,Shop', '2026-03-14,-12,,Lidl'];
  await expect(readExport(['Date,Amount,,Text', ...rows])).rejects.toThrow('"-45" and "10" may be the amount "-45,10"');
});

it.each([
  ['decimals', ['2026-03-13,Lidl,-15,50', '2026-03-14,Pay,1250,00', '2026-03-17,Bus,-2,80'], '"-15,50"'],
  ['decimals', ['2026-05-14,Shop,-12,5', '2026-05-15,Cafe,-8,25', '2026-05-16,Pay,1500,'], '"-12,5"'],
  ['thousands', ['2026-05-14,Shop,-1,200', '2026-05-15,Cafe,-850,', '2026-05-16,Pay,250,000'], '"-1,200"'],
  ['thousands', ['2026-03-13,Coffee,-4.50,', '2026-03-14,Rent,-1,200.00', '2026-03-15,Bar,-9.50,Bob'], '"-1,200.00"'],
])(
  'the CSV reader refuses a file in which the notes have the end of amounts with a comma before the %s',
  async (_, rows, amount) => {
    await expect(readExport(['Date,Text,Amount,Note', ...rows])).rejects.toMatchObject({
      message: expect.stringContaining(`may be the amount ${amount}.`),
      remedy: expect.stringContaining('If "Note" has other numbers, remove this column.'),
    });
  },
);

it.each([
  ['only one note is a number', 'Date,Text,Amount,Note', '2026-03-13,Shop,-45,\n2026-03-14,Shop,-3,12'],
  ['the notes are not only two digits', 'Date,Text,Amount,Note', '2026-03-13,Shop,-45,10\n2026-03-14,Shop,-3,Bob'],
  ['the amounts have decimal places', 'Date,Text,Amount,', '2026-03-13,Shop,-45.10,7'],
  ['the column has longer numbers in some rows', 'Date,Text,Amount,', '2026-03-13,Shop,-45,10\n2026-03-14,Shop,-3,128'],
  ['the column has a header', 'Date,Text,Amount,Points', '2026-03-13,Shop,-45,10'],
  ['the column is empty', 'Date,Text,Amount,', '2026-03-13,Shop,-45,'],
  ['the cells are separated by semicolons', 'Date;Text;Amount;', '2026-03-13;Shop;-45;10'],
])('the CSV reader reads a file with a column to the right of the amount if %s', async (_, headers, rows) => {
  const read = await readExport([headers, ...rows.split('\n')]);
  expect(read.rows[0]).toMatch(/^2026-03-13 -45(\.1)? Shop$/);
});
