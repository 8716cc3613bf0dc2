import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import { movementFilters, summaryFilters } from './movement-filters.js';

const id = '0190f2a0-0000-7000-8000-00000000000a';

describe('the filters of GET /movements', () => {
  // @proves contract 4: GET /movements
  test('are all optional; by default, the limit is 50, no total is counted, and voided movements are excluded', () => {
    expect(movementFilters.parse({})).toEqual({ limit: 50, includeTotal: false, includeVoided: false });
  });

  test('can be combined', () => {
    const query = {
      type: 'expense',
      kind: 'regular',
      categoryIds: 'a,b',
      accountId: id.toUpperCase(),
      cashboxId: id,
      from: '2026-01-01',
      to: '2026-12-31',
      limit: '200',
      offset: '100000',
      externalId: 'Row-1',
      includeVoided: 'true',
      includeTotal: 'true',
    };
    expect(movementFilters.parse(query)).toEqual({
      ...query,
      accountId: id,
      categoryIds: ['a', 'b'],
      limit: 200,
      offset: 100_000,
      includeVoided: true,
      includeTotal: true,
    });
  });

  test('convert categoryId to a list with one id', () => {
    expect(movementFilters.parse({ categoryId: 'cat_1' }).categoryIds).toEqual(['cat_1']);
  });

  // @proves spec, Movements and transfers: categoryIds
  // @proves spec, Limits: categoryIds
  test('accept five category ids, and remove repeated ids', () => {
    expect(movementFilters.parse({ categoryIds: 'a,b,c,d,e' }).categoryIds).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(movementFilters.parse({ categoryIds: 'a,b,a' }).categoryIds).toEqual(['a', 'b']);
  });

  test.each([
    [{ limit: '1', offset: '0' }],
    [{ from: '2026-01-01', to: '2026-01-01' }],
    [{ from: '2026-01-01' }],
    [{ to: '2026-01-01' }],
    [{ cursor: 'abc', limit: '10' }],
    [{ includeTotal: 'false' }],
  ])('accept %j', (query) => {
    expect(issuesOf(movementFilters, query)).toEqual([]);
  });

  test.each([
    [{ type: 'transfer' }, ['type INVALID_FORMAT']],
    [{ kind: 'expense' }, ['kind INVALID_FORMAT']],
    [{ categoryId: 'a,b' }, ['categoryId INVALID_FORMAT']],
    [{ categoryIds: '' }, ['categoryIds INVALID_FORMAT']],
    [{ categoryIds: 'a,' }, ['categoryIds INVALID_FORMAT']],
    [{ categoryIds: 'a, b' }, ['categoryIds INVALID_FORMAT']],
    [{ categoryIds: 'a,b,c,d,e,f' }, ['categoryIds OUT_OF_RANGE']],
    [{ accountId: 'x' }, ['accountId INVALID_FORMAT']],
    [{ cashboxId: '' }, ['cashboxId INVALID_FORMAT']],
    [{ from: '2026-02-30' }, ['from INVALID_FORMAT']],
    [{ to: '1899-12-31' }, ['to OUT_OF_RANGE']],
    [{ limit: '0' }, ['limit OUT_OF_RANGE']],
    [{ limit: '201' }, ['limit OUT_OF_RANGE']],
    [{ limit: '-1' }, ['limit OUT_OF_RANGE']],
    [{ limit: '9'.repeat(30) }, ['limit OUT_OF_RANGE']],
    [{ limit: '1.5' }, ['limit INVALID_FORMAT']],
    [{ limit: '1e2' }, ['limit INVALID_FORMAT']],
    [{ limit: '' }, ['limit INVALID_FORMAT']],
    [{ offset: '100001' }, ['offset OUT_OF_RANGE']],
    [{ offset: 'first' }, ['offset INVALID_FORMAT']],
    [{ cursor: 'x'.repeat(501) }, ['cursor TOO_LONG']],
    [{ includeTotal: '1' }, ['includeTotal INVALID_FORMAT']],
    [{ includeVoided: '1' }, ['includeVoided INVALID_FORMAT']],
    [{ externalId: ' ' }, ['externalId INVALID_FORMAT']],
    [{ externalId: 'x'.repeat(201) }, ['externalId TOO_LONG']],
    [{ page: '2' }, ['page UNKNOWN_FIELD']],
    // @proves spec, Movements and transfers: type
    // @proves spec, Limits: categoryIds
    // @proves contract 4: GET /movements
  ])('refuse %j and report the issues %j', (query, issues) => {
    expect(issuesOf(movementFilters, query)).toEqual(issues);
  });

  test.each([
    [{ categoryId: 'a', categoryIds: 'a,b' }, ['categoryIds FILTER_CONFLICT']],
    [{ cursor: 'abc', offset: '0' }, ['cursor FILTER_CONFLICT']],
    [{ from: '2026-01-02', to: '2026-01-01' }, ['from FILTER_CONFLICT']],
    // @proves spec, Movements and transfers: categoryId
    // @proves contract 4: GET /movements
    // @proves contract 10a: Ids
  ])('refuse filters that conflict with each other: %j', (query, issues) => {
    expect(issuesOf(movementFilters, query)).toEqual(issues);
  });

  test('report conflicts between filters together with the issues of each filter', () => {
    const query = {
      categoryId: 'a',
      categoryIds: 'b',
      cursor: 'c',
      offset: '1',
      limit: '0',
      from: '2026-02-30',
      x: '',
    };
    expect(issuesOf(movementFilters, query)).toEqual([
      'categoryIds FILTER_CONFLICT',
      'cursor FILTER_CONFLICT',
      'from INVALID_FORMAT',
      'limit OUT_OF_RANGE',
      'x UNKNOWN_FIELD',
    ]);
  });
});

describe('the query of GET /movements/summary', () => {
  test('requires groupBy, and has a limit of 100 by default', () => {
    expect(issuesOf(summaryFilters, {})).toEqual(['groupBy REQUIRED']);
    expect(summaryFilters.parse({ groupBy: 'month' })).toEqual({ groupBy: 'month', limit: 100 });
  });

  test.each<[query: Record<string, string>, issues: string[]]>([
    [{ groupBy: 'day' }, ['groupBy INVALID_FORMAT']],
    [{ groupBy: 'month', limit: '1001' }, ['limit OUT_OF_RANGE']],
    [{ groupBy: 'month', currencyCode: 'eur' }, ['currencyCode INVALID_FORMAT']],
    [{ groupBy: 'month', categoryId: 'a', categoryIds: 'b' }, ['categoryIds FILTER_CONFLICT']],
    [{ groupBy: 'month', from: '2026-01-02', to: '2026-01-01' }, ['from FILTER_CONFLICT']],
    ...['kind', 'includeVoided', 'externalId', 'offset', 'cursor', 'includeTotal'].map(
      (name): [Record<string, string>, string[]] => [{ groupBy: 'month', [name]: 'x' }, [`${name} UNKNOWN_FIELD`]],
    ),
  ])('rejects %j and reports the issues %j', (query, issues) => {
    expect(issuesOf(summaryFilters, query)).toEqual(issues);
  });
});
