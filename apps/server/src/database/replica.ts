import type { Logger } from 'pino';
import { isConnectionFailure, sqlStateOf } from './errors.js';
import { createDatabase } from './pool.js';
import type { Transaction } from './transaction.js';

/** What became of a read that a replica might have answered; in all but the first the primary has to be asked. */
export type ReplicaOutcome = 'answered' | 'behind' | 'away' | 'failed';

/** A standby that streams from the database of the server. */
export interface Replica {
  /** Whether it is away and no read would try it now; asked by who would have something to do before. A read so spared counts. */
  isLeftAlone(): boolean;
  /**
   * Runs `work` in a transaction for reading, once `enter` has said there that the replica has seen enough.
   * @returns undefined where the primary has to be asked: the replica is behind, away, or refused a statement
   * @throws what `work` throws, unless PostgreSQL or the connection is the cause
   */
  read<Result extends object>(reading: {
    readonly enter: (tx: Transaction) => Promise<boolean>;
    readonly work: (tx: Transaction) => Promise<Result>;
  }): Promise<Result | undefined>;
  close(): Promise<void>;
}

// While it is away, one read in so many milliseconds pays for finding that out.
const awayMs = 5_000;
// Less than for the primary, because there is somebody else to ask.
const timeouts = { connectMs: 500, acquireMs: 1_000 };

/**
 * Opens a replica. No connection is made before the first read, and one that cannot be had is no failure.
 * @param options.elapsedMs milliseconds of a clock that nobody sets
 * @param options.onRead told of every read what became of it
 * @param options.onChange told when it goes away and when it is back, once each time
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
  let askAgainAtMs = 0;

  function note(change: { readonly isAway: boolean; readonly error: unknown }): void {
    if (change.isAway) askAgainAtMs = elapsedMs() + awayMs;
    if (change.isAway === isAway) return;
    isAway = change.isAway;
    onChange(change);
  }

  function isLeftAlone(): boolean {
    if (!isAway || elapsedMs() >= askAgainAtMs) return false;
    onRead('away');
    return true;
  }

  return {
    isLeftAlone,
    async read({ enter, work }) {
      if (isLeftAlone()) return undefined;
      // Of those who come when the time is over one tries; the others would wait in vain.
      if (isAway) askAgainAtMs = elapsedMs() + awayMs;
      try {
        const result = await database.transaction({ readOnly: true }, async (tx) =>
          (await enter(tx)) ? await work(tx) : undefined,
        );
        note({ isAway: false, error: null });
        onRead(result === undefined ? 'behind' : 'answered');
        return result;
      } catch (error) {
        const isLost = isConnectionFailure(error);
        note({ isAway: isLost, error });
        // A refusal of `work` is an answer like any other. A statement that was refused may fare better on the primary: what
        // the replica replays removes rows under long reads, and a migration may not have arrived.
        const isOurs = !isLost && sqlStateOf(error) === undefined;
        onRead(isLost ? 'away' : isOurs ? 'answered' : 'failed');
        if (isOurs) throw error;
        return undefined;
      }
    },
    close: () => database.close(),
  };
}

/** Logs that reads are no longer answered by the replica, or are again; once each time, however many requests notice. */
export function logReplicaChange(logger: Logger, change: { readonly isAway: boolean; readonly error: unknown }): void {
  if (!change.isAway) {
    logger.info('The replica answers again.');
    return;
  }
  // Not the error's message: it may quote the address, which may hold a password.
  const { name, code } = change.error as { readonly name?: unknown; readonly code?: unknown };
  logger.warn({ name, code }, 'The replica does not answer: the primary answers all reads until it does.');
}
