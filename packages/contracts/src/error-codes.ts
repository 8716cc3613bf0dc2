/**
 * The table of errors, with the status and the remedy of each code.
 *
 * Every error response of the API has one of these codes, except JSON-RPC errors of the MCP endpoints.
 * @source docs/contract.md, section 5
 */
export const errorCodes = {
  VALIDATION_ERROR: { status: 400, remedy: 'Correct the fields in details.issues before you send the request again.' },
  UNAUTHENTICATED: { status: 401, remedy: 'Send "Authorization: Bearer <token>" with a session token or an API key.' },
  CREDENTIAL_INVALID: { status: 401, remedy: 'Check the token or key, log in again, or create a new key.' },
  CREDENTIAL_EXPIRED: { status: 401, remedy: 'Refresh the session, or create a new key.' },
  CREDENTIAL_REVOKED: { status: 401, remedy: 'Create a new credential. A revoked one stays revoked.' },
  SESSION_INACTIVE: { status: 401, remedy: 'Log in again. This session has ended.' },
  STEP_UP_REQUIRED: {
    status: 401,
    remedy: 'Verify a one-time code or log in, as details.method says. Then repeat the request with the new token.',
  },
  INSUFFICIENT_SCOPE: { status: 403, remedy: 'Use a key that has one of details.requiredScopes.' },
  INSUFFICIENT_ROLE: {
    status: 403,
    remedy: 'Ask an owner or admin of the tracker for the role in details.requiredRole.',
  },
  TRACKER_FORBIDDEN: { status: 403, remedy: 'Choose a tracker that GET /trackers lists for this credential.' },
  USER_SESSION_REQUIRED: { status: 403, remedy: 'Use the token of a user session. Keys may not send this request.' },
  NOT_FOUND: { status: 404, remedy: 'Check the path, the identifier and the tracker of the request.' },
  METHOD_NOT_ALLOWED: { status: 405, remedy: 'Use one of the methods in the Allow header.' },
  VERSION_CONFLICT: { status: 409, remedy: 'Fetch the record again, decide again, and send its new ETag.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    remedy: 'Repeat exactly the first request, or send this one with a new key.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    remedy: 'Wait for the time in Retry-After and repeat with the same key and body.',
  },
  STATE_CONFLICT: { status: 409, remedy: 'Read details.reason, then change the record or the request.' },
  PAYLOAD_TOO_LARGE: { status: 413, remedy: 'Send at most details.maxBytes bytes.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, remedy: 'Send "Content-Type: application/json" without Content-Encoding.' },
  REQUEST_HEADERS_TOO_LARGE: { status: 431, remedy: 'Send fewer or shorter headers.' },
  REQUEST_TIMEOUT: { status: 408, remedy: 'Send the request faster, or over a better connection.' },
  RATE_LIMITED: { status: 429, remedy: 'Wait for the time in Retry-After, then send requests more slowly.' },
  INTERNAL_ERROR: {
    status: 500,
    remedy: 'Retry a few times with backoff. If the error persists, report the requestId.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    remedy: 'Wait for the time in Retry-After, then repeat the request with the same idempotency key, if it has one.',
  },
} as const satisfies Record<string, { status: number; remedy: string }>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * Codes of the entries in `details.issues` of a VALIDATION_ERROR.
 * @source docs/contract.md, section 5; docs/additions.md, section 0.4
 */
export const issueCodes = [
  'REQUIRED',
  'INVALID_FORMAT',
  'UNKNOWN_FIELD',
  'REPEATED_PARAMETER',
  'OUT_OF_RANGE',
  'TOO_LONG',
  'MALFORMED_JSON',
  'FILTER_CONFLICT',
  'AMOUNT_PRECISION',
  'CURRENCY_MISMATCH',
  'UNKNOWN_CURRENCY',
  'FIELD_CONFLICT',
  'CASHBOX_SELECTION_REQUIRED',
  'NO_ELIGIBLE_CASHBOX',
  'SAME_SOURCE_AND_DESTINATION',
  'CATEGORY_NOT_USABLE',
  'IDEMPOTENCY_KEY_REQUIRED',
  'IF_MATCH_REQUIRED',
  'TRACKER_HEADER_REQUIRED',
  'EMPTY_PATCH',
  'DUPLICATE_KEY',
  'ADDRESS_NOT_ALLOWED',
] as const;

export type IssueCode = (typeof issueCodes)[number];

/**
 * One issue of a request. `path` names a field of the body (`access.trackerIds.0`), a query parameter (`query.limit`) or a
 * header (`header.If-Match`). `path` is `""` for the body itself. Some issues have a further field with the possible values, such
 * as `eligibleCashboxIds`.
 */
export interface Issue {
  readonly path: string;
  readonly code: IssueCode;
  readonly message: string;
  readonly [detail: string]: unknown;
}

/**
 * Reasons of a STATE_CONFLICT, in `details.reason`. `docs/errors/STATE_CONFLICT.md` describes each reason.
 * @source docs/contract.md, sections 3, 4, 8 and 10a; docs/additions.md, section 0.4
 */
export const stateConflictReasons = [
  'transfer_leg',
  'voided',
  'external_id_exists',
  // The history of the tracker does not contain the cursor's event, for example because a backup was restored.
  'cursor_diverged',
  // The server has removed events after the cursor.
  'cursor_expired',
  'name_taken',
  'line_exists',
  'limit_reached',
  'not_active',
  // An API key of the kind `legacy` cannot be rotated.
  'legacy',
  'email_taken',
  'registration_closed',
  'already_member',
  'last_owner',
  'not_enrolled',
  'webhook_disabled',
] as const;

export type StateConflictReason = (typeof stateConflictReasons)[number];
