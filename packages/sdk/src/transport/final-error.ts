import { OutcomeUnknownError } from '../errors/transport-errors.js';
import type { CallKind, Failure } from './attempt-outcome.js';

/**
 * Returns the error with which a call rejects. If an attempt of a write may have taken effect, the error is OutcomeUnknownError with the
 * idempotency key (null if the write has none, or one for each item), and its cause is the last failure. There are two exceptions: if the
 * last attempt got a 5xx, the error is ServerError, and if it got IDEMPOTENCY_IN_PROGRESS, the error is IdempotencyConflictError. These two
 * errors also have the idempotency key, and mean that the outcome is unknown.
 * @param earlierUnknown whether an attempt before the last one may have taken effect
 */
export function finalError(call: {
  readonly callKind: CallKind;
  readonly failure: Failure;
  readonly earlierUnknown: boolean;
  readonly idempotencyKey: string | null;
}): unknown {
  const { callKind, failure, earlierUnknown, idempotencyKey } = call;
  if (callKind === 'read' || failure.effect === 'none') return failure.error;
  if (failure.cause === 'answer' && failure.effect === 'unknown') return failure.error;
  if (failure.effect === 'not-run' && !earlierUnknown) return failure.error;
  const keys = idempotencyKey === null ? 'keys' : 'key';
  const remedy =
    callKind === 'unkeyed-write'
      ? 'check whether it was recorded before you repeat it'
      : `repeat it with the same idempotency ${keys} and body`;
  const message = `The write was sent and its outcome is not known; ${remedy}`;
  return new OutcomeUnknownError({ message, idempotencyKey, cause: failure.error });
}
