import { isConnectionError, isMalformedAnswerError, isOutcomeUnknownError, isRedirectRefusedError } from '@centavo/sdk';

/**
 * Decides how long to wait before a server that does not answer is tried again: first a quarter of a second, then as
 * long as it has been away, four seconds at most. A restart takes seconds; after 30 s it is no restart.
 *
 * @param awayMs since it was first not reached
 * @returns milliseconds, or undefined when it has been away for too long
 */
export function decideReconnect(awayMs: number): number | undefined {
  if (awayMs >= awayMsMax) return undefined;
  return Math.min(Math.max(firstDelayMs, awayMs), delayMsMax, awayMsMax - awayMs);
}

const firstDelayMs = 250;
const delayMsMax = 4_000;
const awayMsMax = 30_000;

/**
 * Whether the server was not there, or went away under a request: what a restart looks like from here. Another server's
 * answer and a time-out, which has waited already, are not that.
 */
export function isUnreachable(error: unknown): boolean {
  if (isOutcomeUnknownError(error)) return isUnreachable(error.cause);
  return isConnectionError(error) && !isMalformedAnswerError(error) && !isRedirectRefusedError(error);
}
