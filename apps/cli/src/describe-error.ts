import {
  isAuthenticationError,
  isConnectionError,
  isFinancialApiError,
  isFinancialError,
  isIdempotencyConflictError,
  isInvalidSecretError,
  isMalformedAnswerError,
  isOutcomeUnknownError,
  isPermissionError,
  isRateLimitError,
  isRedirectRefusedError,
  isServerError,
  isStateConflictError,
  isStepUpRequiredError,
  isTimeoutError,
  isUsageError,
  isValidationError,
  isVersionConflictError,
  type StateConflictReason,
} from '@centavo/sdk';
import { AdvisedError, CliError } from './errors.js';

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
    return [
      withoutHeaders(error.message),
      ...indented(error.advice.details),
      ...labelled('try', error.advice.remedy),
      ...labelled('request id', requestId),
    ];
  }
  if (error instanceof CliError) return [error.message, ...indented(error.details), ...labelled('try', error.remedy)];
  if (!isFinancialError(error)) return describeUnexpected(error);
  const issues = isValidationError(error)
    ? error.issues.flatMap((issue) => labelled(issue.path === '' ? 'body' : issue.path, issue.message))
    : [];
  const requestId = isFinancialApiError(error) ? (error.requestId ?? undefined) : undefined;
  return [
    issues.length > 0 ? invalidRequestText : withoutHeaders(error.message),
    ...issues,
    ...labelled(
      'reason',
      isOutcomeUnknownError(error) && isMalformedAnswerError(error.cause) ? error.cause.message : undefined,
    ),
    ...labelled('try', options.isImport === true && isCutOff(error) ? cutOffImportRemedy : remedyOf(error)),
    ...labelled('request id', requestId),
    ...labelled('idempotency key', openKeyOf(error)),
  ];
}

/** Without the server's advice to look at a header, which nobody sees here: the remedy says how long to wait. */
function withoutHeaders(message: string): string {
  return message.replace(/ Wait for Retry-After\b[^.]*\./, '');
}

/** When to repeat a command, by what the server asks for. */
export function repeatTime(retryAfterMs: number | null): string {
  return retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
}

/** Instead of the server's sentence, which sends its reader to the fields of the answer: here they follow it. */
export const invalidRequestText = 'The request is not valid.';
export const invalidRequestRemedy = 'Correct what is named, and repeat the command; --help has its flags.';

/** What nobody foresaw: the machine refused something (its errors have a code), or the program is wrong. */
function describeUnexpected(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error), ...labelled('try', reportRemedy)];
  const isOfMachine = typeof (error as NodeJS.ErrnoException).code === 'string';
  const remedy = isOfMachine ? 'Check the disk and the permissions of this machine, then repeat it.' : reportRemedy;
  return [`${error.name}: ${error.message}`, ...labelled('try', remedy)];
}

const reportRemedy = 'This is a fault of centavo: report it, with the command and what "centavo --version" says.';

/** The same in one line, for a row of an import. */
export function describeErrorBriefly(error: unknown): string {
  if (isIdempotencyConflictError(error) && error.code === 'IDEMPOTENCY_KEY_REUSED') {
    return 'it was recorded before with other details (another category or cashbox), and is left as it was';
  }
  if (isValidationError(error) && error.issues.length > 0) {
    return error.issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
  }
  if (error instanceof CliError) return [error.message, ...error.details].join('  ');
  return error instanceof Error ? error.message : String(error);
}

function indented(details: readonly string[] = []): readonly string[] {
  return details.map((detail) => `  ${detail}`);
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

/**
 * Returns whether what answered is not Centavo: another server, a proxy or a portal. Such an answer says nothing about the
 * request, whatever its status.
 */
export function isForeignAnswer(error: unknown): boolean {
  if (isOutcomeUnknownError(error)) return isForeignAnswer(error.cause);
  if (isMalformedAnswerError(error) || isRedirectRefusedError(error)) return true;
  return isFinancialApiError(error) && error.code === 'UNRECOGNIZED_ANSWER' && error.status !== 429;
}

export const foreignAnswerRemedy =
  'Something else answers there: check --base-url, which "centavo profiles show --origin" explains.';

function remedyOf(error: unknown): string | undefined {
  if (!isForeignAnswer(error)) return remedyOfAnswer(error);
  // A redirect or a refusal of the portal was not passed on; any other answer may have come after the write.
  const isOpen = isOutcomeUnknownError(error) || isServerError(error);
  return isOpen ? `${foreignAnswerRemedy} ${unknownOutcomeRemedy(error.idempotencyKey)}` : foreignAnswerRemedy;
}

function remedyOfAnswer(error: unknown): string | undefined {
  if (isStepUpRequiredError(error) && error.method === 'password') {
    const minutes = Math.floor((error.maxAgeSeconds ?? 600) / 60);
    return `Run "centavo login" and give your password, then repeat this command within ${minutes} minutes.`;
  }
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
  if (isStateConflictError(error)) {
    return (
      (Object.hasOwn(stateConflictRemedies, error.reason ?? '')
        ? stateConflictRemedies[error.reason as StateConflictReason]
        : undefined) ?? 'Look at what is there now.'
    );
  }
  if (isRateLimitError(error)) {
    return `Repeat the command ${repeatTime(error.retryAfterMs)}.`;
  }
  if (isServerError(error)) return unknownOutcomeRemedy(error.idempotencyKey, ` ${repeatTime(error.retryAfterMs)}`);
  if (isOutcomeUnknownError(error)) return unknownOutcomeRemedy(error.idempotencyKey);
  if (isConnectionError(error)) {
    return 'Nothing was recorded. Start the server, or name another with --base-url; "centavo doctor" looks further.';
  }
  if (isTimeoutError(error)) {
    return 'Nothing was recorded. Check the server and --base-url, then repeat the command.';
  }
  if (isInvalidSecretError(error)) return 'Copy it again.';
  if (isUsageError(error)) return '"centavo profiles show --origin" tells where each setting comes from.';
  if (isValidationError(error)) return invalidRequestRemedy;
  if (!isFinancialApiError(error)) return undefined;
  return error.status === 404
    ? 'Check the id and --tracker.'
    : 'If it stays, report it to whoever runs the server, with the request id.';
}

const stateConflictRemedies: Readonly<Record<StateConflictReason, string>> = {
  transfer_leg: 'It is one side of a transfer, which stays as it was recorded: record another transfer against it.',
  name_taken: 'Use the one that has this name, or choose another name.',
  line_exists: 'The budget plans this category already: "centavo budgets show" has the line.',
  limit_reached:
    'Make room first: revoke a credential, leave a tracker, or decline an invitation. Archived records count too.',
  not_active: 'It is archived, revoked or expired: use another one.',
  legacy: 'This key is of an older kind: make a new one with "centavo keys create", then revoke it.',
  email_taken: 'Log in with "centavo login", or use another address.',
  registration_closed: 'Ask whoever runs the server for a user.',
  already_member: 'Change what they may do with "centavo members change-role".',
  last_owner: 'Make another member owner first, with "centavo members change-role".',
  not_enrolled: 'Set up an authenticator app first, with "centavo totp enrol".',
};

export const chooseTrackerRemedy = 'Choose one that "centavo trackers list" shows, with --tracker.';

export const chooseTrackerForProfileRemedy =
  'Choose another with "centavo trackers use NAME"; "centavo trackers list" shows yours.';

export const userSessionRemedy = 'Keys cannot do this: unset CENTAVO_TOKEN and run "centavo login".';

function permissionRemedy(code: string, details: Readonly<Record<string, unknown>>): string {
  const listOf = (value: unknown) => [value].flat().filter(isText).join(', ');
  switch (code) {
    case 'INSUFFICIENT_SCOPE':
      return `Use a key with the scope ${listOf(details.requiredScopes)}.`;
    case 'INSUFFICIENT_ROLE':
      return `Ask an owner of the tracker for the role ${listOf(details.requiredRole)}.`;
    case 'TRACKER_FORBIDDEN':
      // Without an id in it, the refusal is not about one tracker: there is none at all.
      return Array.isArray(details.trackerIds) && details.trackerIds.length === 0
        ? 'Make one with "centavo trackers create NAME --currency EUR", or join one: "centavo invitations list".'
        : chooseTrackerRemedy;
    case 'USER_SESSION_REQUIRED':
      return userSessionRemedy;
    default:
      return 'Look at what the credential may do with "centavo status".';
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function unknownOutcomeRemedy(idempotencyKey: string | null, when = ''): string {
  return idempotencyKey === null
    ? 'Look whether it was recorded before you repeat the command.'
    : `Repeat the command${when} with --idempotency-key ${idempotencyKey}: it is recorded once, whatever became of this try.`;
}
