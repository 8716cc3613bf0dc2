import type { ApiResponse } from '../answers/api-response.js';

/** What may be sent again: a read always, a write only under a key that the server honours. */
export type CallKind = 'read' | 'keyed-write' | 'unkeyed-write';

/**
 * What a failed attempt says about the write it carried: `none` happened by this request or by an earlier one with its
 * key; this request `not-run`, which says nothing of earlier ones; or `unknown`.
 */
export type Fate = 'none' | 'not-run' | 'unknown';

export interface Failure {
  readonly kind: 'failure';
  /** An answer with an error, no answer, one that is not understood, a redirect, or an end set by the caller. */
  readonly cause: 'answer' | 'connection' | 'malformed' | 'redirect' | 'stopped';
  readonly fate: Fate;
  /** What to throw, unless the write's fate says otherwise. */
  readonly error: unknown;
  readonly status: number | null;
  readonly code: string | null;
  readonly retryAfterMs: number | null;
}

export interface Success<Data> {
  readonly kind: 'success';
  readonly response: ApiResponse<Data>;
}

/** How one attempt ended. */
export type AttemptOutcome<Data> = Success<Data> | Failure;

/** A failure without an answer. */
export function failureWithoutAnswer(
  cause: Exclude<Failure['cause'], 'answer'>,
  fate: Fate,
  error: unknown,
  status: number | null = null,
): Failure {
  return { kind: 'failure', cause, fate, error, status, code: null, retryAfterMs: null };
}
