import type { ServerResponse } from 'node:http';
import { apiVersion, type ErrorCode, errorCodes } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import type { ReplayDecision } from '../idempotency/replay.js';
import type { Outcome } from './endpoint.js';
import type { OperationRequest } from './operation.js';
import { matchesIfNoneMatch } from './request.js';
import { countUnread } from './stalled-connections.js';
import { WrittenJson } from './written-json.js';

/** The answer that is stored under a key: as the first one, where this request recorded it itself, else as a replay. */
export function storedAnswer(
  request: OperationRequest,
  decision: Extract<ReplayDecision, { kind: 'own' | 'replay' }>,
  trackerId: string | null,
): Answer {
  const { data, etag } = decision.answer;
  const outcome = etag === null ? { data } : { data, etag };
  if (decision.kind === 'own') return successAnswer(request, { outcome, trackerId });
  const answer = successAnswer(request, { outcome, trackerId, isReplay: true });
  return { ...answer, status: 200 };
}

/** What a handler has to say, with status, headers and envelope as the route declares them. */
export function successAnswer(
  request: OperationRequest,
  result: { readonly outcome: Outcome; readonly trackerId: string | null; readonly isReplay?: boolean },
): Answer {
  const { route } = request.endpoint;
  const { outcome } = result;
  const headers: Record<string, string> = {};
  if (outcome.etag !== undefined) headers.ETag = outcome.etag;
  if (route.location !== null && result.isReplay !== true) {
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
    ...(result.isReplay === true ? { idempotentReplay: true } : {}),
    ...(outcome.pagination === undefined ? {} : { pagination: outcome.pagination }),
  };
  return { status: route.call.status, headers, body: { data: outcome.data, meta } };
}

/** An answer ready to be written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Where the page of a code is, from the root of the server. */
export function errorPagePath(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}

/**
 * The error envelope for anything thrown, with a link to the page of its code; what is not an ApiError is a 500 that says
 * nothing of the inside.
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

function internalError(cause: unknown): ApiError {
  return new ApiError({
    code: 'INTERNAL_ERROR',
    message: `Something went wrong inside the service. ${errorCodes.INTERNAL_ERROR.remedy}`,
    cause,
  });
}

/**
 * Writes a JSON answer. Express's own `json()` is passed by: it would add weak ETags and answer 304 by itself.
 * `no-transform` keeps proxies from compressing, which would weaken our ETags. Source: contract, section 1.
 */
export function sendJson(
  response: ServerResponse,
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: unknown },
): void {
  response.statusCode = answer.status;
  response.setHeader('Cache-Control', 'no-store, no-transform');
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
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
  // A text goes out in one piece with the head. As many bytes as characters are ASCII, which needs no encoding: as Latin-1 it is
  // copied.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

function toJson(body: unknown): string {
  const { data, meta } = body as { readonly data?: unknown; readonly meta?: unknown };
  return data instanceof WrittenJson ? `{"data":${data.text},"meta":${JSON.stringify(meta)}}` : JSON.stringify(body);
}

/** As much as is written at once. The system reports only whole writes, so smaller ones show that a slow client still reads. */
export const pieceBytes = 65_536;

/** Writes the body of an answer and ends it. A large one goes out in pieces, each once the system has taken the one before. */
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
