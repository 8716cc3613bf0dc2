import { ApiError, serviceUnavailable } from '../api-error.js';
import { CommitOutcomeUnknown, hasTimedOutOrDisconnected, isOutage, isRetryable } from '../database/errors.js';

/**
 * Another transaction holds the lock of the idempotency key: usually a concurrent duplicate in another process.
 * {@link retryTransaction} catches this error and waits, after the failed transaction has returned its connection to the pool.
 */
export class DuplicateInProgress extends Error {
  constructor() {
    super('A concurrent duplicate of this request is in progress');
    this.name = 'DuplicateInProgress';
  }
}

/** Time and randomness, as arguments, so that tests control both. */
export interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
}

/**
 * The maximum time that a request and its retries may wait for the database, in milliseconds. The time starts again after each wait for a
 * concurrent duplicate. The maximum is longer than `lock_timeout`, so that PostgreSQL usually reports the lock timeout first. The client
 * gets a response within four seconds, except in the cases that decision 0026 lists.
 */
export const databaseWaitMsMax = 3_700;

/**
 * The maximum time that a duplicate waits for the earlier request with its key, in milliseconds. The limit applies to the
 * sum of two waits: in KeyedMutex, for requests in this process, and in {@link retryTransaction}, for other processes.
 */
export const duplicateWaitMsMax = 5_000;
/** The maximum number of attempts: the first and five retries. The five pauses between them last at most 2 s in total. */
const attemptsMax = 6;
// If an attempt lasted this long and then timed out or lost its connection, it is not retried: the next attempt would probably fail too.
// Slightly less than `lock_timeout`, which is two seconds.
const attemptMsMax = 1_900;

/**
 * Runs a transaction, and retries it in three cases:
 *
 * - A concurrent duplicate is in progress. Retries until 5 s after `startedAt`.
 * - The attempt failed with an error that {@link isRetryable} accepts: a stale read, an outdated plan, a serialization failure, a deadlock,
 *   a lock or statement timeout, too many connections, a missing or lost connection, or a database restart. Does not retry an attempt that
 *   lasted at least {@link attemptMsMax} and then timed out or lost its connection. So an attempt that waits for the whole lock timeout
 *   (2 s) or statement timeout (3 s) of PostgreSQL ends the request.
 * - The acknowledgement of COMMIT was lost, and the request has an idempotency key (`isKeyed`). The stored row of this key shows whether
 *   the transaction committed. Without a key, a retry could record the write twice.
 *
 * In the last two cases together, makes up to six attempts (five retries) within {@link databaseWaitMsMax}.
 * @throws IDEMPOTENCY_IN_PROGRESS (409), SERVICE_UNAVAILABLE (503), and every other error of `attempt`
 * @source docs/contract.md, section 6
 */
export async function retryTransaction<Result>(request: {
  /** @param waitMsMax how long the attempt may wait for the database; milliseconds */
  readonly attempt: (waitMsMax: number) => Promise<Result>;
  readonly isKeyed: boolean;
  readonly clock: Clock;
  /**
   * The time by `clock.now()` at which the server began to handle the request, before any wait in KeyedMutex. The default is the time of
   * this call.
   */
  readonly startedAt?: number;
}): Promise<Result> {
  const { clock } = request;
  const startedAt = request.startedAt ?? clock.now();
  // The time for `databaseWaitMsMax` starts again after each wait for a duplicate, because the database has answered.
  let answeredAt = clock.now();
  const leftMs = () => databaseWaitMsMax - (clock.now() - answeredAt);
  let unknownOutcome: CommitOutcomeUnknown | undefined;
  for (let failures = 0; ; ) {
    const attemptedAt = clock.now();
    try {
      return await request.attempt(leftMs());
    } catch (error) {
      if (error instanceof DuplicateInProgress) {
        // If the acknowledgement of an earlier COMMIT of this request was lost, the transaction of that COMMIT may still hold the lock.
        // The client then gets the error about the unknown outcome, not IDEMPOTENCY_IN_PROGRESS.
        if (attemptedAt - startedAt >= duplicateWaitMsMax) throw publicError(unknownOutcome ?? inProgress(), request);
        await clock.sleep(20 + 60 * clock.random());
        answeredAt = clock.now();
        continue;
      }
      failures += 1;
      if (error instanceof CommitOutcomeUnknown) unknownOutcome = error;
      const attempt = { error, lastedMs: clock.now() - attemptedAt, isKeyed: request.isKeyed };
      const pauseMs = 20 + 380 * clock.random();
      if (!mayRetry(attempt) || failures >= attemptsMax || leftMs() <= pauseMs) {
        const isUndecided = unknownOutcome !== undefined && (isOutage(error) || isEarlyRefusal(error));
        throw publicError(isUndecided ? unknownOutcome : error, request);
      }
      await clock.sleep(pauseMs);
    }
  }
}

/** Returns whether the kind of the failure allows a retry. The number of attempts and the time that is left may still forbid it. */
function mayRetry({ error, lastedMs, isKeyed }: { error: unknown; lastedMs: number; isKeyed: boolean }): boolean {
  // If the acknowledgement of COMMIT was lost, only a retry can show whether the write was recorded. Therefore such an attempt may be
  // retried even if it lasted `attemptMsMax` or longer.
  if (error instanceof CommitOutcomeUnknown) return isKeyed;
  const hasHung = hasTimedOutOrDisconnected(error) && lastedMs >= attemptMsMax;
  return isRetryable(error) && !hasHung;
}

/**
 * Returns true if the server may have refused the request before it decided whether to replay a stored response. Such refusals concern the
 * caller (401), the tracker (400, 403), the scope or the role (403). They do not show whether an earlier COMMIT took effect.
 */
function isEarlyRefusal(error: unknown): boolean {
  return error instanceof ApiError && [400, 401, 403].includes(error.status);
}

function inProgress(): ApiError {
  return new ApiError({
    code: 'IDEMPOTENCY_IN_PROGRESS',
    message:
      'Another request with this idempotency key is still in progress. Wait for the time in Retry-After and repeat the request.',
    headers: { 'Retry-After': '1' },
  });
}

function publicError(error: unknown, { isKeyed }: { readonly isKeyed: boolean }): unknown {
  const again = isKeyed ? ' Repeat the request with the same idempotency key.' : '';
  if (error instanceof CommitOutcomeUnknown) {
    const message =
      'The connection to the database was lost during the commit. The change may have been recorded.' +
      (isKeyed ? again : ' Check whether it was recorded before you repeat the request.');
    return serviceUnavailable({ internalReason: 'commit outcome unknown', cause: error, message });
  }
  if (!isOutage(error)) return error;
  const options = { internalReason: 'database unavailable or busy', cause: error };
  return serviceUnavailable(
    isKeyed ? { ...options, message: `The service is temporarily unavailable.${again}` } : options,
  );
}
