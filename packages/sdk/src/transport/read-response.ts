import type { Pagination, SuccessMeta } from '@centavo/contracts';
import { calls, headerNames } from '@centavo/contracts/calls';
import type { CheckData } from '../client-options.js';
import { errorOfAnswer } from '../errors/error-of-answer.js';
import { MalformedAnswerError, RedirectRefusedError } from '../errors/transport-errors.js';
import { type AttemptOutcome, type EffectOnServer, type Failure, failureWithoutAnswer } from './attempt-outcome.js';
import type { BuiltRequest } from './build-request.js';
import { redactToken, redactTokenInHeaders } from './redact.js';
import { parseRetryAfter } from './retry-after.js';

/** A response with its body. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Null if the body exceeds the maximum size of a response. */
  readonly text: string | null;
}

/**
 * Returns the outcome of an attempt that received a response: a success with its data, or a failure with its effect on the server.
 * @param environment.token redacted in errors, because a server or proxy may echo it
 */
export function readResponse<Data>(
  request: BuiltRequest,
  answer: ReadAnswer,
  environment: { readonly token: string | null; readonly nowMs: number; readonly checkData?: CheckData | undefined },
): AttemptOutcome<Data> {
  if (isRedirect(answer.status)) return redirected(request, answer);
  if (answer.status < 200 || answer.status > 299) return refused(request, answer, environment);
  return succeeded<Data>(request, answer, environment.checkData);
}

function succeeded<Data>(
  request: BuiltRequest,
  answer: ReadAnswer,
  checkData: CheckData | undefined,
): AttemptOutcome<Data> {
  const { status, text } = answer;
  if (text === null) return malformed(request, status, 'is longer than 16 MiB');
  const parsed = status === 204 ? { data: undefined, meta: null } : parseJson(text);
  if (!request.enveloped && parsed !== undefined) {
    return { kind: 'success', response: responseOf(request, answer, parsed as Data, null) };
  }
  if (status !== 204 && !isEnvelope(parsed)) return malformed(request, status, 'is not in the format of this API');
  const { data, meta } = parsed as { data: Data; meta: SuccessMeta | null };
  if (meta?.pagination !== undefined && !isValidPage(request, data, meta.pagination)) {
    return malformed(request, status, 'says that more rows follow, but has no rows or no new cursor');
  }
  const fault = checkData?.({ call: request.call, data, isDryRun: meta?.dryRun === true });
  if (fault !== undefined)
    return malformed(request, status, `does not match the response format of ${request.call}: ${fault}`);
  return { kind: 'success', response: responseOf(request, answer, data, meta) };
}

function malformed(request: BuiltRequest, status: number, fault: string): Failure {
  const message = `The response with status ${status} ${fault}; is baseUrl right?`;
  const error = new MalformedAnswerError({ message, idempotencyKey: request.idempotencyKey });
  return failureWithoutAnswer('malformed', 'unknown', error, status);
}

function responseOf<Data>(request: BuiltRequest, answer: ReadAnswer, data: Data, meta: SuccessMeta | null) {
  const { status, headers } = answer;
  return {
    data,
    meta,
    requestId: meta?.requestId ?? headers.get(headerNames.requestId),
    etag: headers.get(headerNames.etag),
    replayed: meta?.idempotentReplay === true,
    status,
    headers,
    idempotencyKey: request.idempotencyKey,
  };
}

function refused(
  request: BuiltRequest,
  answer: ReadAnswer,
  { token, nowMs }: { readonly token: string | null; readonly nowMs: number },
): Failure {
  const { status } = answer;
  const text = redactToken(answer.text ?? '', token);
  const headers = redactTokenInHeaders(answer.headers, token);
  const retryAfter = headers.get(headerNames.retryAfter);
  const retryAfterMs = parseRetryAfter({ retryAfter, date: headers.get('date'), nowMs });
  const { idempotencyKey } = request;
  const error = errorOfAnswer({ status, headers, text, hasToken: token !== null, idempotencyKey, retryAfterMs });
  const { code } = error;
  return { kind: 'failure', cause: 'answer', effect: effectOf(status, code), error, status, code, retryAfterMs };
}

/**
 * Returns the effect of a write that failed with an error response (docs/contract.md, section 5, order of checks):
 * - `unknown` after a 5xx or IDEMPOTENCY_IN_PROGRESS.
 * - `not-run` after 408, after an error of authentication, rate limit or rights, and after a response below 500 that is not in the format
 *   of the API. The server has then not looked up the idempotency key, so an earlier attempt may have had an effect.
 * - `none` after any other error. If the server rejected the content, it rejected all attempts, because all have the same content. If the
 *   lookup of the key or a later check failed, no earlier attempt had succeeded: the server would have returned its stored response.
 */
function effectOf(status: number, code: string): EffectOnServer {
  if (status >= 500) return 'unknown';
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return 'unknown';
  return code === 'UNRECOGNIZED_ANSWER' || [401, 403, 408, 429].includes(status) ? 'not-run' : 'none';
}

function redirected(request: BuiltRequest, answer: ReadAnswer): Failure {
  const message =
    'The server redirects. The client follows no redirect, because a redirect could send the token to another server';
  const error = new RedirectRefusedError({ message, idempotencyKey: request.idempotencyKey });
  return failureWithoutAnswer('redirect', 'not-run', error, answer.status);
}

// If `fetch` does not follow a redirect, browsers report status 0.
function isRedirect(status: number): boolean {
  return status === 0 || [300, 301, 302, 303, 305, 307, 308].includes(status);
}

/** The maximum nesting of a response. Responses of this API have fewer levels. Without the limit, recursion could overflow the stack. */
const nestingMax = 100;

function isNestedWithin(levels: number, value: unknown): boolean {
  if (!isObject(value)) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedWithin(levels - 1, inner));
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isNestedWithin(nestingMax, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEnvelope(value: unknown): value is { data: unknown; meta: SuccessMeta } {
  if (!isObject(value) || !('data' in value) || !isObject(value.meta)) return false;
  const { requestId, pagination } = value.meta;
  return typeof requestId === 'string' && (pagination === undefined || isPagination(pagination));
}

function isPagination(value: unknown): boolean {
  return isObject(value) && typeof value.hasMore === 'boolean';
}

/**
 * Returns true for the last page, and for a page that has rows and a next cursor other than the cursor of the request. Returns false
 * for any other page, because a loop over the pages could then be endless. Exception: a page of the audit trail needs a new cursor, but
 * it may have no rows: the server examines at most 10,000 events for such a page, and perhaps none of them matches the filters.
 * @source docs/additions.md, section 4.2
 */
function isValidPage({ call, url }: BuiltRequest, data: unknown, { hasMore, nextCursor }: Pagination): boolean {
  if (!hasMore) return true;
  if (!Array.isArray(data) || typeof nextCursor !== 'string') return false;
  if (data.length === 0 && call !== calls.listAuditEvents.name) return false;
  return nextCursor !== '' && nextCursor !== new URL(url).searchParams.get('cursor');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
