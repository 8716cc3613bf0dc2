import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';

/**
 * Erases the change and the salt of an event that has a sequence number. The hash of the event covers only digests, so the hash chain
 * stays valid. Only the owner of the table can run this function, because no role of the server may change an event. Row-level security
 * hides all events even from the owner, so the function suspends it for the owner during the update.
 * @returns true if the tracker has the event
 */
export async function redactEvent(
  tx: Transaction,
  event: { readonly trackerId: string; readonly sequence: number },
): Promise<boolean> {
  await query(tx, 'alter table app.events no force row level security');
  const rows = await query(
    tx,
    `update app.events set change = null, salt = null
     where tracker_id = cast(:trackerId as uuid) and sequence = cast(:sequence as bigint) returning sequence`,
    { ...event },
  );
  await query(tx, 'alter table app.events force row level security');
  return rows.length === 1;
}
