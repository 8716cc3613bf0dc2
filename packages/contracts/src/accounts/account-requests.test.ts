import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import { createAccountBody, createCashboxBody, updateAccountBody } from './account-requests.js';

const minimal = { name: 'Bank', type: 'checking' };

describe('POST /accounts', () => {
  test.each([
    [{}],
    [{ type: 'credit_card', currencyCode: 'EUR', openingBalanceDecimal: '-120.50' }],
    [{ cashboxes: [{ name: 'Main' }, { name: 'Reserve', openingBalanceDecimal: '0' }] }],
    [{ currencyCode: null, openingBalanceDecimal: null, cashboxes: null }],
  ])('accepts an account with %j', (fields) => {
    expect(issuesOf(createAccountBody, { ...minimal, ...fields })).toEqual([]);
  });

  test.each([
    ['an account without a name and a type', { name: undefined, type: undefined }, ['name REQUIRED', 'type REQUIRED']],
    ['an unknown type', { type: 'wallet' }, ['type INVALID_FORMAT']],
    ['an unknown currency', { currencyCode: 'ZZZ' }, ['currencyCode UNKNOWN_CURRENCY']],
    ['an opening balance that is a number', { openingBalanceDecimal: -5 }, ['openingBalanceDecimal INVALID_FORMAT']],
    ['an empty list of cashboxes', { cashboxes: [] }, ['cashboxes REQUIRED']],
    ['a cashbox without a name', { cashboxes: [{}] }, ['cashboxes.0.name REQUIRED']],
    [
      'a cashbox with a currency',
      { cashboxes: [{ name: 'x', currencyCode: 'EUR' }] },
      ['cashboxes.0.currencyCode UNKNOWN_FIELD'],
    ],
    [
      'an opening balance together with cashboxes',
      { openingBalanceDecimal: '1', cashboxes: [{ name: 'x' }] },
      ['openingBalanceDecimal FIELD_CONFLICT'],
    ],
    [
      'an unknown type together with a conflict between two fields, and reports both issues',
      { type: 'x', openingBalanceDecimal: '1', cashboxes: [{ name: 'x' }] },
      ['openingBalanceDecimal FIELD_CONFLICT', 'type INVALID_FORMAT'],
    ],
  ])('refuses %s', (_, fields, issues) => {
    expect(issuesOf(createAccountBody, { ...minimal, ...fields })).toEqual(issues);
  });

  test('accepts 1000 cashboxes and rejects 1001', () => {
    const cashboxes = (length: number) => Array.from({ length }, (_, index) => ({ name: `Box ${index}` }));
    expect(issuesOf(createAccountBody, { ...minimal, cashboxes: cashboxes(1000) })).toEqual([]);
    expect(issuesOf(createAccountBody, { ...minimal, cashboxes: cashboxes(1001) })).toEqual(['cashboxes OUT_OF_RANGE']);
  });
});

describe('POST /accounts/{accountId}/cashboxes', () => {
  test.each([
    [{ name: 'Main' }, []],
    [{ name: 'Main', openingBalanceDecimal: '-1' }, []],
    [{}, ['name REQUIRED']],
    [{ name: 'Main', openingBalanceDecimal: '1,5' }, ['openingBalanceDecimal INVALID_FORMAT']],
  ])('validates a body with %j, and reports exactly the issues %j', (body, issues) => {
    expect(issuesOf(createCashboxBody, body)).toEqual(issues);
  });
});

describe('PATCH /accounts/{accountId} and /cashboxes/{cashboxId}', () => {
  test.each([
    [{ name: 'Main' }, []],
    [{ status: 'archived' }, []],
    [{}, [' EMPTY_PATCH']],
    [{ status: 'deleted' }, ['status INVALID_FORMAT']],
    [{ type: 'cash' }, [' EMPTY_PATCH', 'type UNKNOWN_FIELD']],
    [{ currencyCode: 'USD' }, [' EMPTY_PATCH', 'currencyCode UNKNOWN_FIELD']],
  ])('validates a body with %j, and reports exactly the issues %j', (body, issues) => {
    expect(issuesOf(updateAccountBody, body)).toEqual(issues);
  });
});
