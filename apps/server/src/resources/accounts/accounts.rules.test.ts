import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../api-error.js';
import { accountsMax, decideAccount } from './accounts.rules.js';
import { cashboxesPerTrackerMax } from './create-cashbox.js';

const body = { name: 'Wallet', type: 'cash' } as const;
const tracker = { trackerCurrencyCode: 'EUR', existing: { accounts: 0, cashboxes: 0 } };

function refusalOf(act: () => unknown): ApiError {
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
    const refusal = refusalOf(() => decideAccount({ ...tracker, body: { ...body, currencyCode: 'JPY', cashboxes } }));
    expect(refusal.code).toBe('VALIDATION_ERROR');
    expect(refusal.details.issues).toMatchObject([
      { path: 'cashboxes.0.openingBalanceDecimal', code: 'AMOUNT_PRECISION' },
      { path: 'cashboxes.2.openingBalanceDecimal', code: 'AMOUNT_PRECISION' },
    ]);
  });

  it('is never rounded', () => {
    const refusal = refusalOf(() => decideAccount({ ...tracker, body: { ...body, openingBalanceDecimal: '0.001' } }));
    expect(refusal.details.issues).toMatchObject([{ path: 'openingBalanceDecimal', code: 'AMOUNT_PRECISION' }]);
  });

  it('is refused when the tracker holds as many accounts as it may', () => {
    expect(decideAccount({ ...tracker, body, existing: { accounts: accountsMax - 1, cashboxes: 0 } }).name).toBe(
      'Wallet',
    );
    const refusal = refusalOf(() =>
      decideAccount({ ...tracker, body, existing: { accounts: accountsMax, cashboxes: 0 } }),
    );
    expect(refusal).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
  });

  it('is refused when its cashboxes are more than the tracker may hold', () => {
    const cashboxes = ['A', 'B'].map((name) => ({ name, openingBalanceDecimal: undefined }));
    const decide = (count: number) =>
      decideAccount({ ...tracker, body: { ...body, cashboxes }, existing: { accounts: 0, cashboxes: count } });
    expect(decide(cashboxesPerTrackerMax - 2).cashboxes).toHaveLength(2);
    const refusal = refusalOf(() => decide(cashboxesPerTrackerMax - 1));
    expect(refusal).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
  });
});
