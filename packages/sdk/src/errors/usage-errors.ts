/** Errors that are thrown before a request is sent. */
import { brandErrors, hasErrorBrand } from './error-brand.js';
import { FinancialError } from './financial-error.js';

/**
 * An invalid option or argument. The message names the option or argument, but not its value.
 * @example
 * import { isUsageError } from '@centavo/sdk';
 *
 * try {
 *   await client.movements.get('');
 * } catch (error) {
 *   if (!isUsageError(error)) throw error;
 *   console.error(error.message); // movementId must be an id: a string other than "", "." and ".."
 * }
 */
export class UsageError extends FinancialError {
  static {
    brandErrors(UsageError, 'UsageError');
  }
}

/**
 * An invalid token: an API key whose checksum is wrong, an empty string, or a string with invalid characters such as spaces.
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
