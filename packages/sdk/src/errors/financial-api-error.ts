import type { ErrorCode } from '@centavo/contracts/calls';
import { brandErrors, hasErrorBrand } from './error-brand.js';
import { FinancialError } from './financial-error.js';

/**
 * The code of an error response: a code from the error table of the API contract, or a code that a newer server has added.
 * If the response does not have the error format of this API, the client sets the code: `NOT_MODIFIED` for a 304, and
 * `UNRECOGNIZED_ANSWER` for any other status, for example if a proxy responded.
 */
export type ApiErrorCode = ErrorCode | 'NOT_MODIFIED' | 'UNRECOGNIZED_ANSWER' | (string & {});

/** The properties of an error response. */
export interface ApiErrorFields {
  readonly message: string;
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
  readonly idempotencyKey: string | null;
  readonly retryAfterMs: number | null;
}

/**
 * An error response of the server. Each subclass is one kind of error.
 * @example
 * import { isFinancialApiError } from '@centavo/sdk';
 *
 * try {
 *   await client.movements.get(movementId);
 * } catch (error) {
 *   if (!isFinancialApiError(error)) throw error;
 *   console.error(error.code, error.message, `(request ${error.requestId})`);
 * }
 */
export class FinancialApiError extends FinancialError {
  static {
    brandErrors(FinancialApiError, 'FinancialApiError');
  }

  readonly code: ApiErrorCode;
  readonly status: number;
  /** The server's id of the failed request, for error reports; null if the response does not contain it. */
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
  /** The idempotency key of the failed write, the same in all its attempts; null for reads and for writes without a key. */
  readonly idempotencyKey: string | null;

  constructor(fields: ApiErrorFields) {
    super(fields.message);
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.details = fields.details;
    this.headers = fields.headers;
    this.idempotencyKey = fields.idempotencyKey;
  }

  override toJSON(): Record<string, unknown> {
    const { code, status, requestId, details, idempotencyKey } = this;
    return { ...super.toJSON(), code, status, requestId, details, idempotencyKey };
  }
}

export function isFinancialApiError(value: unknown): value is FinancialApiError {
  return hasErrorBrand(value, 'FinancialApiError');
}
