import {
  isAuthenticationError,
  isConnectionError,
  isFinancialApiError,
  isFinancialError,
  isIdempotencyConflictError,
  isOutcomeUnknownError,
  isPermissionError,
  isRateLimitError,
  isServerError,
  isStateConflictError,
  isStepUpRequiredError,
  isTimeoutError,
  isValidationError,
  isVersionConflictError,
} from '@centavo/sdk';
import { AdvisedError } from './advised-error.js';
import { CliError } from './cli-error.js';

/**
 * An error for a person, line by line: what happened, each field that is wrong, what to do next, and the request id
 * that a report needs. No token or body is ever in it.
 *
 * @param options.isImport the command makes the key of each row itself, so repeating it is the whole remedy after a lost
 *   answer, and the caller says so
 */
export function describeError(error: unknown, options: { isImport?: boolean } = {}): readonly string[] {
  if (error instanceof AdvisedError) {
    const requestId = isFinancialApiError(error.cause) ? (error.cause.requestId ?? undefined) : undefined;
    return [error.message, ...labelled('try', error.advice.remedy), ...labelled('request id', requestId)];
  }
  if (error instanceof CliError) return [error.message, ...labelled('try', error.remedy)];
  if (!isFinancialError(error)) return [error instanceof Error ? `${error.name}: ${error.message}` : String(error)];
  const issues = isValidationError(error)
    ? error.issues.flatMap((issue) => labelled(issue.path === '' ? 'body' : issue.path, issue.message))
    : [];
  const requestId = isFinancialApiError(error) ? (error.requestId ?? undefined) : undefined;
  return [
    error.message,
    ...issues,
    ...labelled('try', options.isImport === true && isCutOff(error) ? cutOffImportRemedy : remedyOf(error)),
    ...labelled('request id', requestId),
    ...labelled('idempotency key', openKeyOf(error)),
  ];
}

/** The same in one line, for a row of an import. */
export function describeErrorBriefly(error: unknown): string {
  if (isIdempotencyConflictError(error) && error.code === 'IDEMPOTENCY_KEY_REUSED') {
    return 'it was recorded before with other details (another category or cashbox), and is left as it was';
  }
  if (isValidationError(error) && error.issues.length > 0) {
    return error.issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}

function labelled(label: string, text: string | undefined): readonly string[] {
  return text === undefined ? [] : [`  ${label}: ${text}`];
}

const cutOffImportRemedy = 'Check the server and --base-url, then run the import again: it goes on from there.';

function isCutOff(error: unknown): boolean {
  return isOutcomeUnknownError(error) || isServerError(error) || isConnectionError(error) || isTimeoutError(error);
}

/** The key of a write that may have been recorded; for a refused one it would only invite repeating it. */
function openKeyOf(error: unknown): string | undefined {
  const isOpen = isOutcomeUnknownError(error) || isServerError(error);
  return isOpen ? (error.idempotencyKey ?? undefined) : undefined;
}

function remedyOf(error: unknown): string | undefined {
  if (isStepUpRequiredError(error)) {
    return 'Add --code with the six digits of your authenticator app ("centavo totp enrol" sets one up).';
  }
  if (isAuthenticationError(error)) return 'Run "centavo login", or set CENTAVO_TOKEN to a key that is active.';
  if (isPermissionError(error)) return permissionRemedy(error.code, error.details);
  if (isVersionConflictError(error)) return 'Somebody changed it meanwhile: look at it again, then repeat the command.';
  if (isIdempotencyConflictError(error)) {
    return error.code === 'IDEMPOTENCY_IN_PROGRESS'
      ? 'The same request is still running: repeat the command in a moment.'
      : 'This key belongs to another request: use a new one for a new intent.';
  }
  if (isStateConflictError(error)) return error.reason === null ? undefined : `The reason is ${error.reason}.`;
  if (isRateLimitError(error)) {
    const seconds = error.retryAfterMs === null ? undefined : Math.ceil(error.retryAfterMs / 1000);
    return seconds === undefined ? 'Repeat the command later.' : `Repeat the command in ${seconds} s.`;
  }
  if (isOutcomeUnknownError(error) || isServerError(error)) return unknownOutcomeRemedy(error.idempotencyKey);
  if (isConnectionError(error) || isTimeoutError(error)) {
    return 'Nothing was recorded. Check the server and --base-url, then repeat the command.';
  }
  return isFinancialApiError(error) && error.status === 404 ? 'Check the id and --tracker.' : undefined;
}

function permissionRemedy(code: string, details: Readonly<Record<string, unknown>>): string | undefined {
  const listOf = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value));
  switch (code) {
    case 'INSUFFICIENT_SCOPE':
      return `Use a key with the scope ${listOf(details.requiredScopes)}.`;
    case 'INSUFFICIENT_ROLE':
      return `Ask an owner of the tracker for the role ${listOf(details.requiredRole)}.`;
    case 'TRACKER_FORBIDDEN':
      // Without an id in it, the refusal is not about one tracker: there is none at all.
      return Array.isArray(details.trackerIds) && details.trackerIds.length === 0
        ? 'Make one with "centavo trackers create NAME --currency EUR".'
        : 'Choose one that "centavo trackers list" shows, with --tracker.';
    case 'USER_SESSION_REQUIRED':
      return 'Keys cannot do this: unset CENTAVO_TOKEN and run "centavo login".';
    default:
      return undefined;
  }
}

function unknownOutcomeRemedy(idempotencyKey: string | null): string {
  return idempotencyKey === null
    ? 'Look whether it was recorded before you repeat the command.'
    : `Repeat the command with --idempotency-key ${idempotencyKey}: it is recorded once, whatever became of this try.`;
}
