import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import { correctMovementBody, createMovementBody } from './movement-requests.js';

const accountId = '0190f2a0-0000-7000-8000-00000000000a';
const cashboxId = '0190f2a0-0000-7000-8000-00000000000b';
const minimal = { type: 'expense', amountDecimal: '12.50', accountId };

describe('POST /movements', () => {
  test('accepts a body with only a type, an amount and an account', () => {
    expect(issuesOf(createMovementBody, minimal)).toEqual([]);
  });

  // @proves spec, Movement request fields: type
  test('accepts every field of the specification', () => {
    const whole = {
      ...minimal,
      type: 'income',
      categoryId: 'cat_unknown',
      cashboxId,
      occurredOn: '2026-03-01',
      currencyCode: 'EUR',
      description: 'Rent\nMarch',
      merchantName: 'Landlord',
    };
    expect(createMovementBody.parse(whole)).toEqual(whole);
  });

  // @proves contract 10a: Movements
  test('treats null in an optional field, and an empty merchant name, like an absent field', () => {
    const absent = {
      categoryId: null,
      cashboxId: null,
      occurredOn: null,
      currencyCode: null,
      description: null,
      merchantName: '',
    };
    const body = createMovementBody.parse({ ...minimal, ...absent });
    expect(JSON.stringify(body)).toBe(JSON.stringify(createMovementBody.parse(minimal)));
  });

  test.each([
    // @proves spec, Movement request fields: type
    ['a movement without a type', { type: undefined }, ['type REQUIRED']],
    // @proves spec, Movement request fields: type
    ['a type other than expense and income', { type: 'transfer' }, ['type INVALID_FORMAT']],
    ['a movement without an amount', { amountDecimal: undefined }, ['amountDecimal REQUIRED']],
    ['an amount that is a number', { amountDecimal: 12.5 }, ['amountDecimal INVALID_FORMAT']],
    ['an amount of zero', { amountDecimal: '0.00' }, ['amountDecimal OUT_OF_RANGE']],
    ['an amount with five decimal places', { amountDecimal: '1.00001' }, ['amountDecimal AMOUNT_PRECISION']],
    // @proves spec, Movement request fields: accountId
    ['a movement without an account', { accountId: undefined }, ['accountId REQUIRED']],
    ['an account that is not a UUID', { accountId: 'main' }, ['accountId INVALID_FORMAT']],
    ['a cashbox that is not a UUID', { cashboxId: 'main' }, ['cashboxId INVALID_FORMAT']],
    ['a category with a space', { categoryId: 'a b' }, ['categoryId INVALID_FORMAT']],
    ['a day that does not exist', { occurredOn: '2026-02-30' }, ['occurredOn INVALID_FORMAT']],
    ['a day before 1900', { occurredOn: '1899-12-31' }, ['occurredOn OUT_OF_RANGE']],
    ['a currency in lower case', { currencyCode: 'eur' }, ['currencyCode INVALID_FORMAT']],
    ['an unknown currency', { currencyCode: 'ZZZ' }, ['currencyCode UNKNOWN_CURRENCY']],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, ['description TOO_LONG']],
    ['a merchant name of 201 characters', { merchantName: 'x'.repeat(201) }, ['merchantName TOO_LONG']],
    ['a merchant name on two lines', { merchantName: 'a\nb' }, ['merchantName INVALID_FORMAT']],
    // @proves contract 1: unknown body fields, unknown or repeated query parameters
    ['the unknown field amount', { amount: '1' }, ['amount UNKNOWN_FIELD']],
    ['the field version, which only responses contain', { version: 1 }, ['version UNKNOWN_FIELD']],
  ])('refuses %s', (_, fields, issues) => {
    expect(issuesOf(createMovementBody, { ...minimal, ...fields })).toEqual(issues);
  });

  test('reports all issues at once', () => {
    const body = { type: 'gift', amountDecimal: '-1', cashboxId: 'x', occurredOn: 'today', note: 1, merchantName: 5 };
    expect(issuesOf(createMovementBody, body)).toEqual([
      'accountId REQUIRED',
      'amountDecimal INVALID_FORMAT',
      'cashboxId INVALID_FORMAT',
      'merchantName INVALID_FORMAT',
      'note UNKNOWN_FIELD',
      'occurredOn INVALID_FORMAT',
      'type INVALID_FORMAT',
    ]);
  });
});

describe('PATCH /movements/{movementId}', () => {
  test.each([
    [{ amountDecimal: '3.50' }, { amountDecimal: '3.50' }],
    [{ categoryId: null }, { categoryId: null }],
    [{ categoryId: 'cat_1' }, { categoryId: 'cat_1' }],
    [{ description: null }, { description: null }],
    [{ description: ' ' }, { description: null }],
    [{ merchantName: ' Baker ' }, { merchantName: 'Baker' }],
    // @proves spec, Movement correction fields: merchantName
  ])('parses %j as %j', (body, parsed) => {
    expect(correctMovementBody.parse(body)).toEqual(parsed);
  });

  test('rejects an empty patch', () => {
    expect(issuesOf(correctMovementBody, {})).toEqual([' EMPTY_PATCH']);
  });

  // @proves spec, Movement correction fields: amountDecimal
  test('rejects an amount of null', () => {
    expect(issuesOf(correctMovementBody, { amountDecimal: null })).toEqual(['amountDecimal INVALID_FORMAT']);
  });

  test.each(['type', 'accountId', 'cashboxId', 'occurredOn', 'currencyCode'])(
    'refuses the field %s, which a correction cannot change',
    (field) => {
      expect(issuesOf(correctMovementBody, { description: 'x', [field]: 'x' })).toEqual([`${field} UNKNOWN_FIELD`]);
    },
  );

  test('reports all issues at once', () => {
    const body = { amountDecimal: '0', categoryId: '', description: 'x'.repeat(501), merchantName: '\u0000!' };
    expect(issuesOf(correctMovementBody, body)).toEqual([
      'amountDecimal OUT_OF_RANGE',
      'categoryId INVALID_FORMAT',
      'description TOO_LONG',
      'merchantName INVALID_FORMAT',
    ]);
  });
});
