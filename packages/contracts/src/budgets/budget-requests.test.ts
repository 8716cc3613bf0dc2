import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import { addBudgetLineBody, budgetFilters, createBudgetBody } from './budget-requests.js';

const line = { categoryId: 'cat_1', plannedDecimal: '100' };
const minimal = { name: 'March', mode: 'tracking', periodStart: '2026-03-01', periodEnd: '2026-03-31' };

describe('POST /budgets', () => {
  test.each([
    [{}],
    [{ mode: 'planning', currencyCode: 'EUR', lines: [line] }],
    [{ periodEnd: '2026-03-01' }],
    [{ periodStart: '2030-01-01', periodEnd: '2039-12-31' }],
    [{ currencyCode: null, lines: null }],
    [{ lines: Array.from({ length: 200 }, () => line) }],
    // @proves contract 4: POST /budgets
    // @proves contract 10a: Budgets
  ])('accepts a budget with %j', (fields) => {
    expect(issuesOf(createBudgetBody, { ...minimal, ...fields })).toEqual([]);
  });

  test.each([
    ['a budget without a name', { name: undefined }, ['name REQUIRED']],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, ['name TOO_LONG']],
    ['a budget without a mode', { mode: undefined }, ['mode REQUIRED']],
    ['an unknown mode', { mode: 'saving' }, ['mode INVALID_FORMAT']],
    [
      'a budget without a period',
      { periodStart: undefined, periodEnd: undefined },
      ['periodEnd REQUIRED', 'periodStart REQUIRED'],
    ],
    // @proves contract 4: POST /budgets
    ['a period that ends before it starts', { periodEnd: '2026-02-28' }, ['periodEnd OUT_OF_RANGE']],
    ['an unknown currency', { currencyCode: 'ZZZ' }, ['currencyCode UNKNOWN_CURRENCY']],
    // @proves contract 4: POST /budgets
    ['201 lines', { lines: Array.from({ length: 201 }, () => line) }, ['lines OUT_OF_RANGE']],
    // @proves contract 3: Budget status
    ['a status, which the server derives', { status: 'active' }, ['status UNKNOWN_FIELD']],
    [
      'an invalid line, and reports its position',
      { lines: [line, { ...line, plannedDecimal: '-1', x: 1 }] },
      ['lines.1.plannedDecimal INVALID_FORMAT', 'lines.1.x UNKNOWN_FIELD'],
    ],
    [
      'an empty name and a period that ends before it starts, and reports both issues',
      { name: '', periodEnd: '2026-02-28' },
      ['name REQUIRED', 'periodEnd OUT_OF_RANGE'],
    ],
  ])('refuses %s', (_, fields, issues) => {
    expect(issuesOf(createBudgetBody, { ...minimal, ...fields })).toEqual(issues);
  });
});

describe('POST /budgets/{budgetId}/lines', () => {
  test.each([
    [{}],
    [{ type: 'income', note: 'Salary\nof March' }],
    [{ plannedDecimal: '0' }],
    [{ type: null, note: null }],
    // @proves contract 4: POST /budgets/{id}/lines
  ])('accepts a line with %j', (fields) => {
    expect(issuesOf(addBudgetLineBody, { ...line, ...fields })).toEqual([]);
  });

  test.each([
    [{ categoryId: undefined }, ['categoryId REQUIRED']],
    [{ plannedDecimal: undefined }, ['plannedDecimal REQUIRED']],
    [{ plannedDecimal: 100 }, ['plannedDecimal INVALID_FORMAT']],
    [{ plannedDecimal: '-0.01' }, ['plannedDecimal INVALID_FORMAT']],
    [{ plannedDecimal: '1.00000' }, ['plannedDecimal AMOUNT_PRECISION']],
    [{ type: 'any' }, ['type INVALID_FORMAT']],
    [{ note: 'x'.repeat(501) }, ['note TOO_LONG']],
    [{ description: 'x' }, ['description UNKNOWN_FIELD']],
    // @proves contract 4: POST /budgets/{id}/lines
  ])('refuses a line with %j and reports the issues %j', (fields, issues) => {
    expect(issuesOf(addBudgetLineBody, { ...line, ...fields })).toEqual(issues);
  });
});

describe('GET /budgets', () => {
  test.each([
    [{}, []],
    [{ mode: 'planning', status: 'closed' }, []],
    [{ mode: 'x', status: 'open' }, ['mode INVALID_FORMAT', 'status INVALID_FORMAT']],
    [{ limit: '5' }, ['limit UNKNOWN_FIELD']],
    // @proves spec, Budgets: GET · /budgets?mode=&status=
    // @proves contract 4: GET /budgets
  ])('validates the query %j, and reports exactly the issues %j', (query, issues) => {
    expect(issuesOf(budgetFilters, query)).toEqual(issues);
  });
});
