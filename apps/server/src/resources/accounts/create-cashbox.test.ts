import { cashboxesPerAccountMax } from '@centavo/contracts';
import { describe, expect, it } from 'vitest';
import { cashboxesPerTrackerMax, decideCashbox } from './create-cashbox.js';

const none = { cashboxes: 0, cashboxesOfAccount: 0 };
const account = { currency_code: 'KWD' };
const body = { name: 'Safe', openingBalanceDecimal: undefined };

describe('decideCashbox', () => {
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
