import { brandErrors, hasErrorBrand } from './error-brand.js';

/**
 * The base class of all errors of this package. No message, property or cause contains a token.
 * @example
 * import { isFinancialError } from '@centavo/sdk';
 *
 * await client.movements.list().catch((error) => {
 *   if (isFinancialError(error)) console.error(JSON.stringify(error));
 *   else throw error;
 * });
 */
export class FinancialError extends Error {
  static {
    brandErrors(FinancialError, 'FinancialError');
  }

  /** Returns the properties for a log, without headers and causes. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message };
  }
}

export function isFinancialError(value: unknown): value is FinancialError {
  return hasErrorBrand(value, 'FinancialError');
}
