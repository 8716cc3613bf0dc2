import type { Pagination } from '@centavo/contracts';
import type { Movement } from '../money/record-types.js';
import { invalid } from './fake-refusal.js';

/** Returns one page of movements as GET /movements does: filtered, in the API's order, starting after the cursor or at the offset. */
export function pageOfMovements(
  movements: readonly Movement[],
  query: URLSearchParams,
): { readonly rows: readonly Movement[]; readonly pagination: Pagination } {
  const found = movements.filter((movement) => matches(movement, query)).sort(newestFirst);
  const limit = wholeNumber(query, 'limit', { min: 1, max: 200, otherwise: 50 });
  const cursor = query.get('cursor');
  const offset = wholeNumber(query, 'offset', { min: 0, max: 100_000, otherwise: 0 });
  if (cursor !== null && query.has('offset')) {
    throw invalid({ path: 'query.cursor', code: 'FILTER_CONFLICT', message: 'Send cursor or offset, not both.' });
  }
  const rest = cursor === null ? found.slice(offset) : found.filter((movement) => positionOf(movement) < parse(cursor));
  const rows = rest.slice(0, limit);
  const hasMore = rest.length > limit;
  const last = rows.at(-1);
  const pagination: Pagination = {
    limit,
    offset: cursor === null ? offset : null,
    count: rows.length,
    total: query.get('includeTotal') === 'true' ? found.length : null,
    hasMore,
    nextOffset: cursor === null && hasMore ? offset + limit : null,
    nextCursor: hasMore && last !== undefined ? btoa(positionOf(last)) : null,
  };
  return { rows, pagination };
}

/**
 * Returns the sort key: `occurredOn`, `createdAt`, `id`. No two movements have the same key. A cursor contains the key of the last row
 * of a page, so new movements do not change where the next page starts.
 */
function positionOf({ occurredOn, createdAt, id }: Movement): string {
  return `${occurredOn} ${createdAt} ${id}`;
}

function newestFirst(one: Movement, other: Movement): number {
  return positionOf(one) < positionOf(other) ? 1 : -1;
}

function parse(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    throw invalid({ path: 'query.cursor', code: 'INVALID_FORMAT', message: 'Send nextCursor unchanged.' });
  }
}

function matches(movement: Movement, query: URLSearchParams): boolean {
  if (movement.voidedAt !== null && query.get('includeVoided') !== 'true') return false;
  for (const name of ['type', 'kind', 'accountId', 'cashboxId', 'categoryId', 'externalId'] as const) {
    if (query.has(name) && query.get(name) !== movement[name]) return false;
  }
  const categoryIds = query.get('categoryIds')?.split(',');
  if (categoryIds !== undefined && !categoryIds.includes(movement.categoryId ?? '')) return false;
  return movement.occurredOn >= (query.get('from') ?? '') && movement.occurredOn <= (query.get('to') ?? '9999-12-31');
}

function wholeNumber(
  query: URLSearchParams,
  name: string,
  range: { readonly min: number; readonly max: number; readonly otherwise: number },
): number {
  const text = query.get(name);
  if (text === null) return range.otherwise;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw invalid({ path: `query.${name}`, code: 'OUT_OF_RANGE', message: `Send ${range.min} to ${range.max}.` });
}
