import type { Database } from '../../database/pool.js';
import { assumeJobRole, query } from '../../database/query.js';

/** The interval between two ticks of the numbering job, in milliseconds. */
const tickMs = 250;
/** The number of ticks between two runs for all {@link AwaitedTrackers}. These runs include events that other processes wrote. */
const awaitedTicks = 4;
/** The number of ticks between two runs for all trackers. */
const pendingTicks = 8;
const trackersPerTransaction = 20;
const transactionsMax = 1_000;

/** A job that assigns sequence numbers to events until it is closed. */
export interface Numbering {
  /** Stops the job. Resolves after the current transaction. Another process, or the job after a restart, numbers the remaining events. */
  close(): Promise<void>;
}

/** The trackers whose events this process should number soon, because requests wait for them. */
export interface AwaitedTrackers {
  readonly trackerIds: readonly string[];
  /** Returns the trackers to which this process has written since the last call. */
  takeWritten(): ReadonlySet<string>;
  /** Returns true if a request waits for events of the tracker. */
  isAwaited(trackerId: string): boolean;
  /** Wakes each request that waits for events of the tracker and read a lower head than `headSequence`, the number of the newest event. */
  wake(trackerId: string, headSequence: number): void;
}

/**
 * Assigns sequence numbers to the pending events of these trackers:
 * - every 250 ms, trackers to which this process wrote, if requests wait for their events or if `numbersEveryWrite` is set
 * - every second, all {@link AwaitedTrackers}, whether or not this process wrote to them
 * - every two seconds, all trackers
 *
 * Several processes may run this job. In runs for all trackers, a lock lets only one process number events at a time. If that process
 * dies, another process continues, because the job keeps no state except the pending events.
 * @param options.onPending called with the number of pending events after each run for all trackers
 * @param options.onFailure called when a run failed; the job tries again at the next tick
 * @source docs/additions.md, section 3.4
 */
export function startNumbering(options: {
  readonly database: Database;
  readonly awaited: AwaitedTrackers;
  /** True if the events of every write of this process are numbered soon, because webhooks may wait for them. */
  readonly numbersEveryWrite: boolean;
  readonly onPending: (count: number) => void;
  readonly onFailure: (error: unknown) => void;
}): Numbering {
  const { database, awaited, numbersEveryWrite, onPending, onFailure } = options;
  let isClosing = false;
  let running: Promise<void> | undefined;
  let ticks = 0;
  const run = async () => {
    ticks += 1;
    const written = [...awaited.takeWritten()].filter((trackerId) => numbersEveryWrite || awaited.isAwaited(trackerId));
    await numberAwaited(ticks % awaitedTicks === 0 ? [...new Set([...written, ...awaited.trackerIds])] : written);
    if (ticks % pendingTicks === 0) onPending(await numberAll());
  };
  const numberAwaited = async (trackerIds: readonly string[]) => {
    for (let start = 0; start < trackerIds.length && !isClosing; start += trackersPerTransaction) {
      const heads = await numberAndReadHeads(database, trackerIds.slice(start, start + trackersPerTransaction));
      for (const { trackerId, sequence } of heads) awaited.wake(trackerId, sequence);
    }
  };
  const numberAll = async () => {
    for (let count = 0; count < transactionsMax && !isClosing; count += 1) {
      if ((await numberPendingTrackers(database)) < trackersPerTransaction) break;
    }
    return countPendingEvents(database);
  };
  const timer = setInterval(() => {
    running ??= run()
      .catch(onFailure)
      .finally(() => {
        running = undefined;
      });
  }, tickMs);
  timer.unref();
  return {
    async close() {
      isClosing = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Assigns numbers to at most 1,000 pending events of each given tracker. Returns the newest number of each tracker that has events. */
export async function numberAndReadHeads(
  database: Database,
  trackerIds: readonly string[],
): Promise<{ readonly trackerId: string; readonly sequence: number }[]> {
  return database.transaction({ readOnly: false }, async (tx) => {
    await assumeJobRole(tx);
    const rows = await query<{ tracker_id: string; sequence: string }>(
      tx,
      'select tracker_id, sequence from app.number_and_read_heads(cast(:trackerIds as uuid[]))',
      { trackerIds },
    );
    return rows.map(({ tracker_id, sequence }) => ({ trackerId: tracker_id, sequence: Number(sequence) }));
  });
}

/** Assigns numbers to the pending events of at most `trackersPerTransaction` trackers. Returns the number of these trackers. */
async function numberPendingTrackers(database: Database): Promise<number> {
  return database.transaction({ readOnly: false }, async (tx) => {
    await assumeJobRole(tx);
    const [row] = await query<{ count: number }>(
      tx,
      'select app.number_pending_trackers(cast(:trackersMax as integer)) as count',
      { trackersMax: trackersPerTransaction },
    );
    return row?.count ?? 0;
  });
}

async function countPendingEvents(database: Database): Promise<number> {
  return database.transaction({ readOnly: true }, async (tx) => {
    await assumeJobRole(tx);
    const [row] = await query<{ count: string }>(tx, 'select app.count_pending_events() as count');
    return Number(row?.count ?? 0);
  });
}
