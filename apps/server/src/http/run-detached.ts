import { databaseWaitMsMax } from '../idempotency/retry.js';
import { limitAnonymousOperation } from '../rate-limit/failed-credentials.js';
import type { DetachedEndpoint } from './endpoint.js';
import type { Authorized, Operation, OperationRequest, OperationServer } from './operation.js';
import { type Answer, successAnswer } from './response.js';
import { requireValid, type Validation } from './validate.js';

/**
 * Runs an operation that needs no credential and whose handler opens its own transactions. Returns the response.
 * @throws RATE_LIMITED (429) when the client's address has no rate-limit token left
 * @throws the errors of {@link requireValid} when the request is invalid
 */
export async function runAnonymously(
  server: OperationServer,
  { request, validation }: { readonly request: OperationRequest; readonly validation: Validation },
): Promise<Answer> {
  const { endpoint, requestId, address } = request;
  if (endpoint.kind !== 'detached') throw new Error(`${endpoint.route.call.name} must open its own transactions.`);
  const anonymousLimits = await limitAnonymousOperation({
    limiter: server.limiter,
    call: endpoint.route.call,
    address,
  });
  const { body } = requireValid(validation);
  const database = server.database.within(databaseWaitMsMax);
  const outcome = await endpoint.handle({ body, principal: null, claims: null, anonymousLimits, database, requestId });
  return successAnswer(request, { outcome, trackerId: null });
}

/** Runs an operation whose handler opens its own transactions, for an authorized caller. Never retries the operation. */
export async function runDetached(
  endpoint: DetachedEndpoint,
  { operation, authorized }: { readonly operation: Operation; readonly authorized: Authorized },
): Promise<Answer> {
  const { server, request, credential } = operation;
  const outcome = await endpoint.handle({
    body: authorized.valid.body,
    principal: authorized.access.principal,
    claims: credential.claims,
    anonymousLimits: null,
    database: server.database.within(databaseWaitMsMax),
    requestId: request.requestId,
  });
  return successAnswer(request, { outcome, trackerId: null });
}
