/** Errors of calls that received no usable response. */
import { brandErrors, hasErrorBrand } from './error-brand.js';
import { FinancialError } from './financial-error.js';

/** The properties of an error that is thrown because no usable response arrived. */
export interface TransportErrorFields {
  readonly message: string;
  readonly idempotencyKey: string | null;
  readonly cause?: unknown;
}

abstract class TransportError extends FinancialError {
  /**
   * The idempotency key with which to repeat the failed write. Null for reads, for operations without a key, and in the mode
   * `independent` of `createMany`, in which each movement has its own key.
   */
  readonly idempotencyKey: string | null;

  constructor(fields: TransportErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.idempotencyKey = fields.idempotencyKey;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), idempotencyKey: this.idempotencyKey };
  }
}

/**
 * The connection failed. Nothing was written: the call was a read, a dry run, or a write that cannot have taken effect, for example
 * because the server was not reached.
 * @example
 * import { isConnectionError } from '@centavo/sdk';
 *
 * try {
 *   await client.accounts.list();
 * } catch (error) {
 *   if (!isConnectionError(error)) throw error;
 *   console.error(error.message); // The server at 127.0.0.1:8080 could not be reached (ECONNREFUSED)
 * }
 */
export class ConnectionError extends TransportError {
  static {
    brandErrors(ConnectionError, 'ConnectionError');
  }
}

/**
 * The response has a successful status but not the format of this API. It may come from another server or a proxy. Check
 * `baseUrl`.
 * @example
 * import { isMalformedAnswerError } from '@centavo/sdk';
 *
 * try {
 *   await client.accounts.list();
 * } catch (error) {
 *   if (!isMalformedAnswerError(error)) throw error;
 *   console.error('Is this Centavo?', error.message);
 * }
 */
export class MalformedAnswerError extends ConnectionError {
  static {
    brandErrors(MalformedAnswerError, 'MalformedAnswerError');
  }
}

/**
 * The response is a redirect. The client follows no redirect, because a redirect could send the token to another server.
 * @example
 * import { isRedirectRefusedError } from '@centavo/sdk';
 *
 * try {
 *   await client.accounts.list();
 * } catch (error) {
 *   if (!isRedirectRefusedError(error)) throw error;
 *   console.error('Set baseUrl to the URL of the API:', error.message);
 * }
 */
export class RedirectRefusedError extends ConnectionError {
  static {
    brandErrors(RedirectRefusedError, 'RedirectRefusedError');
  }
}

/**
 * The call did not finish within its time limit, `timeoutMs`. Nothing was written: the call was a read, a dry run, or a write that
 * cannot have taken effect.
 * @example
 * import { isTimeoutError } from '@centavo/sdk';
 *
 * try {
 *   await client.movements.list({}, { timeoutMs: 5 });
 * } catch (error) {
 *   if (!isTimeoutError(error)) throw error;
 *   console.error(error.message); // No response within 5 ms
 * }
 */
export class TimeoutError extends TransportError {
  static {
    brandErrors(TimeoutError, 'TimeoutError');
  }
}

/**
 * A write was sent, and its result is unknown. If `idempotencyKey` is not null, repeat the call with this key: the server
 * records the write once. The key is null in two cases:
 * - In the mode `independent` of `createMany`, each movement has its own key. Repeat the call with the same movements.
 * - Some operations take no key, such as the creation of a credential, an account or a member. First check whether the write took
 *   effect. Repeat the call only if it did not.
 * @example
 * import { isOutcomeUnknownError } from '@centavo/sdk';
 *
 * const input = { type: 'expense', amountDecimal: '12.50', accountId } as const;
 * try {
 *   await client.movements.create(input);
 * } catch (error) {
 *   if (!isOutcomeUnknownError(error) || error.idempotencyKey === null) throw error;
 *   const { replayed } = await client.movements
 *     .create(input, { idempotencyKey: error.idempotencyKey })
 *     .withResponse();
 *   console.log(replayed ? 'It had been recorded' : 'It is recorded now');
 * }
 */
export class OutcomeUnknownError extends TransportError {
  static {
    brandErrors(OutcomeUnknownError, 'OutcomeUnknownError');
  }
}

export function isConnectionError(value: unknown): value is ConnectionError {
  return hasErrorBrand(value, 'ConnectionError');
}

export function isMalformedAnswerError(value: unknown): value is MalformedAnswerError {
  return hasErrorBrand(value, 'MalformedAnswerError');
}

export function isRedirectRefusedError(value: unknown): value is RedirectRefusedError {
  return hasErrorBrand(value, 'RedirectRefusedError');
}

export function isTimeoutError(value: unknown): value is TimeoutError {
  return hasErrorBrand(value, 'TimeoutError');
}

export function isOutcomeUnknownError(value: unknown): value is OutcomeUnknownError {
  return hasErrorBrand(value, 'OutcomeUnknownError');
}
