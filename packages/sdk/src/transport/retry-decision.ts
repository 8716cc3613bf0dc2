import type { CallKind, Failure } from './attempt-outcome.js';
import { backoffMs } from './backoff.js';

export type RetryDecision =
  | { readonly retry: false }
  | { readonly retry: true; readonly delayMs: number; readonly drawsOnBudget: boolean };

/** Everything that a retry is decided from. Times in milliseconds; `random` uniform in [0, 1). */
export interface RetryQuestion {
  readonly callKind: CallKind;
  readonly failure: Pick<Failure, 'cause' | 'status' | 'code' | 'retryAfterMs'>;
  readonly retriesMade: number;
  readonly maxRetries: number;
  /** Until the call's deadline. */
  readonly msLeft: number;
  readonly retryAfterMsMax: number;
  readonly random: () => number;
}

const never: RetryDecision = { retry: false };

/**
 * Statuses after which the same request may succeed.
 * @source reliability, SDK
 */
const transientStatuses: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/** A 429 that does not say how long: full jitter alone comes near 0, and everybody would knock again at once. */
const throttledFloorMs = 1_000;

/**
 * Whether to send a call again, and when. Pure: the same question has the same answer but for its jitter.
 *
 * Only what cannot happen twice is repeated: reads, writes under a key, and requests that were refused before they ran
 * (429). Of the conflicts only IDEMPOTENCY_IN_PROGRESS passes by itself; every other 4xx would be refused again.
 */
export function decideRetry(question: RetryQuestion): RetryDecision {
  const { failure, retriesMade, maxRetries, msLeft, retryAfterMsMax } = question;
  if (retriesMade >= maxRetries || !mayRepeat(question)) return never;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== null && retryAfterMs > retryAfterMsMax) return never;
  const delayMs = delayOf(question);
  // A wait that ends after the deadline, or never, is not begun: the caller learns now what it would learn then.
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

function delayOf({ failure, retriesMade, msLeft, random }: RetryQuestion): number {
  const { retryAfterMs, status } = failure;
  if (retryAfterMs !== null && retryAfterMs > 0) {
    // Never earlier than the server asked; up to a quarter later, so that those told the same do not come back as one.
    // Of the time until the deadline half is kept for the answer.
    return retryAfterMs + Math.min((retryAfterMs * random()) / 4, (msLeft - retryAfterMs) / 2);
  }
  return backoffMs(retriesMade, random) + (status === 429 ? throttledFloorMs : 0);
}

/**
 * A request that was refused before it ran, by a server that says when to come back, adds no load that was not asked for.
 * So it does not draw on the budget; otherwise a long import under a rate limit would run it dry and fail.
 */
function isPacedByServer({ status, code, retryAfterMs }: RetryQuestion['failure']): boolean {
  return retryAfterMs !== null && retryAfterMs > 0 && (status === 429 || code === 'IDEMPOTENCY_IN_PROGRESS');
}
