import type { Sweep } from '../../database/hourly-sweeps.js';
import { assumeJobRole, query } from '../../database/query.js';

/**
 * Returns a list with the hourly job that removes old events, but only events that have a sequence number. The list is empty if no
 * retention time is set.
 * @param retentionDays null to keep events forever
 * @source docs/additions.md, section 0.6
 */
export function eventSweeps(retentionDays: number | null): readonly Sweep[] {
  if (retentionDays === null) return [];
  const removeBatch: Sweep['removeBatch'] = async (tx, batch) => {
    await assumeJobRole(tx);
    const [row] = await query<{ removed: number }>(
      tx,
      'select app.remove_old_events(cast(:retentionDays as integer), cast(:batch as integer)) as removed',
      { retentionDays, batch },
    );
    return row?.removed ?? 0;
  };
  return [{ name: 'old events', removeBatch }];
}
