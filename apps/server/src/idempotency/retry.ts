import { ApiError, serviceUnavailable } from '../api-error.js';
import { CommitOutcomeUnknown, hasWaitedInVain, isOutage, isRepeatable } from '../database/postgres-errors.js';

/** A twin holds the idempotency key in another process; thrown to give the connection back before waiting. */
export class DuplicateInProgress extends Error {
  constructor() {
    super('A twin of this request is in progress');
    this.name = 'DuplicateInProgress';
  }
}

/** Time and chance, as arguments, so that tests decide both. */
export interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
}

/**
 * How long a call may wait for the database in all, in milliseconds: little enough for an answer within four seconds, whatever
 * became of the database. Longer than a statement waits for a lock, so that PostgreSQL is the first to say so.
 */
export const databaseWaitMsMax = 3_700;

const duplicateWaitMsMax = 5_000;
const failuresMax = 6;
// Where one transaction waited in vain for so long the next one will too, and somebody waits for an answer. A little less than a
// statement waits for a lock, which is two seconds.
const attemptMsMax = 1_900;

/**
 * Runs a transaction again for as long as that is safe and sensible: while a twin is at work (5 s), and after deadlocks,
 * broken connections and restarts of the database (six times, {@link databaseWaitMsMax}, and not after one that hung). A COMMIT whose acknowledgement was lost is run again only when `isKeyed`: the key row then tells
 * whether it happened. Source: contract, section 6.
 * @throws IDEMPOTENCY_IN_PROGRESS (409), SERVICE_UNAVAILABLE (503), or whatever `attempt` throws
 */
export async function retryTransaction<Result>(request: {
  /** Told how long it may wait for the database, in milliseconds. */
  readonly attempt: (waitMsMax: number) => Promise<Result>;
  readonly isKeyed: boolean;
  readonly clock: Clock;
  /** When the request began to wait for its turn, by `clock.now()`; a wait for a twin in this process counts. */
  readonly startedAt?: number;
}): Promise<Result> {
  const { clock } = request;
  const startedAt = request.startedAt ?? clock.now();
  // Waiting for a twin is no waiting for the database, which answered that there is one.
  let answeredAt = clock.now();
  const leftMs = () => databaseWaitMsMax - (clock.now() - answeredAt);
  for (let failures = 0; ; ) {
    const attemptedAt = clock.now();
    try {
      return await request.attempt(leftMs());
    } catch (error) {
      if (error instanceof DuplicateInProgress) {
        if (clock.now() - startedAt >= duplicateWaitMsMax) throw inProgress();
        await clock.sleep(20 + 60 * clock.random());
        answeredAt = clock.now();
        continue;
      }
      failures += 1;
      const isUnknown = error instanceof CommitOutcomeUnknown;
      const mayRepeat = isRepeatable(error) || (request.isKeyed && isUnknown);
      // What may be recorded already is asked for once more all the same.
      const hasHung = !isUnknown && hasWaitedInVain(error) && clock.now() - attemptedAt >= attemptMsMax;
      const pauseMs = 20 + 380 * clock.random();
      if (!mayRepeat || hasHung || failures >= failuresMax || leftMs() <= pauseMs) throw publicError(error, request);
      await clock.sleep(pauseMs);
    }
  }
}

function inProgress(): ApiError {
  return new ApiError({
    code: 'IDEMPOTENCY_IN_PROGRESS',
    message: 'Another request with this idempotency key is still at work. Wait for Retry-After and repeat it.',
    headers: { 'Retry-After': '1' },
  });
}

function publicError(error: unknown, { isKeyed }: { readonly isKeyed: boolean }): unknown {
  const again = isKeyed ? ' Repeat the request with the same idempotency key.' : '';
  if (error instanceof CommitOutcomeUnknown) {
    const message =
      'The connection to the database was lost while this was recorded, and it may have been.' +
      (isKeyed ? again : ' Look whether it is there before you repeat the request.');
    return serviceUnavailable({ internalReason: 'commit outcome unknown', cause: error, message });
  }
  if (!isOutage(error)) return error;
  const options = { internalReason: 'database away or busy', cause: error };
  return serviceUnavailable(
    isKeyed ? { ...options, message: `The service cannot answer right now.${again}` } : options,
  );
}
