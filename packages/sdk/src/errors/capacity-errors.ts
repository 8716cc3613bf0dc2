/** Errors of a rate limit or of a failing server: 429 and 5xx. */
import { brandErrors, hasErrorBrand } from './error-brand.js';
import { type ApiErrorFields, FinancialApiError } from './financial-api-error.js';

/**
 * 429: the server rejected the request before running it. The client did not retry again, because one of its limits was reached:
 * `maxRetries`, `timeoutMs`, `retryAfterMsMax` or the retry budget (the limit on the retries of all calls of a client).
 * @example
 * import { isRateLimitError } from '@centavo/sdk';
 *
 * try {
 *   await client.movements.list();
 * } catch (error) {
 *   if (!isRateLimitError(error)) throw error;
 *   console.error(`Retry in ${error.retryAfterMs} ms`);
 * }
 */
export class RateLimitError extends FinancialApiError {
  static {
    brandErrors(RateLimitError, 'RateLimitError');
  }

  /** Milliseconds to wait before the next call; null if the response has no valid Retry-After. */
  readonly retryAfterMs: number | null;

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.retryAfterMs = fields.retryAfterMs;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), retryAfterMs: this.retryAfterMs };
  }
}

/**
 * 5xx: the server responded to the last attempt with this status. A write may have taken effect. If `idempotencyKey` is not null,
 * repeat the write with this key and the same body: the server records the write once. For a write, the key is null in two cases:
 * - In the mode `independent` of `createMany`, each movement has its own key. Repeat the call with the same movements.
 * - Some operations take no key, such as the creation of a credential, an account or a member. First check whether the write took
 *   effect. Repeat the call only if it did not.
 * @example
 * import { isServerError } from '@centavo/sdk';
 *
 * const input = { type: 'expense', amountDecimal: '12.50', accountId } as const;
 * try {
 *   await client.movements.create(input);
 * } catch (error) {
 *   if (!isServerError(error) || error.idempotencyKey === null) throw error;
 *   const movement = await client.movements.create(input, { idempotencyKey: error.idempotencyKey });
 *   console.log('Recorded once, at last:', movement.id);
 * }
 */
export class ServerError extends FinancialApiError {
  static {
    brandErrors(ServerError, 'ServerError');
  }

  /** Milliseconds to wait before the next call; null if the response has no valid Retry-After. */
  readonly retryAfterMs: number | null;

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.retryAfterMs = fields.retryAfterMs;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), retryAfterMs: this.retryAfterMs };
  }
}

export function isRateLimitError(value: unknown): value is RateLimitError {
  return hasErrorBrand(value, 'RateLimitError');
}

export function isServerError(value: unknown): value is ServerError {
  return hasErrorBrand(value, 'ServerError');
}
