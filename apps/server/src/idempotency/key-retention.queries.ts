import type { Sweep } from '../database/hourly-sweeps.js';
import { assumeRole, query } from '../database/query.js';

/**
 * Returns the sweep that removes the idempotency keys that are older than the operator wants them, and none where keys are kept
 * for ever. A retry that comes later than this is a new operation.
 * @source contract, section 6
 */
export function sweepsOfOldKeys(retentionDays: number | null): readonly Sweep[] {
  if (retentionDays === null) return [];
  const removeBatch: Sweep['removeBatch'] = async (tx, batch) => {
    await assumeRole(tx, 'centavo_identity');
    const [row] = await query<{ removed: number }>(
      tx,
      'select app.forget_old_idempotency_keys(cast(:retentionDays as integer), cast(:batch as integer)) as removed',
      { retentionDays, batch },
    );
    return row?.removed ?? 0;
  };
  return [{ what: 'old idempotency keys', removeBatch }];
}
