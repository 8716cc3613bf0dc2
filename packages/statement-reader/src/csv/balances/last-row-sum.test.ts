import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const reason =
  'its amount is the sum of all rows above it, and it may be a total: record it manually if it is a payment';
const payments = ['2026-01-15;Lidl;-5.00', '2026-01-16;Pay;10.00', '2026-01-17;Aldi;-7.50'];
const read = async (...lines: readonly string[]) => (await readExport(['Date;Description;Amount', ...lines])).rows;

describe('the last row of a file, if its amount is the sum of all rows above it', () => {
  it('fails, because it may be a total whose label is unknown', async () => {
    const { rows, interpretation } = await readExport([
      'Date;Description;Amount',
      ...payments,
      '2026-01-31;Jami;-2.50',
    ]);
    expect(rows.at(-1)).toBe(`line 5 failure: ${reason}`);
    expect(interpretation.totals).toBe('3 rows, 2026-01-15 to 2026-01-17, expenses 12.50, incomes 10');
    expect(interpretation['other rows']).toBe('1 fails');
  });

  it('fails in a file with one column for debits and one for credits', async () => {
    const { rows } = await readExport([
      'Date;Description;Debit;Credit',
      '2026-01-15;Lidl;5.00;',
      '2026-01-16;Aldi;7.00;',
      '2026-01-17;Spar;3.00;',
      '2026-01-31;Jami;15.00;',
    ]);
    expect(rows.at(-1)).toBe(`line 5 failure: ${reason}`);
  });

  it('is a transaction if fewer than three rows are above it, or if the sum has the opposite sign', async () => {
    expect(await read('2026-01-15;Lidl;-5.00', '2026-01-16;Aldi;-7.00', '2026-01-17;Rent;-12.00')).toContain(
      '2026-01-17 -12 Rent',
    );
    expect(await read(...payments, '2026-01-31;Transfer;2.50')).toContain('2026-01-31 +2.5 Transfer');
  });

  it('is a transaction if the balance column includes its amount, or if the rows have two currencies', async () => {
    const withBalance = await readExport([
      'Date;Description;Amount;Balance',
      '2026-01-15;Lidl;-5.00;95.00',
      '2026-01-16;Pay;10.00;105.00',
      '2026-01-17;Aldi;-7.50;97.50',
      '2026-01-31;Rent;-2.50;95.00',
    ]);
    expect(withBalance.rows).toContain('2026-01-31 -2.5 Rent');
    const withCurrencies = await readExport([
      'Date;Description;Amount;Currency',
      ...payments.map((payment) => `${payment};EUR`),
      '2026-01-31;Rent;-2.50;USD',
    ]);
    expect(withCurrencies.rows).toContain('2026-01-31 -2.5 USD Rent');
  });
});
