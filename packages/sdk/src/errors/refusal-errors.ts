/** Errors of the request or its credential: the statuses 400 to 404. */
import type { Issue } from '@centavo/contracts/calls';
import { brandErrors, hasErrorBrand } from './error-brand.js';
import { type ApiErrorFields, FinancialApiError } from './financial-api-error.js';

/**
 * 400: the request is invalid. `issues` lists all problems.
 * @example
 * import { isValidationError } from '@centavo/sdk';
 *
 * try {
 *   await client.movements.create({ type: 'expense', amountDecimal: '12.505', accountId });
 * } catch (error) {
 *   if (!isValidationError(error)) throw error;
 *   for (const { path, code, message } of error.issues) console.error(path, code, message);
 * }
 */
export class ValidationError extends FinancialApiError {
  static {
    brandErrors(ValidationError, 'ValidationError');
  }

  /** All issues of the request, as `{ path, code, message, … }`. */
  readonly issues: readonly Issue[];

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.issues = Array.isArray(fields.details.issues) ? fields.details.issues.filter(isIssue) : [];
  }
}

/**
 * 401: the credential is missing, wrong, expired or revoked, or its session has ended. `code` names the reason.
 * @example
 * import { isAuthenticationError } from '@centavo/sdk';
 *
 * try {
 *   await client.context.get();
 * } catch (error) {
 *   if (!isAuthenticationError(error)) throw error;
 *   console.error('Log in again:', error.code);
 * }
 */
export class AuthenticationError extends FinancialApiError {
  static {
    brandErrors(AuthenticationError, 'AuthenticationError');
  }
}

/**
 * 401 STEP_UP_REQUIRED: the call needs a more recent verification of the user. If `method` is `password`, log in again. If `method` is
 * `totp`, verify a one-time code with `identity.verifyTotp`. Then repeat the call with the new token.
 * @example
 * import { isStepUpRequiredError } from '@centavo/sdk';
 *
 * try {
 *   await client.credentials.rotateApiKey(clientId);
 * } catch (error) {
 *   if (!isStepUpRequiredError(error)) throw error;
 *   console.error('Verify a one-time code, then repeat the call.');
 * }
 */
export class StepUpRequiredError extends AuthenticationError {
  static {
    brandErrors(StepUpRequiredError, 'StepUpRequiredError');
  }

  /** The required verification: `totp` for a one-time code, `password` for a new login; null if the response does not name it. */
  readonly method: 'totp' | 'password' | null;

  /** The maximum age of the verification in seconds; null if the response does not name it. */
  readonly maxAgeSeconds: number | null;

  constructor(fields: ApiErrorFields) {
    super(fields);
    const { method, maxAgeSeconds } = fields.details;
    this.method = method === 'totp' || method === 'password' ? method : null;
    this.maxAgeSeconds = numberOrNull(maxAgeSeconds);
  }
}

/**
 * 403: the credential is valid but lacks a right, which `code` and `details` name.
 * @example
 * import { isPermissionError } from '@centavo/sdk';
 *
 * try {
 *   await client.movements.list();
 * } catch (error) {
 *   if (!isPermissionError(error)) throw error;
 *   console.error(error.code, error.details); // INSUFFICIENT_SCOPE { requiredScopes: ['movements:read'] }
 * }
 */
export class PermissionError extends FinancialApiError {
  static {
    brandErrors(PermissionError, 'PermissionError');
  }
}

/**
 * 404: the path or the record does not exist, or this credential has no access to the record.
 * @example
 * import { isNotFoundError } from '@centavo/sdk';
 *
 * const movement = await client.movements.get(movementId).catch((error) => {
 *   if (isNotFoundError(error)) return undefined;
 *   throw error;
 * });
 * console.log(movement === undefined ? 'No such movement' : movement.description);
 */
export class NotFoundError extends FinancialApiError {
  static {
    brandErrors(NotFoundError, 'NotFoundError');
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

function isIssue(value: unknown): value is Issue {
  if (typeof value !== 'object' || value === null) return false;
  const { path, code, message } = value as Partial<Issue>;
  return typeof path === 'string' && typeof code === 'string' && typeof message === 'string';
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
