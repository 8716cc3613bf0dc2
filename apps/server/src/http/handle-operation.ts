import { readCredential } from '../auth/credentials.js';
import type { Transaction, Transactions } from '../database/database.js';
import { decideReplay } from '../idempotency/replay.js';
import { DuplicateInProgress, databaseWaitMsMax } from '../idempotency/retry.js';
import { limitAnonymousOperation, limitFailedCredential } from '../rate-limit/failed-credentials.js';
import { authenticateCaller, authorizeCaller, requireSessionOfIssuer } from './authorize-caller.js';
import { loadFor, prefetchFor, toEndpointRequest } from './endpoint-request.js';
import type { Authorized, Operation, OperationRequest, OperationServer } from './operation.js';
import { RequestLimit } from './operation.js';
import { oneAtATime, readFromReplica, retryUntilDecided } from './operation-attempts.js';
import { positionAnnouncer, recordOutcome, toKeyedWrite } from './record-outcome.js';
import type { Answer } from './response.js';
import { storedAnswer, successAnswer } from './response.js';
import { requireValid, type Validation, validateRequest } from './validate.js';

/**
 * Handles one operation in the order that the contract fixes: credential (401), rate limit (429), tracker, scope and role
 * (400, 403), the request itself (400, 415), idempotency (409), the rules of the operation. Source: contract, section 5
 * @throws ApiError for every refusal
 */
export async function handleOperation(server: OperationServer, request: OperationRequest): Promise<Answer> {
  const { endpoint, address, announce } = request;
  const { call } = endpoint.route;
  const validation = validateRequest({ ...request, route: endpoint.route });
  try {
    if (call.caller === 'anyone') return await handleAnonymously(server, request, validation);
    const credential = await readCredential(request.incoming.authorization, server.identity);
    const limit = new RequestLimit({ limiter: server.limiter, call, announce });
    return await handleCredentialed({ server, request, validation, credential, limit, startedAt: server.clock.now() });
  } catch (error) {
    throw await limitFailedCredential(error, { limiter: server.limiter, address });
  }
}

/** Runs an operation whose credential was read, and afterwards notes that it was used, also by a refused request. */
async function handleCredentialed(operation: Operation): Promise<Answer> {
  const { server, request, limit } = operation;
  try {
    await requireSessionOfIssuer(operation);
    if (request.endpoint.kind === 'detached') return await handleDetached(operation);
    return await oneAtATime(operation, () => retryUntilDecided(operation, (database) => attempt(operation, database)));
  } finally {
    const credentialId = limit.principal?.credentialId ?? null;
    if (credentialId !== null) server.credentialUse.record(credentialId);
  }
}

/** Runs an operation that needs no credential. */
async function handleAnonymously(
  server: OperationServer,
  request: OperationRequest,
  validation: Validation,
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

/** Authorizes the caller in one transaction, then runs a handler that opens its own transactions. */
async function handleDetached(operation: Operation): Promise<Answer> {
  const { server, request, credential } = operation;
  const { endpoint, requestId } = request;
  if (endpoint.kind !== 'detached') throw new Error(`${endpoint.route.call.name} runs in a transaction.`);
  const { access, valid } = await retryUntilDecided(operation, (database) =>
    database.transaction({ readOnly: isRead(request) }, (tx) => authorize(operation, tx)),
  );
  const outcome = await endpoint.handle({
    body: valid.body,
    principal: access.principal,
    claims: credential.claims,
    anonymousLimits: null,
    database: server.database.within(databaseWaitMsMax),
    requestId,
  });
  return successAnswer(request, { outcome, trackerId: null });
}

/** Runs the operation once: on the replica if the request and the replica allow it, else on the primary. */
async function attempt(operation: Operation, database: Transactions): Promise<Answer> {
  const { request } = operation;
  const fromReplica = await readFromReplica(operation, {
    authorize: () => database.transaction({ readOnly: true }, (tx) => authorize(operation, tx, { isAlone: true })),
    perform: (tx, authorized) => perform(operation, tx, authorized),
  });
  if (fromReplica !== undefined) return fromReplica;
  return database.transaction({ readOnly: isRead(request), onPosition: positionAnnouncer(operation) }, async (tx) =>
    perform(operation, tx, await authorize(operation, tx, { prefetches: true })),
  );
}

/**
 * Authenticates the caller, consumes a rate-limit token, checks access and reports validation errors, in this order. It is the
 * first half of an operation's transaction.
 * @param options.isAlone true to send COMMIT in the same batch; no statement may follow
 * @param options.prefetches true if the endpoint's load may be sent in the batch of the authenticating statement
 */
async function authorize(
  operation: Operation,
  tx: Transaction,
  { isAlone = false, prefetches = false } = {},
): Promise<Authorized> {
  const prefetch = prefetches ? prefetchFor(operation, tx) : undefined;
  const caller = await authenticateCaller(operation, tx, { isAlone, afterSend: prefetch?.send });
  await operation.limit.consume(caller.principal);
  const access = authorizeCaller(operation, caller);
  const valid = requireValid(operation.validation);
  return { access, facts: caller.facts, valid, prefetched: prefetch?.result };
}

/**
 * Replays the stored answer of an earlier request, or runs the handler and records its effect. It is the second half of an
 * operation's transaction. An `own` stored answer is that of an earlier attempt whose COMMIT was not acknowledged.
 */
async function perform(operation: Operation, tx: Transaction, authorized: Authorized): Promise<Answer> {
  const { request } = operation;
  const { endpoint, requestId } = request;
  if (endpoint.kind === 'detached') throw new Error(`${endpoint.route.call.name} opens its own transactions.`);
  const endpointRequest = toEndpointRequest(operation, tx, authorized);
  const trackerId = authorized.access.tracker?.id ?? null;
  endpoint.authorize?.(endpointRequest);
  const write = toKeyedWrite(operation, authorized);
  const earlier = write && decideReplay({ facts: authorized.facts, requestId, ...write });
  if (earlier?.kind === 'duplicate_in_progress') throw new DuplicateInProgress();
  if (earlier?.kind === 'own' || earlier?.kind === 'replay') return storedAnswer(request, earlier, trackerId);
  const loaded = await (authorized.prefetched?.() ?? loadFor(endpoint, endpointRequest));
  const outcome = await endpoint.handle(endpointRequest, loaded);
  recordOutcome(operation, tx, { outcome, write, principal: authorized.access.principal });
  return successAnswer(request, { outcome, trackerId });
}

function isRead({ endpoint }: OperationRequest): boolean {
  return endpoint.route.call.method === 'GET';
}
