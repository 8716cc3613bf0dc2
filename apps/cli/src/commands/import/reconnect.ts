import {
  isConnectionError,
  isMalformedAnswerError,
  isOutcomeUnknownError,
  isRedirectRefusedError,
  isServerError,
} from '@centavo/sdk';

/**
 * Decides how long to wait before a server that is away is tried again: first a quarter of a second, then as long as it
 * has been away, four seconds at most, and never less than it asked for. A restart takes seconds; after 30 s it is no
 * restart, and a server that asks for more than what is left of them is not waited for.
 *
 * @param away.awayMs since it was first found away
 * @param away.retryAfterMs what its answer asked for; null where it did not answer, or did not say
 * @returns milliseconds, or undefined when it has been away for too long, or is going to be
 */
export function decideReconnect({
  awayMs,
  retryAfterMs,
}: {
  awayMs: number;
  retryAfterMs: number | null;
}): number | undefined {
  const leftMs = awayMsMax - awayMs;
  if (leftMs <= 0 || (retryAfterMs ?? 0) > leftMs) return undefined;
  const growingMs = Math.min(Math.max(firstDelayMs, awayMs), delayMsMax, leftMs);
  return Math.max(growingMs, retryAfterMs ?? 0);
}

const firstDelayMs = 250;
const delayMsMax = 4_000;
const awayMsMax = 30_000;

/**
 * Whether the server was not there, went away under a request, or says that it cannot serve now: what a restart looks
 * like from here, with a proxy before it or without. Another server's answer and a time-out, which has waited already,
 * are not that.
 */
export function isAway(error: unknown): boolean {
  if (isOutcomeUnknownError(error)) return isAway(error.cause);
  if (isServerError(error)) return awayStatuses.has(error.status);
  return isConnectionError(error) && !isMalformedAnswerError(error) && !isRedirectRefusedError(error);
}

/** How long a server that is away asked to be left alone, in milliseconds; null where it did not say. */
export function askedDelayMs(error: unknown): number | null {
  if (isOutcomeUnknownError(error)) return askedDelayMs(error.cause);
  return isServerError(error) ? error.retryAfterMs : null;
}

/** 502 is what a proxy says of a server behind it that is not there. */
const awayStatuses: ReadonlySet<number> = new Set([502, 503]);
