import { isFinancialApiError } from '@centavo/sdk';

/** Returns whether the error may mean that the server is too old to have the operation. */
export function isMissingOperation(error: unknown): boolean {
  return isFinancialApiError(error) && (error.status === 404 || error.status === 405);
}
