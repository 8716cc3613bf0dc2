import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('debits of which some have a minus', () => {
  const english = 'Date,Description,Debit,Credit,Balance';
  const salary = ['2026-01-19,Interest,,1.00,3488.50', '2026-01-16,Salary,,2500.00,3487.50'];
  /** Debits whose direction no balance shows. */
  const unchecked = ['2026-01-15,Shop,-12.50,,', '2026-01-15,Refund,3.50,,987.50'];
  const postFinance = [
    'Buchungsdatum;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Valuta;Saldo in CHF',
    '19.01.2026;ZINS;1;;19.01.2026;3488.5',
    '16.01.2026;LOHN;2500;;16.01.2026;3487.5',
    '15.01.2026;COOP;;-12.5;15.01.2026;',
    '15.01.2026;MIGROS;;-20;15.01.2026;',
    '15.01.2026;RÜCKVERGÜTUNG COOP;;3.5;15.01.2026;',
    '15.01.2026;STORNO COOP;;2.5;15.01.2026;987.5',
  ];
  const withoutBalance = [english, ...salary, ...unchecked].map((line) => line.replace(/,[^,]*$/, ''));

  it.each([
    ['the file has no balance column', withoutBalance, 'Debit'],
    ['the only debit with a balance is in the oldest row', [english, ...salary, ...unchecked], 'Debit'],
    ['only one row of the oldest day has a balance', postFinance, 'Lastschrift in CHF'],
  ])('require an option if %s', async (_, file, column) => {
    const { question } = await readExport(file);
    expect(question).toEqual({
      message: expect.stringContaining(`amounts in the column "${column}" have a minus: either these or the others`),
      remedy: 'Use --minus expense if the amounts with a minus are expenses, or --minus income if they are refunds.',
      requiresOption: true,
    });
    const answered = await readExport(file, { minusMeans: 'expense' });
    expect(answered.question?.message).not.toContain('have a minus');
    expect(answered.rows[2]).toMatch(/^2026-01-15 -12.5 (CHF )?(Shop|COOP)$/);
  });

  it.each([
    ['with a minus', ['-12.50', '3.50', '-20.00']],
    ['without a minus', ['12.50', '-3.50', '20.00']],
  ])('require no option if the balances show the direction of a debit %s', async (_, [shop, refund, fuel]) => {
    const debits = [`2026-01-15,Shop,${shop},,984.00`, `2026-01-14,Refund,${refund},,`, `2026-01-14,Fuel,${fuel},,`];
    const file = [english, '2026-01-16,Salary,,2500.00,3484.00', ...debits, '2026-01-14,Gift,,10.00,996.50'];
    const { question, interpretation, rows } = await readExport(file);
    expect(interpretation.balance).toContain('agrees on 3 of 3 rows');
    expect(question?.message).toBe('The columns were guessed.');
    expect(rows.slice(1, 4)).toEqual(['2026-01-15 -12.5 Shop', '2026-01-14 +3.5 Refund', '2026-01-14 -20 Fuel']);
  });
});
