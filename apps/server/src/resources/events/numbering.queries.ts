import type { Database } from '../../database/pool.js';
import { assumeRole, query } from '../../database/query.js';

const trackersPerTransaction = 20;
const transactionsMax = 1_000;

/** A job that runs until it is closed. */
export interface Numbering {
  /** Resolves after the current transaction. What is left is numbered after the next start. */
  close(): Promise<void>;
}

/**
 * Numbers the pending events of all trackers now and after each interval. Several processes may do this, because one of them is
 * elected for each transaction. If it dies, another one goes on: the pending events are the whole state.
 * @param options.onFailure called when a run failed; the next one begins after the interval
 * @source additions, section 3.4
 */
export function startNumbering(options: {
  readonly database: Database;
  readonly intervalMs: number;
  readonly onFailure: (error: unknown) => void;
}): Numbering {
  const { database, intervalMs, onFailure } = options;
  let isClosing = false;
  let running: Promise<void> | undefined;
  const run = async () => {
    for (let count = 0; count < transactionsMax && !isClosing; count += 1) {
      if ((await numberPendingTrackers(database)) < trackersPerTransaction) return;
    }
  };
  const timer = setInterval(() => {
    running ??= run()
      .catch(onFailure)
      .finally(() => {
        running = undefined;
      });
  }, intervalMs);
  timer.unref();
  return {
    async close() {
      isClosing = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Numbers events of some trackers, and returns how many trackers had any. */
async function numberPendingTrackers(database: Database): Promise<number> {
  return database.transaction({ readOnly: false }, async (tx) => {
    await assumeRole(tx, 'centavo_identity');
    const [row] = await query<{ count: number }>(
      tx,
      'select app.number_pending_trackers(cast(:trackersMax as integer)) as count',
      { trackersMax: trackersPerTransaction },
    );
    return row?.count ?? 0;
  });
}
