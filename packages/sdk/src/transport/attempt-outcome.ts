import type { ApiResponse } from '../answers/api-response.js';

/** The kinds of calls, by what may be retried: a read always, a write only with a key that the server accepts. */
export type CallKind = 'read' | 'keyed-write' | 'unkeyed-write';

/**
 * The consequence of a failed attempt for its write. `none`: neither this request nor an earlier request with its key took
 * effect. `not-run`: this request took no effect, but earlier requests may have. `unknown`: this request may have taken effect.
 */
export type EffectOnServer = 'none' | 'not-run' | 'unknown';

export interface Failure {
  readonly kind: 'failure';
  /** An error answer, no answer, a malformed answer, a redirect, or an abort by the caller. */
  readonly cause: 'answer' | 'connection' | 'malformed' | 'redirect' | 'stopped';
  readonly effect: EffectOnServer;
  /** The error to throw, unless the write may have taken effect. */
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

/** Returns a failure without an answer. */
export function failureWithoutAnswer(
  cause: Exclude<Failure['cause'], 'answer'>,
  effect: EffectOnServer,
  error: unknown,
  status: number | null = null,
): Failure {
  return { kind: 'failure', cause, effect, error, status, code: null, retryAfterMs: null };
}
