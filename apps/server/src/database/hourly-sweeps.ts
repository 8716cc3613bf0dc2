import type { Database } from './pool.js';
import type { Transaction } from './transaction.js';

const intervalMs = 3_600_000;
const batch = 1000;

/** Rows of one kind that are removed when they are old enough. */
export interface Sweep {
  /** For the log, such as `old sessions`. */
  readonly what: string;
  /** Removes at most `batch` rows and returns how many; fewer means that none is left. Rows locked by others are skipped. */
  readonly removeBatch: (tx: Transaction, batch: number) => Promise<number>;
}

/** Sweeps that run every hour, to be ended with the server. */
export interface HourlySweeps {
  /** Resolves when the batch that is being removed has been; what is left waits for the next start. */
  close(): Promise<void>;
}

/**
 * Removes old rows now and every hour, one sweep after the other and each batch in a transaction of its own. Several processes
 * may do so at once: each takes rows that no other one has locked.
 * @param options.onFailure receives what could not be removed; the next hour tries again
 */
export function startHourlySweeps(options: {
  readonly database: Database;
  readonly sweeps: readonly Sweep[];
  readonly onFailure: (what: string, error: unknown) => void;
}): HourlySweeps {
  const { database, sweeps, onFailure } = options;
  let isClosing = false;
  const runAll = async () => {
    for (const sweep of sweeps) {
      await runSweep({ database, sweep, isStopped: () => isClosing }).catch((error) => onFailure(sweep.what, error));
    }
  };
  let running = runAll();
  const timer = setInterval(() => {
    running = running.then(runAll);
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

/** Removes old rows batch by batch until none is left or `isStopped`; returns how many were removed. */
export async function runSweep(run: {
  readonly database: Database;
  readonly sweep: Sweep;
  readonly isStopped: () => boolean;
}): Promise<number> {
  let total = 0;
  while (!run.isStopped()) {
    const removed = await run.database.transaction({ readOnly: false }, (tx) => run.sweep.removeBatch(tx, batch));
    total += removed;
    if (removed < batch) break;
  }
  return total;
}
