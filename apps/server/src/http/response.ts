import type { ServerResponse } from 'node:http';
import { apiVersion, type BulkMeta, type DryRunEffects, type ErrorCode, errorCodes } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import { completeStoredRecord } from '../idempotency/complete-stored-record.js';
import type { ReplayDecision } from '../idempotency/replay.js';
import { WrittenJson } from '../optimizations/written-json.js';
import type { EventWait, Outcome } from './endpoint.js';
import type { OperationRequest } from './operation.js';
import { matchesIfNoneMatch } from './request.js';
import { countUnread } from './stalled-connections.js';

/** A response that is ready to be written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a response without a body. */
  readonly body: unknown;
  /** See {@link Outcome.wait}. */
  readonly wait?: EventWait;
}

/** Returns the response for a handler's outcome: status, headers and envelope as the route declares them. */
export function successAnswer(
  request: OperationRequest,
  result: { readonly outcome: Outcome; readonly trackerId: string | null; readonly isReplay?: boolean },
): Answer {
  const { route } = request.endpoint;
  const { outcome, isReplay = false } = result;
  const headers: Record<string, string> = {};
  if (outcome.etag !== undefined) headers.ETag = outcome.etag;
  const { status = route.call.status } = outcome;
  if (route.location !== null && status === 201 && !isReplay) {
    headers.Location = route.location(outcome.data as never, request.pathParameters);
  }
  if (route.call.method === 'GET' && outcome.etag !== undefined) {
    if (matchesIfNoneMatch(request.incoming.ifNoneMatch, outcome.etag))
      return { status: 304, headers, body: undefined };
  }
  if (route.call.status === 204) return { status: 204, headers, body: undefined };
  const meta = {
    apiVersion,
    requestId: request.requestId,
    trackerId: outcome.trackerId === undefined ? result.trackerId : outcome.trackerId,
    ...(isReplay ? { idempotentReplay: true } : {}),
    ...(outcome.pagination === undefined ? {} : { pagination: outcome.pagination }),
    ...(outcome.summary === undefined ? {} : { summary: outcome.summary }),
    ...(outcome.bulk === undefined ? {} : { bulk: outcome.bulk }),
    ...(outcome.feed === undefined ? {} : { feed: outcome.feed }),
  };
  const { wait } = outcome;
  return { status, headers, body: { data: outcome.data, meta }, ...(wait === undefined ? {} : { wait }) };
}

/**
 * Returns the response that is stored under the idempotency key. If `decision.kind` is `own`, an earlier attempt of the server to execute
 * this same request stored the response, so the response is returned like a first response. If `decision.kind` is `replay`, the response
 * is marked as a replay and has status 200.
 */
export function storedAnswer(
  request: OperationRequest,
  decision: Extract<ReplayDecision, { kind: 'own' | 'replay' }>,
): Answer {
  const { etag, trackerId } = decision.answer;
  const data = completeStoredRecord(request.endpoint.route.call.name, decision.answer.data);
  const outcome = {
    data,
    ...(etag === null ? {} : { etag }),
    ...(request.endpoint.route.bulk === null ? {} : { bulk: countStoredItems(data, decision) }),
  };
  if (decision.kind === 'own') return successAnswer(request, { outcome, trackerId });
  return { ...successAnswer(request, { outcome, trackerId, isReplay: true }), status: 200 };
}

/**
 * Returns the numbers of created, replayed and failed items for a bulk response that is stored as a whole. Either this request created all
 * items, or all items are replayed.
 */
function countStoredItems(items: unknown, { kind }: { readonly kind: 'own' | 'replay' }): BulkMeta {
  const { length } = items as readonly unknown[];
  return kind === 'own' ? { created: length, replayed: 0, failed: 0 } : { created: 0, replayed: length, failed: 0 };
}

/** Returns the response of a dry run: the given response with status 200, and with the effects in `meta`. */
export function dryRunAnswer({ headers, body }: Answer, effects: DryRunEffects): Answer {
  const { data, meta } = body as { readonly data: unknown; readonly meta: object };
  return { status: 200, headers, body: { data, meta: { ...meta, dryRun: true, effects } } };
}

/**
 * Returns the error envelope for a thrown error, with a link to the page of its code. An error that is not an ApiError becomes a
 * 500 without internal details.
 */
export function errorAnswer(error: unknown, requestId: string): Answer {
  const apiError = error instanceof ApiError ? error : internalError(error);
  return {
    status: apiError.status,
    headers: { ...apiError.headers, Link: `<${errorPagePath(apiError.code)}>; rel="help"` },
    body: {
      error: { code: apiError.code, message: apiError.message, details: apiError.details },
      meta: { apiVersion, requestId },
    },
  };
}

/** Returns the path of the page that describes an error code. */
export function errorPagePath(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}

/**
 * Writes a JSON response. Express's own `json()` is not used, because it adds weak ETags and sends 304 by itself. `no-transform`
 * keeps proxies from compressing the body, because compression would weaken the ETags.
 * @source docs/contract.md, section 1
 */
export function sendJson(response: ServerResponse, answer: Answer): void {
  response.statusCode = answer.status;
  response.setHeader('Cache-Control', 'no-store, no-transform');
  setHeaders(response, answer.headers);
  if (answer.body === undefined) {
    response.end();
    return;
  }
  const text = toJson(answer.body);
  const bytes = Buffer.byteLength(text);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes);
  if (bytes > pieceBytes) {
    countUnread(response, bytes);
    sendBytes(response, Buffer.from(text));
    return;
  }
  response.end(text);
}

/**
 * The maximum size of one write in bytes. Node counts a write as sent only when the operating system has accepted all its bytes. With
 * small writes, the server therefore notices earlier that a slow client still reads.
 */
export const pieceBytes = 65_536;

/** Writes a response body and ends the response. Sends the next piece when the operating system has accepted the previous one. */
export function sendBytes(response: ServerResponse, body: Buffer): void {
  let sentBytes = 0;
  const sendNext = () => {
    const piece = body.subarray(sentBytes, sentBytes + pieceBytes);
    sentBytes += piece.length;
    if (sentBytes === body.length) response.end(piece);
    else
      response.write(piece, (error) => {
        if (!error) sendNext();
      });
  };
  sendNext();
}

export function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function toJson(body: unknown): string {
  const { data, meta } = body as { readonly data?: unknown; readonly meta?: unknown };
  return data instanceof WrittenJson ? `{"data":${data.text},"meta":${JSON.stringify(meta)}}` : JSON.stringify(body);
}

function internalError(cause: unknown): ApiError {
  return new ApiError({
    code: 'INTERNAL_ERROR',
    message: `The service had an internal error. ${errorCodes.INTERNAL_ERROR.remedy}`,
    cause,
  });
}
