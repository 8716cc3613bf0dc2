import { brandErrors, hasErrorBrand } from './error-brand.js';

/**
 * What every error of this package is. No message, property or cause of one holds a token.
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

  /** What a log may keep; headers and causes are left out. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message };
  }
}

export function isFinancialError(value: unknown): value is FinancialError {
  return hasErrorBrand(value, 'FinancialError');
}
