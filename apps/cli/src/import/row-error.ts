import {
  isFinancialApiError,
  isIdempotencyConflictError,
  isNotFoundError,
  isStateConflictError,
  isValidationError,
} from '@centavo/sdk';

/**
 * Returns whether an error concerns one row only, so that the next row may succeed. Every other error (a missing
 * scope, a lost connection, a failing server) would meet the other rows too.
 */
export function isRowError(error: unknown): boolean {
  const isRefused = isValidationError(error) || isStateConflictError(error) || isNotFoundError(error);
  if (isRefused) return true;
  if (isIdempotencyConflictError(error)) return error.code === 'IDEMPOTENCY_KEY_REUSED';
  return isFinancialApiError(error) && error.status === 413;
}
