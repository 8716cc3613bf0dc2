import {
  isConnectionError,
  isFinancialApiError,
  isIdempotencyConflictError,
  isMalformedAnswerError,
  isNotFoundError,
  isOutcomeUnknownError,
  isRateLimitError,
  isRedirectRefusedError,
  isServerError,
  isStateConflictError,
  isValidationError,
} from '@centavo/sdk';
import { findProxyFailure } from '../network/proxy-failure.js';

/**
 * Returns how long all rows wait after a 429 response.
 *
 * @param rateLimitedCount the number of 429 responses since a request last succeeded
 * @returns milliseconds; undefined for other errors, after too many 429 responses, or if the delay is too long
 */
export function decideRateLimitWait(error: unknown, rateLimitedCount: number): number | undefined {
  if (!isRateLimitError(error) || rateLimitedCount >= rateLimitedCountMax) return undefined;
  const delayMs = error.retryAfterMs ?? 1000;
  return delayMs <= rateLimitMsMax ? delayMs : undefined;
}

const rateLimitedCountMax = 100;

/**
 * The longest window among the server's rate limits. It is the window of the limit for one-time codes.
 * @source docs/contract.md, section 8
 */
const rateLimitMsMax = 15 * 60_000;

/**
 * Returns how long to wait for an unavailable server. The first wait is 250 ms. Each further wait is as long as the
 * outage so far, but at most 4 s. No wait is shorter than Retry-After. All waits of an outage together last at most 30 s,
 * enough for a restart. If Retry-After is longer than the rest of the 30 s, the import does not wait.
 *
 * @param outage.unavailableMs the time since the server was first found unavailable
 * @param outage.retryAfterMs the Retry-After of the last response; null if there was no response or no Retry-After
 * @returns milliseconds; undefined if the import does not wait
 */
export function decideReconnectWait({
  unavailableMs,
  retryAfterMs,
}: {
  unavailableMs: number;
  retryAfterMs: number | null;
}): number | undefined {
  const leftMs = unavailableMsMax - unavailableMs;
  if (leftMs <= 0 || (retryAfterMs ?? 0) > leftMs) return undefined;
  const growingMs = Math.min(Math.max(firstDelayMs, unavailableMs), delayMsMax, leftMs);
  return Math.max(growingMs, retryAfterMs ?? 0);
}

const firstDelayMs = 250;
const delayMsMax = 4_000;
const unavailableMsMax = 30_000;

/**
 * Returns whether the server is unavailable, for example during a restart: it cannot be reached, closes the connection,
 * or responds with 502 or 503. Returns false for malformed responses, redirects, and proxies that require a password.
 * Also returns false for timeouts, because the import has already waited.
 */
export function isUnavailable(error: unknown): boolean {
  if (isOutcomeUnknownError(error)) return isUnavailable(error.cause);
  if (findProxyFailure(error)?.code === 'PROXY_AUTHENTICATION') return false;
  if (isServerError(error)) return unavailableStatuses.has(error.status);
  return isConnectionError(error) && !isMalformedAnswerError(error) && !isRedirectRefusedError(error);
}

/** Returns the delay in milliseconds that an unavailable server requested; null if it requested none. */
export function requestedDelayMs(error: unknown): number | null {
  if (isOutcomeUnknownError(error)) return requestedDelayMs(error.cause);
  return isServerError(error) ? error.retryAfterMs : null;
}

/** The statuses that mean that the server is unavailable. A proxy responds with 502 if it cannot reach the server. */
const unavailableStatuses: ReadonlySet<number> = new Set([502, 503]);

/**
 * Returns whether an error affects only one row, so that the next row may succeed. Every other error (a missing scope, a
 * lost connection, a failing server) also affects the other rows.
 */
export function isRowError(error: unknown): boolean {
  const isRefused = isValidationError(error) || isStateConflictError(error) || isNotFoundError(error);
  if (isRefused) return true;
  if (isIdempotencyConflictError(error)) return error.code === 'IDEMPOTENCY_KEY_REUSED';
  return isFinancialApiError(error) && error.status === 413;
}
