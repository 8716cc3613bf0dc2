import { describe, expect, it } from 'vitest';
import { toAccountView, toBalanceView, toCashboxView } from './accounts.view.js';

const at = '2024-05-06T07:08:09.010Z';
const account = {
  tracker_id: 'tracker',
  id: 'account',
  name: 'Wallet',
  type: 'cash',
  currency_code: 'EUR',
  status: 'active',
  active_cashbox_count: 2,
  created_at: at,
  updated_at: at,
} as const;
const cashbox = {
  tracker_id: 'tracker',
  id: 'cashbox',
  account_id: 'account',
  account_status: 'active',
  opening_balance: '0.0000',
  name: 'Coins',
  currency_code: 'EUR',
  status: 'active',
  created_at: at,
  updated_at: at,
} as const;
const balance = {
  account_id: 'account',
  account_name: 'Wallet',
  cashbox_id: 'cashbox',
  cashbox_name: 'Coins',
  currency_code: 'EUR',
  balance: '0.0000',
  as_of: at,
};

describe('toAccountView', () => {
  // @proves contract 1: JSON
  // @proves contract 3: account
  it('returns every field of an account', () => {
    expect(toAccountView(account)).toEqual({
      id: 'account',
      trackerId: 'tracker',
      name: 'Wallet',
      type: 'cash',
      currencyCode: 'EUR',
      status: 'active',
      eligibleCashboxCount: 2,
      createdAt: '2024-05-06T07:08:09.010Z',
      updatedAt: '2024-05-06T07:08:09.010Z',
    });
  });

  it('returns an eligibleCashboxCount of 0 for an archived account', () => {
    expect(toAccountView({ ...account, status: 'archived' }).eligibleCashboxCount).toBe(0);
  });
});

describe('toCashboxView', () => {
  // @proves contract 3: cashbox
  it('returns isEligible=true only for an active cashbox of an active account', () => {
    expect(toCashboxView(cashbox).isEligible).toBe(true);
    expect(toCashboxView({ ...cashbox, status: 'archived' }).isEligible).toBe(false);
    expect(toCashboxView({ ...cashbox, account_status: 'archived' }).isEligible).toBe(false);
  });
});

describe('toBalanceView', () => {
  // @proves contract 1: money
  // @proves contract 3: balance
  // @proves contract 10a: Smaller
  it('formats a balance with as many decimal places as its currency has, and zero without a minus sign', () => {
    const shown = (amount: string, currency: string) =>
      toBalanceView({ ...balance, balance: amount, currency_code: currency }, null).balanceDecimal;
    expect(shown('-0.0000', 'EUR')).toBe('0.00');
    expect(shown('-12.5000', 'EUR')).toBe('-12.50');
    expect(shown('1250.0000', 'JPY')).toBe('1250');
    expect(shown('1.1250', 'KWD')).toBe('1.125');
  });
});
