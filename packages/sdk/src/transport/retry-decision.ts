import type { CallKind, Failure } from './attempt-outcome.js';
import { backoffMs } from './backoff.js';

export type RetryDecision =
  | { readonly retry: false }
  | { readonly retry: true; readonly delayMs: number; readonly drawsOnBudget: boolean };

/** The input of {@link decideRetry}. Times are in milliseconds. `random` returns a uniformly distributed number in [0, 1). */
export interface RetryQuestion {
  /** A `read` is not only a GET: a dry run of a write also counts as a read. */
  readonly callKind: CallKind;
  readonly failure: Pick<Failure, 'cause' | 'status' | 'code' | 'retryAfterMs'>;
  readonly retriesMade: number;
  readonly maxRetries: number;
  /** The time until the deadline of the call. */
  readonly msLeft: number;
  readonly retryAfterMsMax: number;
  readonly random: () => number;
}

const never: RetryDecision = { retry: false };

/**
 * Statuses after which the same request may succeed.
 * @source packages/sdk/README.md, Retries
 */
const transientStatuses: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/** The minimum wait after a 429 without Retry-After. With full jitter alone, many clients would retry almost at once. */
const throttledFloorMs = 1_000;

/**
 * Returns whether and when to retry a call.
 *
 * The client retries only requests that cannot take effect twice: reads, writes with an idempotency key, and requests that
 * the server rejected before it ran them (429). Three of the 4xx errors are temporary: 408, 429 and 409 IDEMPOTENCY_IN_PROGRESS. After
 * any other 4xx, a retry would fail again.
 */
export function decideRetry(question: RetryQuestion): RetryDecision {
  const { failure, retriesMade, maxRetries, msLeft, retryAfterMsMax } = question;
  if (retriesMade >= maxRetries || !mayRepeat(question)) return never;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== null && retryAfterMs > retryAfterMsMax) return never;
  const delayMs = retryDelayMs(question);
  // Does not start a wait that would end at or after the deadline, so that the caller receives the error at once.
  if (!(delayMs < msLeft)) return never;
  return { retry: true, delayMs, drawsOnBudget: !isPacedByServer(failure) };
}

function mayRepeat({ callKind, failure }: RetryQuestion): boolean {
  if (failure.cause === 'stopped' || failure.cause === 'redirect') return false;
  if (failure.cause === 'answer' && failure.status === 429) return true;
  if (callKind === 'unkeyed-write') return false;
  if (failure.cause !== 'answer') return true;
  return failure.code === 'IDEMPOTENCY_IN_PROGRESS' || transientStatuses.has(failure.status ?? 0);
}

/** Returns the milliseconds between a failed attempt and its retry. */
export function retryDelayMs({
  failure,
  retriesMade,
  msLeft,
  random,
}: Pick<RetryQuestion, 'retriesMade' | 'msLeft' | 'random'> & {
  readonly failure: Pick<Failure, 'status' | 'retryAfterMs'>;
}): number {
  const { retryAfterMs, status } = failure;
  if (retryAfterMs !== null && retryAfterMs > 0) {
    // Waits up to a quarter longer than Retry-After, so that clients that received the same value do not retry together. The
    // jitter uses at most half of the time between Retry-After and the deadline. The rest remains for the response.
    return retryAfterMs + Math.min((retryAfterMs * random()) / 4, (msLeft - retryAfterMs) / 2);
  }
  return backoffMs(retriesMade, random) + (status === 429 ? throttledFloorMs : 0);
}

/**
 * Returns whether the server set the time of the retry with Retry-After, in a 429 or IDEMPOTENCY_IN_PROGRESS. Such a retry takes
 * nothing from the retry budget, because the server expects it. If these retries used the budget, the 429 responses to a long
 * import would exhaust it.
 */
function isPacedByServer({ status, code, retryAfterMs }: RetryQuestion['failure']): boolean {
  return retryAfterMs !== null && retryAfterMs > 0 && (status === 429 || code === 'IDEMPOTENCY_IN_PROGRESS');
}
