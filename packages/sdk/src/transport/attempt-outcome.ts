import type { ApiResponse } from '../answers/api-response.js';

/**
 * The kinds of calls. A dry run counts as a read. A keyed write has an idempotency key, or one key for each item of its body. The client
 * retries reads and keyed writes. It retries other writes only after 429.
 */
export type CallKind = 'read' | 'keyed-write' | 'unkeyed-write';

/**
 * The effect that a failed attempt had on the server. `none`: neither this attempt nor an earlier attempt of the call had an effect.
 * `not-run`: this attempt had no effect, but an earlier attempt may have had one. `unknown`: this attempt may have had an effect.
 */
export type EffectOnServer = 'none' | 'not-run' | 'unknown';

export interface Failure {
  readonly kind: 'failure';
  /**
   * `answer`: an error response. `connection`: no complete response. `malformed`: a successful response that is not in the format of the
   * API. `redirect`: a redirect. `stopped`: the caller aborted, the deadline passed, or the token function failed or
   * returned an invalid token.
   */
  readonly cause: 'answer' | 'connection' | 'malformed' | 'redirect' | 'stopped';
  readonly effect: EffectOnServer;
  /** The error to throw, unless the function `finalError` replaces it with an OutcomeUnknownError. */
  readonly error: unknown;
  readonly status: number | null;
  readonly code: string | null;
  readonly retryAfterMs: number | null;
}

export interface Success<Data> {
  readonly kind: 'success';
  readonly response: ApiResponse<Data>;
}

/** The result of one attempt. */
export type AttemptOutcome<Data> = Success<Data> | Failure;

/** Returns the failure of an attempt that received no error response. */
export function failureWithoutAnswer(
  cause: Exclude<Failure['cause'], 'answer'>,
  effect: EffectOnServer,
  error: unknown,
  status: number | null = null,
): Failure {
  return { kind: 'failure', cause, effect, error, status, code: null, retryAfterMs: null };
}
