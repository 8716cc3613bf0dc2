import { UsageError } from '../errors/usage-errors.js';

/**
 * Checks the limits of a call.
 * @throws UsageError if `timeoutMs` is not above 0, or if `maxRetries` is not a whole number of at least 0
 */
export function requireLimits(limits: { readonly timeoutMs: number; readonly maxRetries: number }): void {
  if (!(limits.timeoutMs > 0)) throw new UsageError('timeoutMs must be a number above 0');
  if (!Number.isInteger(limits.maxRetries) || limits.maxRetries < 0) {
    throw new UsageError('maxRetries must be a whole number of at least 0');
  }
}
