import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const file = (debit: string, credit: string, unsigned = '20.00') => [
  'Date,Description,Amount',
  `2026-03-13,SHOP,${debit}`,
  `2026-03-14,NEFT IN,${credit}`,
  `2026-03-15,ATM,${unsigned}`,
];

describe('an amount with neither a sign nor a debit/credit code, if other amounts of the file have one for each direction', () => {
  it.each([
    ['45.10 Dr', '1500.00 Cr'],
    ['45.10DR', '1500.00CR'],
    ['Dr. 45.10', 'Cr. 1500.00'],
    ['45.10 D', '1500.00 C'],
    ['45.10 S', '1500.00 H'],
    ['45.10-', '1500.00+'],
    ['45.10- EUR', '1500.00+ EUR'],
    ['45.10-', '+1500.00'],
    ['-45.10', '1500.00 Cr'],
  ])('fails next to %s and %s', async (debit, credit) => {
    const { rows } = await readExport(file(debit, credit));
    expect(rows.map((row) => row.replace(' EUR', ''))).toEqual([
      '2026-03-13 -45.1 SHOP',
      '2026-03-14 +1500 NEFT IN',
      'line 4 failure: "20.00" has no sign or debit/credit code, but other amounts of the file have one: add the sign or code that the file writes for an expense or for an income',
    ]);
  });

  it('is read after a sign or code was added to it', async () => {
    expect((await readExport(file('45.10 Dr', '1500.00 Cr', '20.00 Dr'))).rows[2]).toBe('2026-03-15 -20 ATM');
    expect((await readExport(file('45.10-', '1500.00+', '20.00+'))).rows[2]).toBe('2026-03-15 +20 ATM');
  });

  it('fails if the other amounts have their codes in the cell to their right', async () => {
    const lines = ['Date,Description,Amount,', '2026-03-13,SHOP,45.10,DR', '2026-03-14,NEFT IN,1500.00,CR'];
    const { rows } = await readExport([...lines, '2026-03-15,ATM,20.00,']);
    expect(rows[2]).toMatch(/^line 4 failure: "20.00" has no sign/);
  });

  it('is an income if the balances agree, and fails if they show an expense', async () => {
    const withBalance = (balance: string) => [
      'Date,Description,Amount,Balance',
      '2026-03-13,SHOP,45.10 Dr,954.90',
      '2026-03-14,NEFT IN,1500.00 Cr,2454.90',
      `2026-03-15,TRANSFER,20.00,${balance}`,
    ];
    expect((await readExport(withBalance('2474.90'))).rows[2]).toBe('2026-03-15 +20 TRANSFER');
    expect((await readExport(withBalance('2434.90'))).rows[2]).toMatch(/^line 4 failure: "20.00" has no sign/);
  });

  it.each([
    ['only credits have a code', '45.10', '1500.00 Cr', '2026-03-15 -20 ATM'],
    ['only debits have a minus after the digits', '45.10-', '1500.00', '2026-03-15 +20 ATM'],
    ['only debits have a code', '45.10 Dr', '1500.00', '2026-03-15 +20 ATM'],
    ['all signs are before the digits', '-45.10', '+1500.00', '2026-03-15 +20 ATM'],
  ])('is read if %s', async (_marks, debit, credit, row) => {
    expect((await readExport(file(debit, credit))).rows[2]).toBe(row);
  });

  it('is skipped if it is zero', async () => {
    expect((await readExport(file('45.10 Dr', '1500.00 Cr', '0.00'))).rows[2]).toContain('its amount is zero');
  });
});
