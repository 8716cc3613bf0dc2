import { earliestDate, isCalendarDate, isUuid, type Pagination, type SecurityEvent } from '@centavo/contracts';
import { validationError } from '../../api-error.js';
import { toActorView } from './changes.view.js';
import type { SecurityEventPosition, SecurityEventRow } from './security-events.queries.js';

/** Converts a row to the API's security event. */
export function toSecurityEventView(row: SecurityEventRow): SecurityEvent {
  return {
    id: row.id,
    type: row.action,
    occurredAt: row.occurred_at,
    resource: { type: row.resource_type, id: row.resource_id },
    actor: toActorView({ userId: row.user_id, credentialId: row.credential_id }),
    requestId: row.request_id,
    change: row.change,
  };
}

/**
 * Returns the rows to show and `meta.pagination`.
 * @param rows the rows of the page, and one more if there is another page
 */
export function describeSecurityEventPage(
  rows: readonly SecurityEventRow[],
  limit: number,
): { readonly shown: readonly SecurityEventRow[]; readonly pagination: Pagination } {
  const shown = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const last = shown.at(-1);
  const nextCursor =
    hasMore && last !== undefined ? formatSecurityEventCursor({ occurredAt: last.occurred_at, id: last.id }) : null;
  return {
    shown,
    pagination: { limit, offset: null, count: shown.length, total: null, hasMore, nextOffset: null, nextCursor },
  };
}

/** Returns the opaque cursor of a position. */
export function formatSecurityEventCursor({ occurredAt, id }: SecurityEventPosition): string {
  return Buffer.from(`${occurredAt} ${id}`).toString('base64url');
}

/**
 * Returns the position of a cursor.
 * @throws VALIDATION_ERROR (400) for a cursor that `formatSecurityEventCursor` cannot have returned
 */
export function parseSecurityEventCursor(cursor: string): SecurityEventPosition {
  const [occurredAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  // `Date.parse` accepts 31 February, which PostgreSQL rejects. Different base64url strings can decode to the same bytes; only the string
  // that this API issues is valid.
  const date = occurredAt.slice(0, 10);
  const isValid =
    /^[\d-]{10}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(occurredAt) &&
    !Number.isNaN(Date.parse(occurredAt)) &&
    isCalendarDate(date) &&
    date >= earliestDate &&
    isUuid(id) &&
    formatSecurityEventCursor({ occurredAt, id }) === cursor;
  if (isValid) return { occurredAt, id };
  throw validationError([
    {
      path: 'query.cursor',
      code: 'INVALID_FORMAT',
      message: 'Send the nextCursor of meta.pagination exactly as it was received.',
    },
  ]);
}
