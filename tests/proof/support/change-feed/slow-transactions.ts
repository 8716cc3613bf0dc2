import { randomUUID } from 'node:crypto';
import { connectAsOwner } from '../crash-postgres.js';
import type { Progress } from '../progress.js';
import type { SeededRandom } from '../seeded-random.js';

/**
 * For each tracker, the ids of the events that slow transactions inserted. If the id of an event is in neither map, the outcome of its
 * COMMIT is unknown.
 */
export interface SlowEvents {
  readonly committed: Map<string, string[]>;
  readonly rolledBack: Map<string, string[]>;
}

/**
 * Inserts pending events in transactions that stay open while other writes commit. Each transaction then commits or rolls back. So the
 * place of an event in the order of insertion is fixed long before the event is committed.
 */
export async function writeSlowly(options: {
  readonly connectionString: string;
  readonly tenants: readonly { readonly trackerId: string; readonly userId: string }[];
  /** The number of other writes that commit while a transaction is open. */
  readonly writesMeanwhile: number;
  readonly progress: Progress;
  readonly random: SeededRandom;
  readonly events: SlowEvents;
}): Promise<void> {
  const { connectionString, tenants, writesMeanwhile, progress, random, events } = options;
  for (let turn = 0; await progress.waitFor(turn * writesMeanwhile); turn += 1) {
    const { trackerId = '', userId = '' } = tenants[turn % tenants.length] ?? {};
    const id = randomUUID();
    const end = random.hits(0.6) ? 'commit' : 'rollback';
    let isEnding = false;
    const client = await connectAsOwner(connectionString).catch(() => undefined);
    try {
      await client?.query('begin');
      await client?.query(
        `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id)
         values ($1, $2, $3, 'tracker.updated', 'tracker', $4, $2)`,
        [trackerId, id, userId, trackerId],
      );
      await progress.waitFor((turn + 1) * writesMeanwhile);
      isEnding = true;
      await client?.query(end);
      if (client !== undefined) add(end === 'commit' ? events.committed : events.rolledBack, trackerId, id);
    } catch {
      // A crash of PostgreSQL rolls the transaction back. If it crashes during COMMIT, the outcome is unknown.
      if (!isEnding || end === 'rollback') add(events.rolledBack, trackerId, id);
    } finally {
      await client?.end();
    }
  }
}

function add(ids: Map<string, string[]>, trackerId: string, id: string): void {
  ids.set(trackerId, [...(ids.get(trackerId) ?? []), id]);
}
