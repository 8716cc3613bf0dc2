import { cashboxesPerAccountMax } from '@centavo/contracts';
import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../api-error.js';
import {
  accountsMax,
  cashboxesPerTrackerMax,
  decideAccount,
  decideCashbox,
  decideNameAndStatus,
} from './accounts.rules.js';

const body = { name: 'Wallet', type: 'cash' } as const;
const tracker = { trackerCurrencyCode: 'EUR', existing: { accounts: 0, cashboxes: 0 } };

function thrownApiError(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('It was not refused');
}

describe('decideAccount', () => {
  it("keeps the tracker's currency and gets one cashbox of its own name", () => {
    expect(decideAccount({ ...tracker, body: { ...body, openingBalanceDecimal: '-10.5' } })).toEqual({
      name: 'Wallet',
      type: 'cash',
      currencyCode: 'EUR',
      cashboxes: [{ name: 'Wallet', openingBalanceDecimal: '-10.5' }],
    });
  });

  it('opens at zero where nothing is said', () => {
    const cashboxes = [
      { name: 'Notes', openingBalanceDecimal: undefined },
      { name: 'Coins', openingBalanceDecimal: '1' },
    ];
    expect(decideAccount({ ...tracker, body: { ...body, cashboxes } }).cashboxes).toEqual([
      { name: 'Notes', openingBalanceDecimal: '0' },
      { name: 'Coins', openingBalanceDecimal: '1' },
    ]);
  });

  it("names every opening balance with more decimals than the account's currency has", () => {
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

  it('is never rounded', () => {
    const refusal = thrownApiError(() =>
      decideAccount({ ...tracker, body: { ...body, openingBalanceDecimal: '0.001' } }),
    );
    expect(refusal.details.issues).toMatchObject([{ path: 'openingBalanceDecimal', code: 'AMOUNT_PRECISION' }]);
  });

  it('is refused when the tracker holds as many accounts as it may', () => {
    expect(decideAccount({ ...tracker, body, existing: { accounts: accountsMax - 1, cashboxes: 0 } }).name).toBe(
      'Wallet',
    );
    const refusal = thrownApiError(() =>
      decideAccount({ ...tracker, body, existing: { accounts: accountsMax, cashboxes: 0 } }),
    );
    expect(refusal).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
  });

  it('is refused when its cashboxes are more than the tracker may hold', () => {
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

  it('opens at zero where nothing is said', () => {
    expect(decideCashbox({ body, account, existing: none })).toEqual({ name: 'Safe', openingBalanceDecimal: '0' });
  });

  it("takes an opening balance with the decimals of the account's currency", () => {
    const opened = decideCashbox({ body: { ...body, openingBalanceDecimal: '-1.125' }, account, existing: none });
    expect(opened.openingBalanceDecimal).toBe('-1.125');
    expect(() =>
      decideCashbox({ body: { ...body, openingBalanceDecimal: '1.1250' }, account, existing: none }),
    ).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('is refused for an account that is not there', () => {
    expect(() => decideCashbox({ body, account: undefined, existing: none })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', details: {} }),
    );
  });

  it('is refused when the account has as many cashboxes as it may', () => {
    expect(() =>
      decideCashbox({ body, account, existing: { cashboxes: 1000, cashboxesOfAccount: cashboxesPerAccountMax } }),
    ).toThrow(expect.objectContaining({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } }));
  });

  it('is refused when the tracker has as many cashboxes as it may', () => {
    const decide = (cashboxes: number) => decideCashbox({ body, account, existing: { ...none, cashboxes } });
    expect(decide(cashboxesPerTrackerMax - 1).name).toBe('Safe');
    expect(() => decide(cashboxesPerTrackerMax)).toThrow(
      expect.objectContaining({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } }),
    );
  });
});

describe('decideNameAndStatus', () => {
  const current = { name: 'Wallet', status: 'active' } as const;

  it('changes what is named and keeps the rest', () => {
    expect(decideNameAndStatus({ body: { status: 'archived' }, current })).toEqual({
      name: 'Wallet',
      status: 'archived',
      change: { status: ['active', 'archived'] },
    });
    expect(decideNameAndStatus({ body: { name: 'Purse' }, current }).change).toEqual({ name: ['Wallet', 'Purse'] });
  });

  it('changes nothing when what is named is so already', () => {
    expect(decideNameAndStatus({ body: { name: 'Wallet', status: 'active' }, current }).change).toEqual({});
  });

  it('is refused for a record that is not there', () => {
    expect(() => decideNameAndStatus({ body: { name: 'Purse' }, current: undefined })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });
});
