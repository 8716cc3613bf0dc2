import type { Pagination } from '@centavo/contracts';
import { apiVersion, bodyBytesMax, type ErrorCode, errorCodes, headerNames } from '@centavo/contracts/calls';
import { anId, sharedTrackerId } from './an-id.js';

/** The properties of a successful response, in addition to its data. */
export interface SuccessFields {
  /** The HTTP status. Default 200. */
  readonly status?: number | undefined;
  readonly etag?: string | undefined;
  /** True if this response is a replay of the stored response to an earlier request with the same idempotency key. */
  readonly replayed?: boolean | undefined;
  readonly pagination?: Pagination | undefined;
  /** The value of the `Location` header: the absolute path of the created record, such as `/v1/financial/movements/{id}`. */
  readonly location?: string | undefined;
  readonly trackerId?: string | null | undefined;
}

/**
 * Returns a successful response as the server sends it, with the envelope, a new request id and the headers.
 * @example
 * import { aBudget, successAnswer } from '@centavo/sdk/testing';
 *
 * const answer = successAnswer([aBudget()]);
 * console.log(answer.status, answer.headers.get('X-Request-Id'));
 */
export function successAnswer(data: unknown, fields: SuccessFields = {}): Response {
  const { status = 200, etag, replayed = false, pagination, location, trackerId = sharedTrackerId } = fields;
  const requestId = anId();
  const headers = headersOf(requestId, { [headerNames.etag]: etag, [headerNames.location]: location });
  if (status === 204) return new Response(null, { status, headers });
  const meta = {
    apiVersion,
    requestId,
    trackerId,
    ...(replayed && { idempotentReplay: true }),
    ...(pagination && { pagination }),
  };
  return jsonAnswer({ data, meta }, { status, headers });
}

/** The properties of an error response, in addition to its error code. By default, they have values that are valid for this code. */
export interface ErrorFields {
  readonly message?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** The `Retry-After` header in whole seconds, for error codes that have it. Default 1. If it is 0, the client uses its own back-off. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * Returns an error response as the server sends it: the envelope, and the status, the headers and the `details` for this error code.
 * @example
 * import { errorAnswer } from '@centavo/sdk/testing';
 *
 * const answer = errorAnswer('RATE_LIMITED', { retryAfterSeconds: 30 });
 * console.log(answer.status, answer.headers.get('Retry-After')); // 429 "30"
 */
export function errorAnswer(code: ErrorCode, fields: ErrorFields = {}): Response {
  const { status, remedy } = errorCodes[code];
  const { message = remedy, retryAfterSeconds = 1 } = fields;
  const details = fields.details ?? usualDetails(retryAfterSeconds)[code] ?? {};
  const requestId = anId();
  const hasRetryAfter = status === 429 || status === 503 || code === 'IDEMPOTENCY_IN_PROGRESS';
  const headers = headersOf(requestId, {
    [headerNames.retryAfter]: hasRetryAfter ? String(retryAfterSeconds) : undefined,
    [headerNames.etag]: typeof details.currentEtag === 'string' ? details.currentEtag : undefined,
    'WWW-Authenticate': status === 401 ? challengeOf(code) : undefined,
    Allow: status === 405 ? 'GET' : undefined,
  });
  return jsonAnswer({ error: { code, message, details }, meta: { apiVersion, requestId } }, { status, headers });
}

type Details = Readonly<Record<string, unknown>>;

/**
 * Returns the default `details` of error codes. For an error code that is not in the result, the default `details` is empty.
 * @source docs/contract.md, section 5
 */
function usualDetails(retryAfterSeconds: number): Partial<Record<ErrorCode, Details>> {
  return {
    VALIDATION_ERROR: { issues: [{ path: 'amountDecimal', code: 'REQUIRED', message: 'Send an amount.' }] },
    STEP_UP_REQUIRED: { method: 'totp', maxAgeSeconds: 600 },
    INSUFFICIENT_SCOPE: { requiredScopes: ['movements:write'] },
    INSUFFICIENT_ROLE: { requiredRole: 'editor' },
    TRACKER_FORBIDDEN: { trackerIds: [] },
    VERSION_CONFLICT: { currentEtag: '"a-newer-version"' },
    STATE_CONFLICT: { reason: 'limit_reached' },
    PAYLOAD_TOO_LARGE: { maxBytes: bodyBytesMax },
    RATE_LIMITED: { policy: 'writes', limit: 300, windowSeconds: 60, retryAfterSeconds },
  };
}

function challengeOf(code: ErrorCode): string {
  if (code === 'UNAUTHENTICATED') return 'Bearer realm="centavo"';
  if (code === 'STEP_UP_REQUIRED') return 'Bearer error="insufficient_user_authentication", max_age="600"';
  return 'Bearer realm="centavo", error="invalid_token"';
}

function headersOf(requestId: string, others: Readonly<Record<string, string | undefined>>): Headers {
  const headers = new Headers({ [headerNames.requestId]: requestId, 'Cache-Control': 'no-store, no-transform' });
  for (const [name, value] of Object.entries(others)) if (value !== undefined) headers.set(name, value);
  return headers;
}

function jsonAnswer(body: unknown, { status, headers }: { readonly status: number; readonly headers: Headers }) {
  headers.set('Content-Type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers });
}
