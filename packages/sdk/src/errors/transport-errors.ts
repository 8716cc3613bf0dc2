/** What can happen on the way to the server and back. */
import { brandErrors, hasErrorBrand } from './error-brand.js';
import { FinancialError } from './financial-error.js';

/** What is known when no usable answer came. */
export interface TransportErrorFields {
  readonly message: string;
  readonly idempotencyKey: string | null;
  readonly cause?: unknown;
}

abstract class TransportError extends FinancialError {
  /** The key that all attempts of this write carried; null for reads and for writes that take none. */
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
 * No answer of the API came. Nothing was written: it was a read, or the server was never reached.
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
 * A success that is not one of this API's: another server, or a proxy's page. Look at `baseUrl`.
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
 * A redirect, which is never followed: the token would go wherever the answer says.
 * @example
 * import { isRedirectRefusedError } from '@centavo/sdk';
 *
 * try {
 *   await client.accounts.list();
 * } catch (error) {
 *   if (!isRedirectRefusedError(error)) throw error;
 *   console.error('Set baseUrl to where the API is:', error.message);
 * }
 */
export class RedirectRefusedError extends ConnectionError {
  static {
    brandErrors(RedirectRefusedError, 'RedirectRefusedError');
  }
}

/**
 * The deadline passed. Nothing was written: it was a read, or a write that had not been sent.
 * @example
 * import { isTimeoutError } from '@centavo/sdk';
 *
 * try {
 *   await client.movements.list({}, { timeoutMs: 5 });
 * } catch (error) {
 *   if (!isTimeoutError(error)) throw error;
 *   console.error(error.message); // No answer within 5 ms
 * }
 */
export class TimeoutError extends TransportError {
  static {
    brandErrors(TimeoutError, 'TimeoutError');
  }
}

/**
 * A write was sent and no answer told what became of it. With a key, repeat the same call with
 * `{ idempotencyKey: error.idempotencyKey }`: it is recorded once, whichever attempt arrived. With null the call takes no
 * key (a new credential, an account, a member): look at the list before repeating it.
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
