import { addDays, createMovementBody } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { summarizeThrown, thrownApiError } from '../../../test-support/thrown-api-error.js';
import { type CreateMovementFacts, decideMovement } from './decide-movement.js';

const accountId = '0190f2a0-0000-7000-8000-00000000000a';
const main = '0190f2a0-0000-7000-8000-00000000000b';
const reserve = '0190f2a0-0000-7000-8000-00000000000c';
const foreignId = '0190f2a0-0000-7000-8000-00000000000d';
const today = '2026-03-01';
const unknown = { id: 'cat_unknown', kind: 'any', status: 'active' } as const;

function decide(fields: Readonly<Record<string, unknown>> = {}, facts: Partial<CreateMovementFacts> = {}) {
  return decideMovement({
    body: createMovementBody.parse({ type: 'expense', amountDecimal: '12.5', accountId, ...fields }),
    facts: {
      account: { id: accountId, currencyCode: 'EUR' },
      cashboxes: [{ id: main, isEligible: true }],
      category: unknown,
      movementWithExternalId: null,
      ...facts,
    },
    today,
  });
}
const refused = (...args: Parameters<typeof decide>) => summarizeThrown(() => decide(...args));

// @proves spec, Movement request fields: occurredOn
test('decideMovement sets the currency, the cashbox, the category cat_unknown and the tracker’s local date by default', () => {
  expect(decide()).toEqual({
    type: 'expense',
    amountDecimal: '12.5',
    currencyCode: 'EUR',
    accountId,
    cashboxId: main,
    categoryId: 'cat_unknown',
    occurredOn: today,
    description: null,
    merchantName: null,
    externalId: null,
  });
});

test('decideMovement keeps the values that the request sets for optional fields', () => {
  const fields = {
    type: 'income',
    currencyCode: 'EUR',
    cashboxId: main,
    categoryId: 'cat_1',
    occurredOn: '1900-01-01',
    description: 'Salary',
    merchantName: 'Employer',
  };
  const category = { id: 'cat_1', kind: 'income', status: 'active' } as const;
  expect(decide(fields, { category })).toMatchObject(fields);
});

describe('decideMovement: an amount', () => {
  const factsIn = (currencyCode: string) => ({ account: { id: accountId, currencyCode } });

  test.each([
    ['EUR', '1.23'],
    ['JPY', '123'],
    ['KWD', '1.234'],
    ['CLF', '1.2345'],
  ])('is accepted with as many decimal places as %s has, such as %s', (currencyCode, amountDecimal) => {
    expect(decide({ amountDecimal }, factsIn(currencyCode)).amountDecimal).toBe(amountDecimal);
  });

  test.each([
    ['EUR', '1.234'],
    ['JPY', '1.5'],
    ['KWD', '1.2345'],
    // @proves contract 1: amount format
  ])('is rejected, not rounded, with more decimal places than %s has, such as %s', (currencyCode, amountDecimal) => {
    expect(refused({ amountDecimal }, factsIn(currencyCode))).toEqual(['amountDecimal AMOUNT_PRECISION']);
  });

  test('of 1.500 EUR is rejected, because a trailing zero counts as a decimal place', () => {
    expect(refused({ amountDecimal: '1.500' })).toEqual(['amountDecimal AMOUNT_PRECISION']);
  });
});

test('decideMovement rejects a currency that differs from the account’s', () => {
  expect(refused({ currencyCode: 'USD' })).toEqual(['currencyCode CURRENCY_MISMATCH']);
});

// @proves contract 1: dates
test('decideMovement accepts a date 366 days after the tracker’s local date, and rejects the next date', () => {
  const latest = addDays(today, 366);
  expect(decide({ occurredOn: latest }).occurredOn).toBe(latest);
  expect(refused({ occurredOn: addDays(latest, 1) })).toEqual(['occurredOn OUT_OF_RANGE']);
});

describe('decideMovement: the cashbox', () => {
  const two = { cashboxes: [main, reserve].map((id) => ({ id, isEligible: true })) };
  const oneOfTwo = {
    cashboxes: [
      { id: main, isEligible: false },
      { id: reserve, isEligible: true },
    ],
  };

  // @proves spec, Movement request fields: cashboxId
  test('may be omitted if exactly one of the two cashboxes of the account is eligible', () => {
    expect(decide({}, oneOfTwo).cashboxId).toBe(reserve);
  });

  test('must be named when several cashboxes are eligible; if it is omitted, the error lists the eligible cashboxes', () => {
    expect(refused({}, two)).toEqual(['cashboxId CASHBOX_SELECTION_REQUIRED']);
    expect(thrownApiError(() => decide({}, two)).details.issues).toMatchObject([
      { eligibleCashboxIds: [main, reserve] },
    ]);
    expect(decide({ cashboxId: reserve }, two).cashboxId).toBe(reserve);
  });

  test('causes NO_ELIGIBLE_CASHBOX when it is omitted and no cashbox is eligible', () => {
    expect(refused({}, { cashboxes: [] })).toEqual(['cashboxId NO_ELIGIBLE_CASHBOX']);
    expect(refused({}, { cashboxes: [{ id: main, isEligible: false }] })).toEqual(['cashboxId NO_ELIGIBLE_CASHBOX']);
  });

  // @proves spec, Movement request fields: cashboxId
  test('is refused when it is archived, even if the account has an eligible cashbox', () => {
    expect(refused({ cashboxId: main }, oneOfTwo)).toEqual(['cashboxId NO_ELIGIBLE_CASHBOX']);
    expect(thrownApiError(() => decide({ cashboxId: main }, oneOfTwo)).details.issues).toMatchObject([
      { eligibleCashboxIds: [reserve] },
    ]);
  });

  test('causes 404 when it is not in the account', () => {
    expect(refused({ cashboxId: foreignId }, two)).toEqual({
      code: 'NOT_FOUND',
      resource: 'cashbox',
      path: 'cashboxId',
    });
  });
});

describe('decideMovement with a category', () => {
  test.each([
    ['accepts', 'expense', 'active', 'expense'],
    ['accepts', 'any', 'active', 'expense'],
    ['rejects', 'income', 'active', 'expense'],
    ['accepts', 'income', 'active', 'income'],
    ['accepts', 'any', 'active', 'income'],
    ['rejects', 'expense', 'active', 'income'],
    ['rejects', 'expense', 'archived', 'expense'],
    ['rejects', 'any', 'archived', 'expense'],
  ] as const)('%s a category of the kind %s with the status %s for an %s', (outcome, kind, status, type) => {
    const fields = { type, categoryId: 'cat_1' };
    const facts = { category: { id: 'cat_1', kind, status } };
    if (outcome === 'accepts') expect(decide(fields, facts).categoryId).toBe('cat_1');
    else expect(refused(fields, facts)).toEqual(['categoryId CATEGORY_NOT_USABLE']);
  });
});

describe('decideMovement: an account or category that the caller does not see', () => {
  // @proves contract 5: 404
  test('causes 404 with the resource type and the request field that names it', () => {
    expect(refused({}, { account: null })).toEqual({ code: 'NOT_FOUND', resource: 'account', path: 'accountId' });
    expect(refused({ categoryId: 'cat_1' }, { category: null })).toEqual({
      code: 'NOT_FOUND',
      resource: 'category',
      path: 'categoryId',
    });
  });
});

// @proves contract 10a: Issues
test('decideMovement reports all issues together', () => {
  const fields = { amountDecimal: '1.234', currencyCode: 'USD', occurredOn: '2099-01-01', categoryId: 'cat_1' };
  const facts = { cashboxes: [], category: { id: 'cat_1', kind: 'income', status: 'active' } } as const;
  expect(refused(fields, facts)).toEqual([
    'amountDecimal AMOUNT_PRECISION',
    'cashboxId NO_ELIGIBLE_CASHBOX',
    'categoryId CATEGORY_NOT_USABLE',
    'currencyCode CURRENCY_MISMATCH',
    'occurredOn OUT_OF_RANGE',
  ]);
});
