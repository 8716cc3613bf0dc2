import { isFinancialApiError } from '@centavo/sdk';

/** Returns whether the error is a 404 or 405. The server may be too old to have the operation that was called. */
export function isMissingOperation(error: unknown): boolean {
  return isFinancialApiError(error) && (error.status === 404 || error.status === 405);
}
