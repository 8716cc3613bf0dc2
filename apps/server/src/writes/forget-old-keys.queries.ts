import type { Database } from '../database/database.js';
import { query } from '../database/query.js';

const batch = 1000;

/**
 * Removes the idempotency keys that are older than the operator wants them, a batch a transaction. A retry that comes later
 * than this is a new operation. Source: contract, section 6
 * @returns how many were removed
 */
export async function forgetOldKeys(database: Database, retentionDays: number): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await database.transaction({ readOnly: false }, async (tx) => {
      const [row] = await query<{ removed: number }>(
        tx,
        `select set_config('role', 'centavo_definer', true),
           app.forget_idempotency_keys(make_interval(days => cast(:retentionDays as integer)), cast(:batch as integer)) as removed`,
        { retentionDays, batch },
      );
      return row?.removed ?? 0;
    });
    total += removed;
    if (removed < batch) return total;
  }
}
