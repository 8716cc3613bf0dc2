import {
  isFinancialApiError,
  isIdempotencyConflictError,
  isNotFoundError,
  isStateConflictError,
  isValidationError,
} from '@centavo/sdk';

/**
 * Whether an error is about one row, so that the next may well succeed. Every other one (no rights, no network, a server
 * that fails) would meet the other rows too.
 */
export function isRowError(error: unknown): boolean {
  const isRefused = isValidationError(error) || isStateConflictError(error) || isNotFoundError(error);
  if (isRefused) return true;
  if (isIdempotencyConflictError(error)) return error.code === 'IDEMPOTENCY_KEY_REUSED';
  return isFinancialApiError(error) && error.status === 413;
}
