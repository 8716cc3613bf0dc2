/** Mistakes that are told before anything is sent. */
import { brandErrors, hasErrorBrand } from './error-brand.js';
import { FinancialError } from './financial-error.js';

/**
 * An option or argument with which no request can be made. The message names it and never repeats its value.
 * @example
 * import { isUsageError } from '@centavo/sdk';
 *
 * try {
 *   await client.movements.get('');
 * } catch (error) {
 *   if (!isUsageError(error)) throw error;
 *   console.error(error.message); // movementId is not an id
 * }
 */
export class UsageError extends FinancialError {
  static {
    brandErrors(UsageError, 'UsageError');
  }
}

/**
 * A token that cannot be right: a secret whose checksum is wrong, so mistyped or cut off, or text that no header can carry.
 * @example
 * import { FinancialClient, isInvalidSecretError } from '@centavo/sdk';
 *
 * try {
 *   new FinancialClient({ token: 'centavo_live_mistyped' });
 * } catch (error) {
 *   if (!isInvalidSecretError(error)) throw error;
 *   console.error(error.message); // The API key is mistyped or cut off: its checksum is wrong
 * }
 */
export class InvalidSecretError extends UsageError {
  static {
    brandErrors(InvalidSecretError, 'InvalidSecretError');
  }
}

export function isUsageError(value: unknown): value is UsageError {
  return hasErrorBrand(value, 'UsageError');
}

export function isInvalidSecretError(value: unknown): value is InvalidSecretError {
  return hasErrorBrand(value, 'InvalidSecretError');
}
