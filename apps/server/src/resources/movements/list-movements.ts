import { type movementFilters, type Pagination, pageOffsetMax } from '@centavo/contracts';
import type * as z from 'zod';
import { validationError } from '../../api-error.js';
import { formatMovementCursor, type MovementPosition, parseMovementCursor } from './movement-cursor.js';
import type { ListedMovement } from './movements.view.js';

type Filters = z.output<typeof movementFilters>;

/**
 * Returns the start of a page: after the position of the cursor, or at an offset.
 * @throws VALIDATION_ERROR (400) for a malformed cursor
 */
export function choosePageStart(filters: Filters): {
  readonly after: MovementPosition | null;
  readonly offset: number;
} {
  if (filters.cursor === undefined) return { after: null, offset: filters.offset ?? 0 };
  const after = parseMovementCursor(filters.cursor);
  if (after === undefined) {
    throw validationError([
      { path: 'query.cursor', code: 'INVALID_FORMAT', message: 'Send nextCursor of the previous page, unchanged.' },
    ]);
  }
  return { after, offset: 0 };
}

/**
 * Returns the page and its `meta.pagination`. If there is another page, `page.rows` has one row more than the limit.
 * With a cursor, `offset` and `nextOffset` are null.
 * @source docs/contract.md, sections 3 and 10a
 */
export function describePage(page: {
  readonly filters: Filters;
  readonly rows: readonly ListedMovement[];
  readonly total: number | null;
}): { readonly shown: readonly ListedMovement[]; readonly pagination: Pagination } {
  const { limit, cursor, offset = 0 } = page.filters;
  const shown = page.rows.slice(0, limit);
  const hasMore = page.rows.length > limit;
  const last = shown.at(-1);
  return {
    shown,
    pagination: {
      limit,
      offset: cursor === undefined ? offset : null,
      count: shown.length,
      total: page.total,
      hasMore,
      // Pages beyond the largest offset can only be reached by cursor.
      nextOffset: cursor === undefined && hasMore && offset + limit <= pageOffsetMax ? offset + limit : null,
      nextCursor:
        hasMore && last !== undefined
          ? formatMovementCursor({
              occurredOn: last.occurred_on,
              createdAt: last.created_at,
              id: last.id,
            })
          : null,
    },
  };
}
