import { isFinancialApiError } from '@centavo/sdk';

/** Returns whether the error is a 404 or 405, which may mean that the server is too old to have the called operation. */
export function isMissingOperation(error: unknown): boolean {
  return isFinancialApiError(error) && (error.status === 404 || error.status === 405);
}
