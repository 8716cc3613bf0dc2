import { addDays, createTransferBody } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { summarizeThrown } from '../../../test-support/thrown-api-error.js';
import { type CreateTransferFacts, decideTransfer, type TransferSideFacts } from './transfers.rules.js';

const bank = '0190f2a0-0000-7000-8000-00000000000a';
const wallet = '0190f2a0-0000-7000-8000-00000000000b';
const [bankMain, bankReserve, walletMain] = [
  '0190f2a0-0000-7000-8000-0000000000a1',
  '0190f2a0-0000-7000-8000-0000000000a2',
  '0190f2a0-0000-7000-8000-0000000000b1',
];
const today = '2026-03-01';

const side = (id: string, cashboxIds: readonly string[], currencyCode = 'EUR'): TransferSideFacts => ({
  id,
  currencyCode,
  cashboxes: cashboxIds.map((cashboxId) => ({ id: cashboxId, isEligible: true })),
});
const from = side(bank, [bankMain]);
const to = side(wallet, [walletMain]);

const decide = (fields: Readonly<Record<string, unknown>> = {}, facts: Partial<CreateTransferFacts> = {}) =>
  decideTransfer({
    body: createTransferBody.parse({ amountDecimal: '50', fromAccountId: bank, toAccountId: wallet, ...fields }),
    facts: { from, to, ...facts },
    today,
  });
const refused = (...args: Parameters<typeof decide>) => summarizeThrown(() => decide(...args));

// @proves spec, Transfer request fields: fromCashboxId
// @proves spec, Transfer request fields: toCashboxId
// @proves spec, Transfer request fields: occurredOn
test('decideTransfer sets the currency, both cashboxes and the local date by default', () => {
  expect(decide()).toEqual({
    amountDecimal: '50',
    currencyCode: 'EUR',
    fromAccountId: bank,
    fromCashboxId: bankMain,
    toAccountId: wallet,
    toCashboxId: walletMain,
    occurredOn: today,
    description: null,
  });
});

// @proves spec, Transfer request fields: occurredOn
test('decideTransfer keeps the values that the request sets for optional fields', () => {
  const fields = { fromCashboxId: bankMain, toCashboxId: walletMain, currencyCode: 'EUR', occurredOn: '2025-01-01' };
  expect(decide({ ...fields, description: 'Cash' })).toMatchObject({ ...fields, description: 'Cash' });
});

describe('decideTransfer (cashboxes)', () => {
  // @proves spec, Transfer request fields: fromCashboxId
  test('reports CASHBOX_SELECTION_REQUIRED for an omitted fromCashboxId or toCashboxId if its account has several eligible cashboxes', () => {
    const both = side(bank, [bankMain, bankReserve]);
    expect(refused({}, { from: both })).toEqual(['fromCashboxId CASHBOX_SELECTION_REQUIRED']);
    expect(refused({ fromAccountId: wallet, toAccountId: bank }, { from: to, to: both })).toEqual([
      'toCashboxId CASHBOX_SELECTION_REQUIRED',
    ]);
    expect(refused({}, { from: both, to: side(wallet, []) })).toEqual([
      'fromCashboxId CASHBOX_SELECTION_REQUIRED',
      'toCashboxId NO_ELIGIBLE_CASHBOX',
    ]);
  });

  test('accepts two cashboxes of one account', () => {
    const both = side(bank, [bankMain, bankReserve]);
    const fields = { toAccountId: bank, fromCashboxId: bankMain, toCashboxId: bankReserve };
    expect(decide(fields, { from: both, to: both })).toMatchObject({
      fromCashboxId: bankMain,
      toCashboxId: bankReserve,
    });
  });

  // @proves contract 4: POST /transfers
  test('rejects the same cashbox on both sides, whether it is named or chosen by default', () => {
    expect(refused({ toAccountId: bank }, { to: from })).toEqual(['toCashboxId SAME_SOURCE_AND_DESTINATION']);
    const both = side(bank, [bankMain, bankReserve]);
    const fields = { toAccountId: bank, fromCashboxId: bankMain, toCashboxId: bankMain };
    expect(refused(fields, { from: both, to: both })).toEqual(['toCashboxId SAME_SOURCE_AND_DESTINATION']);
  });

  test('returns 404 for a fromCashboxId or toCashboxId that is not in the account of its side', () => {
    expect(refused({ fromCashboxId: walletMain })).toEqual({
      code: 'NOT_FOUND',
      resource: 'cashbox',
      path: 'fromCashboxId',
    });
    expect(refused({ toCashboxId: bankMain })).toEqual({ code: 'NOT_FOUND', resource: 'cashbox', path: 'toCashboxId' });
  });

  test('rejects a named cashbox that is archived', () => {
    const archived = { ...from, cashboxes: [{ id: bankMain, isEligible: false }] };
    expect(refused({ fromCashboxId: bankMain }, { from: archived })).toEqual(['fromCashboxId NO_ELIGIBLE_CASHBOX']);
  });
});

describe('decideTransfer (accounts)', () => {
  // @proves spec, Transfer request fields: fromAccountId
  // @proves spec, Transfer request fields: toAccountId
  test('returns 404 for an account on either side that the caller does not see', () => {
    expect(refused({}, { from: null })).toEqual({ code: 'NOT_FOUND', resource: 'account', path: 'fromAccountId' });
    expect(refused({}, { to: null })).toEqual({ code: 'NOT_FOUND', resource: 'account', path: 'toAccountId' });
  });

  test('rejects accounts with different currencies', () => {
    expect(refused({}, { to: side(wallet, [walletMain], 'USD') })).toEqual(['toAccountId CURRENCY_MISMATCH']);
  });

  // @proves spec, Transfer request fields: currencyCode
  test('rejects a currencyCode that differs from the currency of the accounts', () => {
    expect(refused({ currencyCode: 'USD' })).toEqual(['currencyCode CURRENCY_MISMATCH']);
  });
});

// @proves spec, Transfer request fields: amountDecimal
test('decideTransfer rejects an amount with too many decimal places and a date more than 366 days ahead', () => {
  const yen = { from: side(bank, [bankMain], 'JPY'), to: side(wallet, [walletMain], 'JPY') };
  expect(refused({ amountDecimal: '1.5' }, yen)).toEqual(['amountDecimal AMOUNT_PRECISION']);
  expect(decide({ occurredOn: addDays(today, 366) }).occurredOn).toBe('2027-03-02');
  expect(refused({ occurredOn: addDays(today, 367) })).toEqual(['occurredOn OUT_OF_RANGE']);
});

test('decideTransfer reports all issues together', () => {
  const facts = { to: side(wallet, [], 'USD') };
  expect(refused({ amountDecimal: '1.234', occurredOn: '2099-01-01', currencyCode: 'GBP' }, facts)).toEqual([
    'amountDecimal AMOUNT_PRECISION',
    'currencyCode CURRENCY_MISMATCH',
    'occurredOn OUT_OF_RANGE',
    'toAccountId CURRENCY_MISMATCH',
    'toCashboxId NO_ELIGIBLE_CASHBOX',
  ]);
});
