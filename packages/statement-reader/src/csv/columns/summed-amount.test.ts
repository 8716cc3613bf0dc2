import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const header = 'Date,Merchant,Amount,Cashback,Net Amount';
const rows = [
  '2026-01-13,Grocer,-50.00,0.00,-50.00',
  '2026-01-14,Fuel,-20.00,0.20,-19.80',
  '2026-01-15,Pay,900.00,,900.00',
];

describe('a second amount column that differs from the first by the amounts in a third column', () => {
  it('makes it unclear which column has the amount, and the message shows a row in which all three columns have amounts', async () => {
    await expect(readExport([header, ...rows])).rejects.toMatchObject({
      message:
        'It is not clear which column has the amount: "Amount" or "Net Amount". In one row, "Amount" has "-20.00", "Cashback" has "0.20", "Net Amount" has "-19.80".',
      remedy: 'Name it with --amount-column.',
    });
  });

  it.each([
    ['Amount', '2026-01-14 -20'],
    ['Net Amount', '2026-01-14 -19.8'],
  ])('is read, or not, according to --amount-column "%s"', async (amount, expected) => {
    const read = await readExport([header, ...rows], { columns: { amount } });
    expect(read.rows[1]).toBe(expected);
  });

  it('is found if the third column is subtracted, even if only a later row has an amount in it', async () => {
    const many = Array.from({ length: 100 }, () => '2026-01-13;Grocer;-50,00;0,00;-50,00');
    const german = ['Datum;Name;Betrag;Rabatt;Nettobetrag', ...many, '2026-01-14;Fuel;-20,00;-0,20;-19,80'];
    await expect(readExport(german)).rejects.toThrow('"Betrag" or "Nettobetrag"');
  });

  it('is not found if the amounts differ by another sum, if they never differ, or if the other columns are money out and money in', async () => {
    const other = await readExport([header, ...rows, '2026-01-16,Fuel,-20.00,0.20,-19.70']);
    expect(other.rows[1]).toBe('2026-01-14 -20');
    const same = await readExport([header, rows[0] ?? '', '2026-01-14,Pay,900.00,0.00,900.00']);
    expect(same.rows[0]).toBe('2026-01-13 -50');
    const sides = await readExport([
      'Date,Name,Amount,Money Out,Total',
      '2026-01-13,Grocer,-50.00,-50.00,0.00',
      '2026-01-14,Pay,900.00,0.00,900.00',
    ]);
    expect(sides.rows).toEqual(['2026-01-13 -50', '2026-01-14 +900']);
  });

  it('is not found for balances before and after each row', async () => {
    const { rows: read } = await readExport([
      'Date,Name,Opening Balance,Amount,Closing Balance',
      '2026-01-13,Grocer,100.00,-50.00,50.00',
      '2026-01-14,Pay,50.00,900.00,950.00',
    ]);
    expect(read).toEqual(['2026-01-13 -50', '2026-01-14 +900']);
  });
});
