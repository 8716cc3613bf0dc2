import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

it('the CSV reader reads a dash or a currency symbol alone as an empty debit or credit', async () => {
  const { rows } = await readExport([
    'Date,Description,Paid out,Paid in',
    '2024-03-13,Grocer,£20.00,-',
    '2024-03-14,Salary,£,£500.00',
    '2024-03-15,Bakery,£4.20,–',
  ]);
  expect(rows).toEqual(['2024-03-13 -20 Grocer', '2024-03-14 +500 Salary', '2024-03-15 -4.2 Bakery']);
});

it('the CSV reader reports a row whose only amount is a dash as failed', async () => {
  const { rows } = await readExport(['Date,Description,Amount', '2024-03-13,Grocer,-', '2024-03-14,Salary,500.00']);
  expect(rows).toEqual(['line 2 failure: it has no amount', '2024-03-14 -500 Salary']);
});

describe('a row without an amount and without a balance', () => {
  const file = [
    'Date,Text,Debit,Credit,Balance',
    '2024-03-13,Salary,,500.00,600.00',
    '2024-03-14,Batch payment,30.00,,570.00',
    '2024-03-14,Grocer,,,',
    '2024-03-14,Bakery,,,',
    '2024-03-15,Rent,70.00,,500.00',
  ];

  it('is skipped as an item of a batch payment if the balances agree with the amounts of the other rows', async () => {
    const { rows, interpretation } = await readExport(file);
    expect(rows).toEqual([
      '2024-03-13 +500 Salary',
      '2024-03-14 -30 Batch payment',
      'line 4 skipped: it has no amount, and the balances agree with the amounts of the other rows',
      'line 5 skipped: it has no amount, and the balances agree with the amounts of the other rows',
      '2024-03-15 -70 Rent',
    ]);
    expect([interpretation['other rows'], interpretation.balance]).toEqual([
      '2 skipped',
      'the balance column agrees on 3 of 3 rows',
    ]);
  });

  it('fails if the balances contradict the amounts of the other rows; a row with only a balance also fails', async () => {
    const gap = await readExport(file.with(5, '2024-03-15,Rent,70.00,,480.00'));
    expect(gap.rows[2]).toBe('line 4 failure: it has neither a debit nor a credit');
    const withBalance = await readExport(file.with(3, '2024-03-14,Grocer,,,560.00'));
    expect(withBalance.rows[2]).toBe('line 4 failure: it has neither a debit nor a credit');
  });
});

it('the CSV reader reads amounts with the symbol of the Jordanian dinar', async () => {
  const { rows } = await readExport([
    'Date,Payee,Outflow,Inflow',
    '2022/11/07,Shop,د.ا.\u200f4.750,د.ا.\u200f0.000',
    '2022/12/21,Salary,د.ا.\u200f0.000,د.ا.\u200f93.210',
  ]);
  expect(rows).toEqual(['2022-11-07 -4.75', '2022-12-21 +93.21']);
});

it('the CSV reader skips a row with empty debit and credit columns if its amount is zero, and otherwise reports it as failed', async () => {
  const { rows } = await readExport([
    'Date,Description,Amount,Currency,Money Out,Money In',
    '13/02/2026,Grocer,-3.65,GBP,-3.65,',
    '14/02/2026,Active card check,0.00,GBP,,',
    '15/02/2026,Shop,-2.00,GBP,,',
  ]);
  expect(rows).toEqual([
    '2026-02-13 -3.65 GBP Grocer',
    'line 3 skipped: its amount is zero',
    'line 4 failure: it has neither a debit nor a credit',
  ]);
});
