import type { FinancialClient } from '@centavo/sdk';
import { isKeyReused, isKeyTaken } from './is-key-taken.js';
import type { PreparedPair, PreparedRow } from './prepare-rows.js';
import type { RecordOutcome } from './record-rows.js';

/**
 * Sends a row, or a pair as one transfer, under its key.
 *
 * A key that follows from the content is refused as reused where the row was recorded before with what its content does
 * not hold: another cashbox or category, such as one that the tracker did not have then. The row is there, and kept. An
 * id of the bank's may have been given to another transaction since, so there it is an error.
 *
 * A pair is two movements already if it was imported before without `--pair-transfers`, or one of its rows was before
 * the other had arrived. Movements are never deleted, so a transfer would then count the money twice: the rows stay
 * apart. After that question, and before the transfer, another import of the same rows could slip in; nothing else can,
 * and a transfer that was recorded is found again by its own key.
 *
 * @throws what the client throws
 */
export async function recordRow(client: FinancialClient, row: PreparedRow | PreparedPair): Promise<RecordOutcome> {
  const idempotencyKey = requireKey(row.key);
  if (row.outcome === 'prepared') {
    try {
      const { replayed } = await client.movements.create(row.body, { idempotencyKey }).withResponse();
      return replayed ? 'replayed' : 'created';
    } catch (error) {
      if (row.isKeyOfContent && isKeyReused(error)) return 'kept';
      throw error;
    }
  }
  for (const key of row.rowKeys) {
    if (await isKeyTaken(client, requireKey(key))) return 'apart';
  }
  const { replayed } = await client.transfers.create(row.body, { idempotencyKey }).withResponse();
  return replayed ? 'replayed' : 'created';
}

function requireKey(key: string | null): string {
  if (key === null) throw new Error('A row is sent that has no key.');
  return key;
}
