/** The refusals by meaning. Which code becomes which class is decided in `error-of-answer.ts`. */
import type { Issue, StateConflictReason } from '@centavo/contracts/calls';
import { brandErrors, hasErrorBrand } from './error-brand.js';
import { type ApiErrorFields, FinancialApiError } from './financial-api-error.js';

/** 400: the request is wrong as it is; `issues` names everything that is. */
export class ValidationError extends FinancialApiError {
  static {
    brandErrors(ValidationError, 'ValidationError');
  }

  /** All issues at once, as `{ path, code, message, … }`. */
  readonly issues: readonly Issue[];

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.issues = Array.isArray(fields.details.issues) ? fields.details.issues : [];
  }
}

/** 401: the credential is missing, wrong, expired, revoked, or its session has ended; `code` says which. */
export class AuthenticationError extends FinancialApiError {
  static {
    brandErrors(AuthenticationError, 'AuthenticationError');
  }
}

/** 401 STEP_UP_REQUIRED: verify a one-time code (`identity.verifyTotp`) and repeat the call with the new token. */
export class StepUpRequiredError extends AuthenticationError {
  static {
    brandErrors(StepUpRequiredError, 'StepUpRequiredError');
  }

  /** How old the verification may be, in seconds; null if the answer does not say. */
  readonly maxAgeSeconds: number | null;

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.maxAgeSeconds = numberOrNull(fields.details.maxAgeSeconds);
  }
}

/** 403: the credential is good and may not do this; `code` and `details` say what is missing. */
export class PermissionError extends FinancialApiError {
  static {
    brandErrors(PermissionError, 'PermissionError');
  }
}

/** 404: no such thing, or none that this credential may see. */
export class NotFoundError extends FinancialApiError {
  static {
    brandErrors(NotFoundError, 'NotFoundError');
  }
}

/** 409 VERSION_CONFLICT: the record has changed since its ETag was read, and nothing was written. */
export class VersionConflictError extends FinancialApiError {
  static {
    brandErrors(VersionConflictError, 'VersionConflictError');
  }

  /** The ETag that the record has now. */
  readonly currentEtag: string | null;

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.currentEtag = stringOrNull(fields.details.currentEtag);
  }
}

/** 409: the key belongs to another request (`IDEMPOTENCY_KEY_REUSED`), or to one still running (`IDEMPOTENCY_IN_PROGRESS`). */
export class IdempotencyConflictError extends FinancialApiError {
  static {
    brandErrors(IdempotencyConflictError, 'IdempotencyConflictError');
  }
}

/** 409 STATE_CONFLICT: the request is well-formed and the state of things forbids it; `reason` says why. */
export class StateConflictError extends FinancialApiError {
  static {
    brandErrors(StateConflictError, 'StateConflictError');
  }

  readonly reason: StateConflictReason | (string & {}) | null;

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.reason = stringOrNull(fields.details.reason);
  }
}

/** 429: refused before it ran. It was waited for as told, until the retries, the deadline or `retryAfterMsMax` ended it. */
export class RateLimitError extends FinancialApiError {
  static {
    brandErrors(RateLimitError, 'RateLimitError');
  }

  /** Milliseconds to wait before the next call; null if the answer does not say. */
  readonly retryAfterMs: number | null;

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.retryAfterMs = fields.retryAfterMs;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), retryAfterMs: this.retryAfterMs };
  }
}

/**
 * 5xx after the last attempt. Whether a write took effect is not known: repeat it with `idempotencyKey` and the same
 * body, which records it once whatever became of this one.
 */
export class ServerError extends FinancialApiError {
  static {
    brandErrors(ServerError, 'ServerError');
  }

  /** Milliseconds to wait before the next call; null if the answer does not say. */
  readonly retryAfterMs: number | null;

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.retryAfterMs = fields.retryAfterMs;
  }
}

export function isValidationError(value: unknown): value is ValidationError {
  return hasErrorBrand(value, 'ValidationError');
}

export function isAuthenticationError(value: unknown): value is AuthenticationError {
  return hasErrorBrand(value, 'AuthenticationError');
}

export function isStepUpRequiredError(value: unknown): value is StepUpRequiredError {
  return hasErrorBrand(value, 'StepUpRequiredError');
}

export function isPermissionError(value: unknown): value is PermissionError {
  return hasErrorBrand(value, 'PermissionError');
}

export function isNotFoundError(value: unknown): value is NotFoundError {
  return hasErrorBrand(value, 'NotFoundError');
}

export function isVersionConflictError(value: unknown): value is VersionConflictError {
  return hasErrorBrand(value, 'VersionConflictError');
}

export function isIdempotencyConflictError(value: unknown): value is IdempotencyConflictError {
  return hasErrorBrand(value, 'IdempotencyConflictError');
}

export function isStateConflictError(value: unknown): value is StateConflictError {
  return hasErrorBrand(value, 'StateConflictError');
}

export function isRateLimitError(value: unknown): value is RateLimitError {
  return hasErrorBrand(value, 'RateLimitError');
}

export function isServerError(value: unknown): value is ServerError {
  return hasErrorBrand(value, 'ServerError');
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
