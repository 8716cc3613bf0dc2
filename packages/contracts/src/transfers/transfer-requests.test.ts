import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import { createTransferBody } from './transfer-requests.js';

const fromAccountId = '0190f2a0-0000-7000-8000-00000000000a';
const toAccountId = '0190f2a0-0000-7000-8000-00000000000b';
const minimal = { amountDecimal: '12.50', fromAccountId, toAccountId };

describe('POST /transfers', () => {
  // @proves contract 4: POST /transfers
  test('accepts a body with only an amount and two accounts', () => {
    expect(issuesOf(createTransferBody, minimal)).toEqual([]);
  });

  test('accepts every field of the specification', () => {
    const whole = {
      ...minimal,
      fromCashboxId: fromAccountId,
      toCashboxId: toAccountId,
      currencyCode: 'EUR',
      occurredOn: '2026-03-01',
      description: 'Savings',
    };
    expect(createTransferBody.parse(whole)).toEqual(whole);
  });

  test('treats null in an optional field like an absent field', () => {
    const absent = { fromCashboxId: null, toCashboxId: null, currencyCode: null, occurredOn: null, description: null };
    const body = createTransferBody.parse({ ...minimal, ...absent });
    expect(JSON.stringify(body)).toBe(JSON.stringify(createTransferBody.parse(minimal)));
  });

  test.each([
    // @proves spec, Transfer request fields: amountDecimal
    ['a transfer without an amount', { amountDecimal: undefined }, ['amountDecimal REQUIRED']],
    // @proves spec, Transfer request fields: fromAccountId
    ['a transfer without a source account', { fromAccountId: undefined }, ['fromAccountId REQUIRED']],
    // @proves spec, Transfer request fields: toAccountId
    ['a transfer without a destination account', { toAccountId: undefined }, ['toAccountId REQUIRED']],
    // @proves spec, Transfer request fields: amountDecimal
    ['an amount of zero', { amountDecimal: '0' }, ['amountDecimal OUT_OF_RANGE']],
    // @proves spec, Transfer request fields: description
    // @proves contract 4: POST /transfers
    ['a description of 501 characters', { description: 'x'.repeat(501) }, ['description TOO_LONG']],
    ['a merchant name, which transfers do not have', { merchantName: 'x' }, ['merchantName UNKNOWN_FIELD']],
    ['a category, which transfers do not have', { categoryId: 'x' }, ['categoryId UNKNOWN_FIELD']],
    [
      'cashbox ids that are not UUIDs',
      { fromCashboxId: 'a', toCashboxId: 'b' },
      ['fromCashboxId INVALID_FORMAT', 'toCashboxId INVALID_FORMAT'],
    ],
  ])('refuses %s', (_, fields, issues) => {
    expect(issuesOf(createTransferBody, { ...minimal, ...fields })).toEqual(issues);
  });

  test('reports all issues at once', () => {
    expect(issuesOf(createTransferBody, { occurredOn: '2026-13-01', currencyCode: 'eur', amount: '1' })).toEqual([
      'amount UNKNOWN_FIELD',
      'amountDecimal REQUIRED',
      'currencyCode INVALID_FORMAT',
      'fromAccountId REQUIRED',
      'occurredOn INVALID_FORMAT',
      'toAccountId REQUIRED',
    ]);
  });
});
