import { errorCodes } from '@centavo/contracts/calls';
import type { Refusal, Refused } from './executor.js';
import { cutLists, textLengthMax } from './size-limits.js';

/** The result of a refused call. The model receives it as JSON text. */
export interface RefusalText {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Returns an error of the tool itself, not of the API. Nothing was recorded. */
export function refused(code: string, message: string, details: Refusal['details'] = {}): Refused {
  return { ok: false, error: { code, message, details }, isOutcomeUnknown: false };
}

/** Returns a refusal for one invalid argument. */
export function refusedArgument(path: string, code: string, message: string): Refused {
  return refused('VALIDATION_ERROR', 'An argument is invalid.', { issues: [{ path, code, message }] });
}

/**
 * Returns the result of a refused call for the model: code, message, remedy and details. If the result is too long, its lists
 * are shortened.
 * @param confirm the confirmation of the write; undefined if the call has no confirmation. If the outcome of the write is unknown, the
 *   result contains the confirmation.
 */
export function toRefusalText({ error, isOutcomeUnknown }: Refused, confirm: string | undefined): RefusalText {
  const { code, message, details } = error;
  if (isOutcomeUnknown && confirm !== undefined) {
    const remedy =
      'The outcome is unknown. Repeat the call with the same arguments and the same value of `confirm`: the write is recorded once.';
    return cutLists({ code, message, remedy, details: { ...details, confirm } }, textLengthMax).value;
  }
  const remedy = isOutcomeUnknown ? 'Check whether the write was recorded before you repeat the call.' : remedyOf(code);
  return cutLists({ code, message, remedy, details }, textLengthMax).value;
}

const remedies: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'Correct the arguments that details.issues names; do not repeat the call unchanged.',
  TRACKER_FORBIDDEN: 'Pass a trackerId that list_trackers returns.',
  NOT_FOUND: 'Check the id and the tracker.',
  VERSION_CONFLICT: 'Read the record again. If the change is still right, call the tool with the new version.',
  RATE_LIMITED: 'Wait for the number of seconds in details.retryAfterSeconds, then send requests more slowly.',
  IDEMPOTENCY_IN_PROGRESS: 'Wait a second, then repeat the call with the same value of `confirm`.',
  IDEMPOTENCY_KEY_REUSED: 'Call the tool without confirm for a new preview.',
  SERVICE_UNAVAILABLE: 'Wait a few seconds, then repeat the call.',
  CONFIRM_MISMATCH: 'Repeat the arguments of the preview exactly, or leave confirm out for a new preview.',
  NOT_CONFIRMED: 'Nothing was recorded. Ask the user what to change.',
  CONFIRMATION_UNSUPPORTED: 'Start the server with --confirm=text, or use a client that can ask its user.',
};

function remedyOf(code: string): string {
  const known: Readonly<Record<string, { remedy: string }>> = errorCodes;
  return remedies[code] ?? known[code]?.remedy ?? 'Check the connection to the server, then repeat the call.';
}
