import { OutcomeUnknownError } from '../errors/transport-errors.js';
import type { CallKind, Failure } from './attempt-outcome.js';

/**
 * What a call that is given up throws. For a write the first question is whether it may have taken effect, by this attempt
 * or by an earlier one: then the caller is told so, with the key that settles it, and the last refusal becomes the cause.
 * A 5xx is thrown as what it is; it carries the key too, and says the same in its name.
 * @param earlierUnknown whether an attempt before this one may have taken effect
 */
export function finalError(call: {
  readonly callKind: CallKind;
  readonly failure: Failure;
  readonly earlierUnknown: boolean;
  readonly idempotencyKey: string | null;
}): unknown {
  const { callKind, failure, earlierUnknown, idempotencyKey } = call;
  if (callKind === 'read' || failure.fate === 'none') return failure.error;
  if (failure.cause === 'answer' && failure.fate === 'unknown') return failure.error;
  if (failure.fate === 'not-run' && !earlierUnknown) return failure.error;
  const remedy =
    idempotencyKey === null
      ? 'look whether it was made before you repeat it'
      : 'repeat it with the same idempotency key and body';
  const message = `The write was sent and its outcome is not known; ${remedy}`;
  return new OutcomeUnknownError({ message, idempotencyKey, cause: failure.error });
}
