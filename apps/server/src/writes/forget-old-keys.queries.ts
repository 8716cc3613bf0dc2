import type { Database } from '../database/database.js';
import { assumeRole, query } from '../database/query.js';

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
      const [, [row]] = await Promise.all([
        assumeRole(tx, 'centavo_identity'),
        query<{ removed: number }>(
          tx,
          `select app.forget_old_idempotency_keys(cast(:retentionDays as integer), cast(:batch as integer)) as removed`,
          { retentionDays, batch },
        ),
      ]);
      return row?.removed ?? 0;
    });
    total += removed;
    if (removed < batch) return total;
  }
}
