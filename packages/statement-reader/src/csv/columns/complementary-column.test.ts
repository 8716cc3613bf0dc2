import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const header = 'Date,Description,Amount in,Amount out,Balance';
const rows = [
  '15/07/2024,Rent,0.00,800.00,1654.40',
  '14/07/2024,Salary,1500.00,0.00,2454.40',
  '13/07/2024,Tesco,0.00,45.60,954.40',
];

describe('a CSV file with two columns of amounts, each empty or zero in some rows', () => {
  it('is refused if no row has both amounts, because reading one column would lose the amounts of the other', async () => {
    await expect(readExport([header, ...rows])).rejects.toThrow(
      'Some rows have an amount in the column "Amount in", others in the column "Amount out", and no row in both.',
    );
    const columns = { credit: 'Amount in', debit: 'Amount out' };
    expect((await readExport([header, ...rows], { columns })).rows).toHaveLength(3);
  });

  it('is refused if no row has both amounts, even if one header is "Amount"; the error names both columns', async () => {
    const lines = ['Date,Text,Amount,Incoming', '2026-01-13,A,-5,', '2026-01-14,B,,7.50', '2026-01-15,C,0.00,8.00'];
    await expect(readExport(lines)).rejects.toMatchObject({
      message: 'Some rows have an amount in the column "Amount", others in the column "Incoming", and no row in both.',
      remedy:
        'If one is money out and the other money in, name them with --debit-column and --credit-column. Otherwise name the amount with --amount-column.',
    });
    const columns = { amount: 'Amount' };
    expect((await readExport(lines, { columns })).rows[1]).toBe('line 3 failure: it has no amount');
  });

  it('is read if a row has both amounts, or if the second column has fees, foreign amounts or blocked amounts', async () => {
    for (const other of ['Points', 'Fee', 'Importo estero', 'Kwota blokady']) {
      const lines = [`Date,Text,Amount,${other}`, `2026-01-13,A,-5,${other === 'Points' ? 1 : ''}`, '2026-01-14,B,-7,'];
      const more = other === 'Points' ? [] : ['2026-01-16,D,,3'];
      expect((await readExport([...lines, '2026-01-15,C,0.00,2', ...more])).rows).toHaveLength(3 + more.length);
    }
  });
});
