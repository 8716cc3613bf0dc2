import { query } from './query.js';
import type { ContextValue } from './statement.js';
import type { Transaction } from './transaction.js';

/** The default limit of `numberEvents`: the maximum number of events to which one call assigns sequence numbers. */
export const numberEventsMax = 1000;

/** Assigns sequence numbers to at most `max` pending events of a tracker, and returns the count of these events. */
export async function numberEvents(
  tx: Transaction,
  trackerId: string | ContextValue,
  max = numberEventsMax,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'select app.number_events(cast(:trackerId as uuid), cast(:max as integer)) as count',
    { trackerId, max },
  );
  return row?.count ?? 0;
}
