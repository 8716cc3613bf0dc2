import { describe, expect, it } from 'vitest';
import type { AmountSign } from '../../values/amounts.js';
import { type AmountPlace, decideDirection, emptySignCounts } from './sign-convention.js';

const decide = (
  place: AmountPlace,
  sign: AmountSign,
  options: { counts: Partial<Record<AmountSign, number>>; minusMeans?: 'expense' | 'income' },
) => {
  const signCounts = emptySignCounts();
  Object.assign(signCounts[place], options.counts);
  return decideDirection(place, sign, { signCounts, minusMeans: options.minusMeans });
};

describe('with --minus expense, an amount without a sign in a file without a minus', () => {
  it('is an income', () => {
    expect(decide('amount', 'none', { counts: { none: 2 }, minusMeans: 'expense' })).toBe('income');
  });

  it('is an expense if other amounts have a plus; the amounts with a plus are incomes', () => {
    const seen = { counts: { none: 2, plus: 1 }, minusMeans: 'expense' } as const;
    expect(decide('amount', 'none', seen)).toBe('expense');
    expect(decide('amount', 'plus', seen)).toBe('income');
  });
});

describe('a minus in a debit or credit column', () => {
  it.each([
    ['debit', 'expense', 'income'],
    ['credit', 'income', 'expense'],
  ] as const)(
    'is ignored in the %s column if all its amounts have a minus, and marks a reversal if most have no minus',
    (place, side, opposite) => {
      expect(decide(place, 'minus', { counts: { minus: 3 } })).toBe(side);
      expect(decide(place, 'minus', { counts: { minus: 1, none: 2 } })).toBe(opposite);
      expect(decide(place, 'minus', { counts: { minus: 1, plus: 2 } })).toBe(opposite);
      expect(decide(place, 'none', { counts: { minus: 1, none: 2 } })).toBe(side);
    },
  );

  it('is an expense in the debit column if most debits have a minus, or if --minus is expense', () => {
    const most = { counts: { minus: 2, none: 1 } };
    expect(decide('debit', 'minus', most)).toBe('expense');
    expect(decide('debit', 'none', most)).toBe('income');
    const given = { counts: { minus: 1, none: 2 }, minusMeans: 'expense' } as const;
    expect(decide('debit', 'minus', given)).toBe('expense');
    expect(decide('debit', 'none', given)).toBe('income');
    expect(decide('debit', 'minus', { ...most, minusMeans: 'income' })).toBe('income');
  });
});
