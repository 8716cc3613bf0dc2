import {
  type AuditEvent,
  type AuditHead,
  type EventPosition,
  encodeEventCursor,
  type Pagination,
} from '@centavo/contracts';
import { numberEventsMax } from '../../database/number-events.queries.js';
import type { AuditPage, AuditRow } from './audit-page.queries.js';
import { toActorView } from './changes.view.js';
import { requireSameHistory } from './event-history.rules.js';

/** Converts an event to the API's entry of the audit trail. */
export function toAuditEventView(event: AuditRow): AuditEvent {
  return {
    sequence: event.sequence,
    id: event.id,
    type: event.type,
    occurredAt: event.occurredAt,
    resource: { type: event.resourceType, id: event.resourceId },
    actor: toActorView(event),
    requestId: event.requestId,
    change: event.change,
    userId: event.userId,
    credentialId: event.credentialId,
    previousHash: event.previousHash,
    hash: event.hash,
    changeDigest: event.changeDigest,
    stateDigest: event.stateDigest,
    salt: event.salt,
  };
}

/** Converts the head of a tracker's hash chain to the API's audit head. */
export function toAuditHeadView({
  sequence,
  hash,
  occurredAt,
  floorSequence,
  floorHash,
}: AuditPage['head']): AuditHead {
  return { sequence, hash, occurredAt, floorSequence, floorHash };
}

/**
 * Returns the events to show and `meta.pagination`. Without the filter `resourceId`, a page examines at most `auditWindow` event numbers.
 * If more of the examined events match than fit on the page, the next page starts after the last event shown. If all of them fit, the next
 * page (if there is one) starts after the last examined number.
 * @param read.numbered the number of events to which this request assigned sequence numbers before it read the page; if this number equals
 *   `numberEventsMax`, there may be more events without a sequence number
 * @throws STATE_CONFLICT (409) `cursor_expired` when events after the cursor were removed, `cursor_diverged` when the history does not
 *   contain the event of the cursor
 * @source docs/additions.md, section 4.2
 */
export function describeAuditPage(
  read: AuditPage & { readonly numbered: number },
  page: { readonly cursor: EventPosition | undefined; readonly order: 'asc' | 'desc'; readonly limit: number },
): { readonly shown: readonly AuditRow[]; readonly pagination: Pagination } {
  const { cursor, order, limit } = page;
  if (cursor !== undefined) requireSameHistory(cursor, read);
  const shown = read.events.slice(0, limit);
  const next = nextPosition(read, { order, limit });
  return {
    shown,
    pagination: {
      limit,
      offset: null,
      count: shown.length,
      total: null,
      hasMore: next !== undefined,
      nextOffset: null,
      nextCursor: next === undefined ? null : encodeEventCursor(next),
    },
  };
}

/** Returns the position after which the next page begins, or undefined for the last page. */
function nextPosition(
  { events, windowEnd, head, numbered }: AuditPage & { readonly numbered: number },
  { order, limit }: { readonly order: 'asc' | 'desc'; readonly limit: number },
): { readonly sequence: number; readonly hash: string } | undefined {
  if (events.length > limit) return events[limit - 1];
  const isAscending = order === 'asc';
  const end = isAscending ? head.sequence : head.floorSequence + 1;
  if (windowEnd !== null && windowEnd.sequence !== end) return windowEnd;
  return isAscending && numbered === numberEventsMax ? head : undefined;
}
