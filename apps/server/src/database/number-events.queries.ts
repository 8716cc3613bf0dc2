import { query } from './query.js';
import type { ContextValue } from './statement.js';
import type { Transaction } from './transaction.js';

/** The maximum number of pending events that one call numbers by default. */
export const numberedMax = 1000;

/** Numbers up to `max` pending events of a tracker, and returns their count. */
export async function numberEvents(
  tx: Transaction,
  trackerId: string | ContextValue,
  max = numberedMax,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'select app.number_events(cast(:trackerId as uuid), cast(:max as integer)) as count',
    { trackerId, max },
  );
  return row?.count ?? 0;
}
