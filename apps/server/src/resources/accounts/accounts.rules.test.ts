import { cashboxesPerAccountMax } from '@centavo/contracts';
import { describe, expect, it } from 'vitest';
import { thrownApiError } from '../../../test-support/thrown-api-error.js';
import {
  accountsMax,
  cashboxesPerTrackerMax,
  decideAccount,
  decideCashbox,
  decideNameAndStatus,
} from './accounts.rules.js';

const body = { name: 'Wallet', type: 'cash' } as const;
const tracker = { trackerCurrencyCode: 'EUR', existing: { accounts: 0, cashboxes: 0 } };

describe('decideAccount', () => {
  it("defaults to the tracker's currency and to one cashbox with the name of the account", () => {
    expect(decideAccount({ ...tracker, body: { ...body, openingBalanceDecimal: '-10.5' } })).toEqual({
      name: 'Wallet',
      type: 'cash',
      currencyCode: 'EUR',
      cashboxes: [{ name: 'Wallet', openingBalanceDecimal: '-10.5' }],
    });
  });

  it('defaults an opening balance to zero', () => {
    const cashboxes = [
      { name: 'Notes', openingBalanceDecimal: undefined },
      { name: 'Coins', openingBalanceDecimal: '1' },
    ];
    expect(decideAccount({ ...tracker, body: { ...body, cashboxes } }).cashboxes).toEqual([
      { name: 'Notes', openingBalanceDecimal: '0' },
      { name: 'Coins', openingBalanceDecimal: '1' },
    ]);
  });

  it("reports every opening balance that has more decimal places than the account's currency allows", () => {
    const cashboxes = [
      { name: 'A', openingBalanceDecimal: '1.5' },
      { name: 'B', openingBalanceDecimal: '1' },
      { name: 'C', openingBalanceDecimal: '2.0' },
    ];
    const refusal = thrownApiError(() =>
      decideAccount({ ...tracker, body: { ...body, currencyCode: 'JPY', cashboxes } }),
    );
    expect(refusal.code).toBe('VALIDATION_ERROR');
    expect(refusal.details.issues).toMatchObject([
      { path: 'cashboxes.0.openingBalanceDecimal', code: 'AMOUNT_PRECISION' },
      { path: 'cashboxes.2.openingBalanceDecimal', code: 'AMOUNT_PRECISION' },
    ]);
  });

  it('rejects an opening balance with too many decimal places instead of rounding it', () => {
    const refusal = thrownApiError(() =>
      decideAccount({ ...tracker, body: { ...body, openingBalanceDecimal: '0.001' } }),
    );
    expect(refusal.details.issues).toMatchObject([{ path: 'openingBalanceDecimal', code: 'AMOUNT_PRECISION' }]);
  });

  it('throws limit_reached when the tracker has the maximum number of accounts', () => {
    expect(decideAccount({ ...tracker, body, existing: { accounts: accountsMax - 1, cashboxes: 0 } }).name).toBe(
      'Wallet',
    );
    const refusal = thrownApiError(() =>
      decideAccount({ ...tracker, body, existing: { accounts: accountsMax, cashboxes: 0 } }),
    );
    expect(refusal).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
  });

  it('throws limit_reached when the new cashboxes would exceed the maximum of the tracker', () => {
    const cashboxes = ['A', 'B'].map((name) => ({ name, openingBalanceDecimal: undefined }));
    const decide = (count: number) =>
      decideAccount({ ...tracker, body: { ...body, cashboxes }, existing: { accounts: 0, cashboxes: count } });
    expect(decide(cashboxesPerTrackerMax - 2).cashboxes).toHaveLength(2);
    const refusal = thrownApiError(() => decide(cashboxesPerTrackerMax - 1));
    expect(refusal).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
  });
});

describe('decideCashbox', () => {
  const none = { cashboxes: 0, cashboxesOfAccount: 0 };
  const account = { currency_code: 'KWD' };
  const body = { name: 'Safe', openingBalanceDecimal: undefined };

  it('defaults an opening balance to zero', () => {
    expect(decideCashbox({ body, account, existing: none })).toEqual({ name: 'Safe', openingBalanceDecimal: '0' });
  });

  it('accepts an opening balance of 1.125 KWD, and rejects 1.1250 KWD because it has more than three decimal places', () => {
    const opened = decideCashbox({ body: { ...body, openingBalanceDecimal: '-1.125' }, account, existing: none });
    expect(opened.openingBalanceDecimal).toBe('-1.125');
    expect(() =>
      decideCashbox({ body: { ...body, openingBalanceDecimal: '1.1250' }, account, existing: none }),
    ).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('throws NOT_FOUND when the account does not exist', () => {
    expect(() => decideCashbox({ body, account: undefined, existing: none })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', details: {} }),
    );
  });

  it('throws limit_reached when the account has the maximum number of cashboxes', () => {
    expect(() =>
      decideCashbox({ body, account, existing: { cashboxes: 1000, cashboxesOfAccount: cashboxesPerAccountMax } }),
    ).toThrow(expect.objectContaining({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } }));
  });

  it('throws limit_reached when the tracker has the maximum number of cashboxes', () => {
    const decide = (cashboxes: number) => decideCashbox({ body, account, existing: { ...none, cashboxes } });
    expect(decide(cashboxesPerTrackerMax - 1).name).toBe('Safe');
    expect(() => decide(cashboxesPerTrackerMax)).toThrow(
      expect.objectContaining({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } }),
    );
  });
});

describe('decideNameAndStatus', () => {
  const current = { name: 'Wallet', status: 'active' } as const;

  it('changes the name or the status, and keeps the value that the body omits', () => {
    expect(decideNameAndStatus({ body: { status: 'archived' }, current })).toEqual({
      name: 'Wallet',
      status: 'archived',
      change: { status: ['active', 'archived'] },
    });
    expect(decideNameAndStatus({ body: { name: 'Purse' }, current }).change).toEqual({ name: ['Wallet', 'Purse'] });
  });

  it('returns an empty change when the new name and status equal the current ones', () => {
    expect(decideNameAndStatus({ body: { name: 'Wallet', status: 'active' }, current }).change).toEqual({});
  });

  it('throws NOT_FOUND when the account or cashbox does not exist', () => {
    expect(() => decideNameAndStatus({ body: { name: 'Purse' }, current: undefined })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });
});
