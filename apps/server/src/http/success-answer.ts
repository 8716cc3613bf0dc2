import { apiVersion } from '@centavo/contracts';
import type { ReplayDecision } from '../idempotency/replay.js';
import type { Outcome } from './endpoint.js';
import { matchesIfNoneMatch } from './entity-tags.js';
import type { Answer } from './error-answer.js';
import type { OperationRequest } from './operation.js';

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
