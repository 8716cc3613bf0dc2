import { changesWindow, type EventPosition, encodeEventCursor, type FeedMeta } from '@centavo/contracts';
import { type ApiError, stateConflict } from '../../api-error.js';
import { numberEventsMax } from '../../database/number-events.queries.js';
import type { EventHead, EventPage } from './event-page.queries.js';

/**
 * Requires that a cursor is a position in the history of this tracker, and that no event after it was removed. Without a cursor
 * the position is the beginning. Pure.
 * @throws STATE_CONFLICT (409) `cursor_expired` when events after the position were removed, `cursor_diverged` when the history does not
 *   contain the event of the cursor
 * @source docs/additions.md, section 3.7
 */
export function requireSameHistory(
  position: EventPosition | undefined,
  { head, hashBefore }: { readonly head: EventHead; readonly hashBefore: string | null },
): void {
  const { sequence, hashPrefix } = position ?? { sequence: 0, hashPrefix: undefined };
  if (sequence < head.floorSequence) throw cursorExpired();
  if (hashPrefix === undefined) return;
  const hash = sequence === head.floorSequence ? head.floorHash : hashBefore;
  if (sequence > head.sequence || hash?.startsWith(hashPrefix) !== true) throw cursorDiverged();
}

/**
 * Returns `meta.feed` of a page of changes: the position at the end of the page, and whether more events follow. Pure.
 * @param read.numbered the number of events to which this request assigned sequence numbers before it read the page; if this number equals
 *   `numberEventsMax`, there may be more events without a sequence number
 * @source docs/additions.md, section 3.5
 */
export function describeFeed(
  read: Pick<EventPage, 'head' | 'events' | 'hashAtWindowEnd'> & { readonly numbered: number },
  page: { readonly after: number; readonly limit: number },
): FeedMeta {
  const { head, events, hashAtWindowEnd } = read;
  const last = events.length === page.limit ? events.at(-1) : undefined;
  const windowEnd = hashAtWindowEnd === null ? head : { sequence: page.after + changesWindow, hash: hashAtWindowEnd };
  const position = last ?? windowEnd;
  return {
    cursor: encodeEventCursor(position),
    hasMore: position.sequence < head.sequence || read.numbered === numberEventsMax,
    headSequence: head.sequence,
  };
}

const restartText =
  'Start again: take the cursor of GET /changes?from=now, read all resources, and continue from that cursor.';

/** Returns the 409 error for a cursor after which retention has removed events. */
export function cursorExpired(): ApiError {
  const message = `The server has removed events after this position. ${restartText}`;
  return stateConflict('cursor_expired', message, { restart: true });
}

function cursorDiverged(): ApiError {
  const message = `The history of this tracker does not contain the event of the cursor. ${restartText}`;
  return stateConflict('cursor_diverged', message, { restart: true });
}
