import { OutcomeUnknownError } from '../errors/transport-errors.js';
import type { CallKind, Failure } from './attempt-outcome.js';

/**
 * Returns the error with which a call rejects. For a read, and for a write that certainly had no effect, this is the error of the last
 * attempt. For a write that may have taken effect, the returned error depends on the last attempt:
 * - After a 5xx, it is the ServerError of this attempt.
 * - After IDEMPOTENCY_IN_PROGRESS, it is the IdempotencyConflictError of this attempt.
 * - After any other failure, it is an OutcomeUnknownError, whose cause is the error of this attempt.
 *
 * These three errors contain the idempotency key. It is null for a write without a key, and for a write with one key for each item.
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
