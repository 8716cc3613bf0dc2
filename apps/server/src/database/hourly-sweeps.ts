import type { Database } from './pool.js';
import type { Transaction } from './transaction.js';

const intervalMs = 3_600_000;
const batchSize = 1000;

/** Removes old rows of one kind. */
export interface Sweep {
  /** The name of the rows in log messages, such as `old sessions`. */
  readonly name: string;
  /**
   * Removes at most `batchSize` rows, skips locked rows, and returns the number of removed rows. If this number is less than `batchSize`,
   * no removable row is left.
   */
  readonly removeBatch: (tx: Transaction, batchSize: number) => Promise<number>;
}

/** Sweeps that run every hour until they are closed. */
export interface HourlySweeps {
  /** Resolves when the sweeps that have begun, or wait for their turn, have ended. */
  settled(): Promise<void>;
  /** Stops the sweeps, and resolves after the current batch. The next start of the server removes the remaining rows. */
  close(): Promise<void>;
}

/**
 * Removes old rows now and every hour, one sweep after the other and each batch in its own transaction. Several processes may do this at
 * the same time, because each process skips the rows that another process has locked.
 * @param options.onFailure called with the name of a sweep that failed; the sweep runs again after an hour
 */
export function startHourlySweeps(options: {
  readonly database: Database;
  readonly sweeps: readonly Sweep[];
  readonly onFailure: (name: string, error: unknown) => void;
}): HourlySweeps {
  const { database, sweeps, onFailure } = options;
  let isClosing = false;
  const runAll = async () => {
    for (const sweep of sweeps) {
      await runSweep({ database, sweep, isStopped: () => isClosing }).catch((error) => onFailure(sweep.name, error));
    }
  };
  let running = runAll();
  const timer = setInterval(() => {
    running = running.then(runAll);
  }, intervalMs);
  timer.unref();
  return {
    settled: () => running,
    async close() {
      isClosing = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Removes old rows batch by batch until none is left or `isStopped` returns true. @returns the number of removed rows */
export async function runSweep(run: {
  readonly database: Database;
  readonly sweep: Sweep;
  readonly isStopped: () => boolean;
}): Promise<number> {
  let total = 0;
  while (!run.isStopped()) {
    const removed = await run.database.transaction({ readOnly: false }, (tx) => run.sweep.removeBatch(tx, batchSize));
    total += removed;
    if (removed < batchSize) break;
  }
  return total;
}
