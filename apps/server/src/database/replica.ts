import type { Logger } from 'pino';
import { isConnectionFailure, sqlStateOf } from './errors.js';
import { createDatabase } from './pool.js';
import type { Transaction } from './transaction.js';

/**
 * The outcome of a read on a replica. `behind`: the replica may not serve the read, usually because it lags. `away`: the replica is
 * unavailable. `failed`: the replica refused a statement. After every outcome except `answered`, the primary runs the read.
 */
export type ReplicaOutcome = 'answered' | 'behind' | 'away' | 'failed';

/** A streaming standby of the server's database. */
export interface Replica {
  /**
   * Returns true if the replica is unavailable and the next attempt to use it is not due yet. If so, also calls `onRead` of
   * {@link openReplica} with `away`.
   */
  isBackingOff(): boolean;
  /**
   * Runs `enter` and then `work` in one read-only transaction. `enter` resolves with true if the replica may serve the read. Otherwise
   * `work` is not run.
   * @returns undefined if the primary has to run the read: the replica is behind or unavailable, or refused a statement
   * @throws every error of `enter` or `work`, unless PostgreSQL or the connection is the cause
   */
  read<Result extends object>(reading: {
    readonly enter: (tx: Transaction) => Promise<boolean>;
    readonly work: (tx: Transaction) => Promise<Result>;
  }): Promise<Result | undefined>;
  close(): Promise<void>;
}

// While the replica is unavailable, only one read in each period of this length tries to connect again.
const awayMs = 5_000;
// These timeouts are shorter than those of the primary, because the primary can run the read after a timeout of the replica.
const timeouts = { connectMs: 500, acquireMs: 1_000 };

/**
 * Opens a replica. It connects at the first read; a failed connection is reported to `onChange` and not thrown.
 * @param options.elapsedMs a monotonic clock, in milliseconds
 * @param options.onRead called with the outcome of each read
 * @param options.onChange called once each time the replica becomes unavailable or available again
 */
export function openReplica(options: {
  readonly connectionString: string;
  readonly poolMax: number;
  readonly elapsedMs: () => number;
  readonly onRead: (outcome: ReplicaOutcome) => void;
  readonly onChange: (change: { readonly isAway: boolean; readonly error: unknown }) => void;
  readonly onStatement?: ((sql: string) => void) | undefined;
}): Replica {
  const { elapsedMs, onRead, onChange, onStatement } = options;
  const database = createDatabase({
    connectionString: options.connectionString,
    poolMax: options.poolMax,
    timeouts,
    ...(onStatement === undefined ? {} : { onStatement }),
  });
  let isAway = false;
  let retryAtMs = 0;

  function recordAvailability(change: { readonly isAway: boolean; readonly error: unknown }): void {
    if (change.isAway) retryAtMs = elapsedMs() + awayMs;
    if (change.isAway === isAway) return;
    isAway = change.isAway;
    onChange(change);
  }

  function isBackingOff(): boolean {
    if (!isAway || elapsedMs() >= retryAtMs) return false;
    onRead('away');
    return true;
  }

  return {
    isBackingOff,
    async read({ enter, work }) {
      if (isBackingOff()) return undefined;
      // While the replica is unavailable, only this read tries it. Concurrent reads go to the primary, so that they do not wait for the
      // timeout too.
      if (isAway) retryAtMs = elapsedMs() + awayMs;
      try {
        const result = await database.transaction({ readOnly: true }, async (tx) =>
          (await enter(tx)) ? await work(tx) : undefined,
        );
        recordAvailability({ isAway: false, error: null });
        onRead(result === undefined ? 'behind' : 'answered');
        return result;
      } catch (error) {
        const isLost = isConnectionFailure(error);
        recordAvailability({ isAway: isLost, error });
        // An error that `work` itself throws is the result of the read. A statement that the replica refused may succeed on the primary.
        // For example, the replica cancels a read if it replays the removal of rows that the read needs. The replica may also lack a
        // migration that it has not replayed.
        const isOfWork = !isLost && sqlStateOf(error) === undefined;
        onRead(isLost ? 'away' : isOfWork ? 'answered' : 'failed');
        if (isOfWork) throw error;
        return undefined;
      }
    },
    close: () => database.close(),
  };
}

/** Logs that the replica became unavailable, or available again. */
export function logReplicaChange(logger: Logger, change: { readonly isAway: boolean; readonly error: unknown }): void {
  if (!change.isAway) {
    logger.info('The replica answers again.');
    return;
  }
  // The log omits the message of the error, which may quote the connection string with its password.
  const { name, code } = change.error as { readonly name?: unknown; readonly code?: unknown };
  logger.warn({ name, code }, 'The replica does not answer. Until it does, the primary answers all reads.');
}
