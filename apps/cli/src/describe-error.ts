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
import { findProxyFailure } from './network/proxy-failure.js';

/**
 * Returns the lines that describe an error: what happened, each invalid field, what to do, and the request id for a report.
 * The lines never contain a token or the body of a request or response.
 *
 * @param options.isImport true for an import. Its idempotency keys are derived from the rows, so that after a lost response the
 *   user can simply run the command again
 */
export function describeError(error: unknown, options: { isImport?: boolean } = {}): readonly string[] {
  if (error instanceof AdvisedError) {
    const requestId = isFinancialApiError(error.cause) ? (error.cause.requestId ?? undefined) : undefined;
    return [
      withoutRetryAdvice(error.message),
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
    issues.length > 0 ? invalidRequestText : withoutRetryAdvice(error.message),
    ...issues,
    ...labelled('reason', reasonOf(error)),
    ...labelled('try', options.isImport === true && isCutOff(error) ? cutOffImportRemedyOf(error) : remedyOf(error)),
    ...labelled('request id', requestId),
    ...labelled('idempotency key', keyOfUnknownOutcome(error)),
  ];
}

/**
 * Returns a message without the server's advice to read the header Retry-After, because the CLI does not print headers. The
 * remedy contains the time to wait instead.
 */
function withoutRetryAdvice(message: string): string {
  return message.replace(/ Wait for the time in Retry-After\b[^.]*\./, '');
}

/** Returns the time at which the user can repeat a command: `later`, or for example `in 90 s`. */
export function repeatTime(retryAfterMs: number | null): string {
  return retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
}

/**
 * The first line for an invalid request. It replaces the server's message, which refers the reader to `details.issues` of the
 * response. The CLI prints these issues below this line.
 */
export const invalidRequestText = 'The request is not valid.';
export const invalidRequestRemedy = 'Correct these values, and repeat the command; --help lists its flags.';

/** Describes an unexpected error: an error of the system, which has a code, or a bug in the program. */
function describeUnexpected(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error), ...labelled('try', reportRemedy)];
  const isSystemError = typeof (error as NodeJS.ErrnoException).code === 'string';
  const remedy = isSystemError
    ? 'Check the disk and the permissions of this machine, then repeat the command.'
    : reportRemedy;
  return [`${error.name}: ${error.message}`, ...labelled('try', remedy)];
}

const reportRemedy = 'This is a bug in centavo. Report it with the command and the output of "centavo --version".';

/** Returns the description of an error in one line, for a row of an import. */
export function describeErrorBriefly(error: unknown): string {
  if (isIdempotencyConflictError(error) && error.code === 'IDEMPOTENCY_KEY_REUSED') {
    return 'it was recorded before with other details (such as another category, description or cashbox), and is unchanged';
  }
  if (isStateConflictError(error) && error.reason === 'external_id_exists') {
    const { movementId } = error.details;
    return `movement ${movementId} of the account has the bank's transaction id of this row, but could not be read, so it is not known whether its day, direction or amount differs. Import the file with a credential that may read movements (movements:read)`;
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

/**
 * Returns the cause of an error if the error message does not name the cause. There are two such causes: a response that does
 * not come from this API, and a failure of the proxy.
 */
function reasonOf(error: unknown): string | undefined {
  if (isOutcomeUnknownError(error) && isMalformedAnswerError(error.cause)) return error.cause.message;
  return findProxyFailure(error)?.message;
}

function cutOffImportRemedyOf(error: unknown): string {
  const check = findProxyFailure(error)?.remedy ?? 'Check the server and --base-url.';
  return `${check} Then run the import again: it records the remaining rows.`;
}

/** Returns whether an error stops an import before its last row, because no valid response arrived or the server failed. */
function isCutOff(error: unknown): boolean {
  return isOutcomeUnknownError(error) || isServerError(error) || isConnectionError(error) || isTimeoutError(error);
}

/**
 * Returns the idempotency key of the failed write if the write may have been recorded in spite of the error. Returns undefined
 * for other errors, and for a write without a key.
 */
function keyOfUnknownOutcome(error: unknown): string | undefined {
  const mayBeRecorded = isOutcomeUnknownError(error) || isServerError(error);
  return mayBeRecorded ? (error.idempotencyKey ?? undefined) : undefined;
}

/**
 * Returns whether the response comes from another server, a proxy or a captive portal instead of Centavo. The status of
 * such a response does not describe the result of the request.
 */
export function isForeignResponse(error: unknown): boolean {
  if (isOutcomeUnknownError(error)) return isForeignResponse(error.cause);
  if (isMalformedAnswerError(error) || isRedirectRefusedError(error)) return true;
  return isFinancialApiError(error) && error.code === 'UNRECOGNIZED_ANSWER' && error.status !== 429;
}

export const foreignResponseRemedy =
  'Another server responded. Check --base-url; "centavo profiles show --origin" shows its source.';

function remedyOf(error: unknown): string | undefined {
  if (!isForeignResponse(error)) return remedyOfResponse(error);
  // If the response of the other server is a redirect or a rejection, the write was not recorded. After any other response,
  // it may have been recorded.
  const mayBeRecorded = isOutcomeUnknownError(error) || isServerError(error);
  return mayBeRecorded
    ? `${foreignResponseRemedy} ${unknownOutcomeRemedy(error.idempotencyKey)}`
    : foreignResponseRemedy;
}

function remedyOfResponse(error: unknown): string | undefined {
  if (isStepUpRequiredError(error) && error.method === 'password') {
    const minutes = Math.floor((error.maxAgeSeconds ?? 600) / 60);
    return `Run "centavo login" and enter your password, then repeat this command within ${minutes} minutes.`;
  }
  if (isStepUpRequiredError(error)) {
    return 'Add --code with the six digits of your authenticator app ("centavo totp enrol" sets one up).';
  }
  if (isAuthenticationError(error)) return 'Run "centavo login", or set CENTAVO_TOKEN to an active key.';
  if (isPermissionError(error)) return permissionRemedy(error.code, error.details);
  if (isVersionConflictError(error))
    return 'Another request has changed the record. Read the record again, then repeat the command.';
  if (isIdempotencyConflictError(error)) {
    return error.code === 'IDEMPOTENCY_IN_PROGRESS'
      ? 'The same request is still running: repeat the command in a moment.'
      : 'This key belongs to another request. Use a new key for a new request.';
  }
  if (isStateConflictError(error)) {
    return (
      (Object.hasOwn(stateConflictRemedies, error.reason ?? '')
        ? stateConflictRemedies[error.reason as StateConflictReason]
        : undefined) ?? 'Read the record again before you repeat the command.'
    );
  }
  if (isRateLimitError(error)) {
    return `Repeat the command ${repeatTime(error.retryAfterMs)}.`;
  }
  if (isServerError(error)) return unknownOutcomeRemedy(error.idempotencyKey, ` ${repeatTime(error.retryAfterMs)}`);
  if (isOutcomeUnknownError(error)) return unknownOutcomeRemedy(error.idempotencyKey);
  if (isConnectionError(error)) {
    const proxyRemedy = findProxyFailure(error)?.remedy;
    if (proxyRemedy !== undefined) return `Nothing was recorded. ${proxyRemedy}`;
    return 'Nothing was recorded. Start the server, or set another server with --base-url. "centavo doctor" checks the connection.';
  }
  if (isTimeoutError(error)) {
    return 'Nothing was recorded. Check the server and --base-url, then repeat the command.';
  }
  if (isInvalidSecretError(error)) return 'Copy the secret again.';
  if (isUsageError(error)) return '"centavo profiles show --origin" shows the source of each setting.';
  if (isValidationError(error)) return invalidRequestRemedy;
  if (!isFinancialApiError(error)) return undefined;
  return error.status === 404
    ? 'Check the id and --tracker.'
    : 'If the error persists, report it to the operator of the server, with the request id.';
}

const stateConflictRemedies: Readonly<Record<StateConflictReason, string>> = {
  transfer_leg:
    'The movement is one side of a transfer and cannot be changed alone. Void the transfer, or record another transfer in the other direction.',
  voided: 'The record is voided permanently. Record it again if you need it.',
  external_id_exists: 'Show the movement that has this id with "centavo movements list --external-id".',
  cursor_diverged:
    'The cursor may belong to another tracker, or a backup was restored. Read everything again, then run the command without --since.',
  cursor_expired:
    'The server has removed changes after this cursor. Read everything again, then run the command without --since.',
  name_taken: 'Use the record with this name, or choose another name.',
  line_exists: 'The budget has a line for this category already: see "centavo budgets show".',
  limit_reached:
    'Revoke a credential, delete a webhook, leave a tracker, or ask the invited user to answer an invitation. Accounts, cashboxes, categories and budgets cannot be deleted, and archived records count too: use an existing record instead.',
  not_active: 'The key is revoked or expired. Create another key with "centavo keys create".',
  legacy: 'This key has an older format. Create a new key with "centavo keys create", then revoke the old key.',
  email_taken: 'Log in with "centavo login", or use another address: this one is registered.',
  registration_closed: 'Ask the operator of the server to create a user.',
  already_member: 'Change the role with "centavo members change-role".',
  last_owner: 'Make another member owner first, with "centavo members change-role".',
  not_enrolled: 'Set up an authenticator app first, with "centavo totp enrol".',
  webhook_disabled:
    'Activate the endpoint with "centavo webhooks update WEBHOOK --status active". If its secret was discarded, first run "centavo webhooks rotate WEBHOOK". If its owner has no access to the tracker, add --url with the same URL: you then become the owner.',
};

export const chooseTrackerRemedy = 'Choose one with --tracker; "centavo trackers list" shows yours.';

export const chooseTrackerForProfileRemedy =
  'Choose another with "centavo trackers use NAME"; "centavo trackers list" shows yours.';

export const userSessionRemedy = 'A key may not do this. Unset CENTAVO_TOKEN and run "centavo login".';

function permissionRemedy(code: string, details: Readonly<Record<string, unknown>>): string {
  const listOf = (value: unknown) => [value].flat().filter(isText).join(', ');
  switch (code) {
    case 'INSUFFICIENT_SCOPE':
      return `Use a key with the scope ${listOf(details.requiredScopes)}.`;
    case 'INSUFFICIENT_ROLE':
      return `Ask an owner or admin of the tracker for the role ${listOf(details.requiredRole)}.`;
    case 'TRACKER_FORBIDDEN':
      // An empty list means that the user has no tracker at all.
      return Array.isArray(details.trackerIds) && details.trackerIds.length === 0
        ? 'Create one with "centavo trackers create NAME --currency EUR", or join one: "centavo invitations list".'
        : chooseTrackerRemedy;
    case 'USER_SESSION_REQUIRED':
      return userSessionRemedy;
    default:
      return '"centavo status" shows the rights of the credential.';
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function unknownOutcomeRemedy(idempotencyKey: string | null, when = ''): string {
  return idempotencyKey === null
    ? 'Check whether the change was recorded before you repeat the command.'
    : `Repeat the command${when} with --idempotency-key ${idempotencyKey}: it is recorded once, even if this attempt succeeded.`;
}
