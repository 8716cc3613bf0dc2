import { movementFilters } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { summarizeThrown } from '../../../test-support/thrown-api-error.js';
import { choosePageStart, describePage } from './list-movements.js';
import { formatMovementCursor, parseMovementCursor } from './movement-cursor.js';
import type { ListedMovement } from './movements.view.js';

const row = (number: number): ListedMovement => ({
  id: `0190f2a0-0000-7000-8000-${String(number).padStart(12, '0')}`,
  type: 'expense',
  amount: '1.0000',
  currency_code: 'EUR',
  account_id: 'a',
  cashbox_id: 'b',
  category_id: 'cat_unknown',
  occurred_on: '2026-03-01',
  description: null,
  merchant_name: null,
  transfer_group_id: null,
  external_id: null,
  source_type: 'user',
  source_id: 'u',
  version: 1,
  voided_at: null,
  created_at: new Date(number).toISOString(),
  updated_at: null,
});
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));
const cursor = formatMovementCursor({
  occurredOn: '2026-03-01',
  createdAt: '2026-03-01T12:00:00.000Z',
  id: '0190f2a0-0000-7000-8000-00000000000a',
});

const describeRows = (query: object, count: number, total: number | null = null) =>
  describePage({ filters: movementFilters.parse(query), rows: rows(count), total });

describe('a page of movements by offset', () => {
  // @proves spec, Movements and transfers: limit, offset
  // @proves contract 3: meta.pagination
  test('has the offset and the cursor of the next page if more movements follow', () => {
    const { shown, pagination } = describeRows({ limit: '2', offset: '4' }, 3, 9);
    expect(shown.map(({ id }) => id)).toEqual(rows(2).map(({ id }) => id));
    expect(pagination).toMatchObject({ limit: 2, offset: 4, count: 2, total: 9, hasMore: true, nextOffset: 6 });
    expect(parseMovementCursor(pagination.nextCursor ?? '')).toEqual({
      occurredOn: '2026-03-01',
      createdAt: '1970-01-01T00:00:00.001Z',
      id: row(1).id,
    });
  });

  test.each([0, 1, 2])('is the last page if the limit is 2 and the query finds %i rows', (count) => {
    expect(describeRows({ limit: '2' }, count)).toMatchObject({
      shown: rows(count),
      pagination: { offset: 0, count, total: null, hasMore: false, nextOffset: null, nextCursor: null },
    });
  });
});

describe('a page of movements by cursor', () => {
  // @proves contract 10a: Paging
  test('has no offsets, but has a next cursor if more movements follow', () => {
    expect(describeRows({ limit: '2', cursor }, 3).pagination).toMatchObject({
      offset: null,
      count: 2,
      hasMore: true,
      nextOffset: null,
      nextCursor: expect.any(String),
    });
  });

  // @proves contract 10a: Paging
  test('has no next cursor if no more movements follow', () => {
    expect(describeRows({ limit: '2', cursor }, 2).pagination).toMatchObject({
      offset: null,
      hasMore: false,
      nextOffset: null,
      nextCursor: null,
    });
  });
});

describe('choosePageStart', () => {
  test('returns the offset or cursor position from the query, or offset 0 if the query has neither', () => {
    const start = (query: object) => choosePageStart(movementFilters.parse(query));
    expect(start({})).toEqual({ after: null, offset: 0 });
    expect(start({ offset: '40' })).toEqual({ after: null, offset: 40 });
    expect(start({ cursor })).toEqual({ after: parseMovementCursor(cursor), offset: 0 });
  });

  test('throws INVALID_FORMAT for a malformed cursor', () => {
    expect(summarizeThrown(() => choosePageStart(movementFilters.parse({ cursor: 'abc' })))).toEqual([
      'query.cursor INVALID_FORMAT',
    ]);
  });
});
