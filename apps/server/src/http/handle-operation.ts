import type { Request, Response } from 'express';
import { readCredential } from '../auth/credentials.js';
import { numberEvents, numberEventsMax } from '../database/number-events.queries.js';
import type { Transactions } from '../database/pool.js';
import type { Transaction } from '../database/transaction.js';
import { decideReplay } from '../idempotency/replay.js';
import { DuplicateInProgress } from '../idempotency/retry.js';
import { limitFailedCredential } from '../rate-limit/failed-credentials.js';
import { answerWithEvents } from './answer-with-events.js';
import { authenticateCaller, requireAccess, requireSessionOfIssuer } from './authorize-caller.js';
import { GeneratedIds, hideGenerated, noEffects, observeEffects, staleSnapshotOr } from './dry-run.js';
import type { Endpoint, TransactionalEndpoint } from './endpoint.js';
import { loadFor, prefetchFor, toEndpointRequest } from './endpoint-request.js';
import type { Authorized, Operation, OperationRequest, OperationServer } from './operation.js';
import { readFromReplica, serializeDuplicates, withRetries } from './operation-attempts.js';
import { type KeyedWrite, readAfterHeaderSetter, recordOutcome, toKeyedWrite } from './record-outcome.js';
import { clientAddress, lowerCaseIds, readIncoming } from './request.js';
import { RequestLimit } from './request-limit.js';
import { type Answer, dryRunAnswer, sendJson, setHeaders, storedAnswer, successAnswer } from './response.js';
import { runAnonymously, runDetached } from './run-detached.js';
import { requireValid, validateRequest } from './validate.js';

/**
 * Serves one HTTP request for an operation: reads the request, runs the operation and responds.
 * @throws ApiError for every refusal; the error handler of the app responds to it
 */
export async function serveOperation(
  server: OperationServer,
  http: {
    readonly endpoint: Endpoint;
    readonly request: Request;
    readonly response: Response;
    readonly proxyHops: number;
  },
): Promise<void> {
  const { endpoint, request, response } = http;
  const incoming = await readIncoming(request);
  const answer = await handleOperation(server, {
    endpoint,
    incoming,
    pathParameters: lowerCaseIds(request.params as Record<string, string>),
    requestId: response.locals.requestId as string,
    address: clientAddress(request, http.proxyHops),
    addHeaders: (headers) => setHeaders(response, headers),
    onClose: (listener) => void (response.closed ? listener() : response.once('close', listener)),
  });
  sendJson(response, answer);
}

/**
 * Runs an operation and returns its response. The contract fixes the order of the checks: credential (401), rate limit (429), access
 * (400, 401, 403, 404), the request itself (400, 404, 415), idempotency (409), and the rules of the operation. The check of access covers
 * the one-time code, the tracker, the kind of principal, the scope and the role.
 * @throws ApiError for every refusal
 * @source docs/contract.md, section 5
 */
export async function handleOperation(server: OperationServer, request: OperationRequest): Promise<Answer> {
  const { endpoint, address, addHeaders } = request;
  const { limiter, credentialUse } = server;
  const { call } = endpoint.route;
  const limit = new RequestLimit({ limiter, call, addHeaders });
  try {
    const validation = validateRequest({ ...request, route: endpoint.route });
    if (call.caller === 'anyone') return await runAnonymously(server, { request, validation });
    const run = () => runForCaller(server, { request, validation, limit });
    return call.numbersEvents ? await answerWithEvents(server, { read: run, onClose: request.onClose }) : await run();
  } catch (error) {
    throw await limitFailedCredential(error, { limiter, address });
  } finally {
    // A request that is refused after authentication also counts as a use of the credential.
    const credentialId = limit.principal?.credentialId ?? null;
    if (credentialId !== null) credentialUse.record(credentialId);
  }
}

/** Reads the credential and runs the operation. */
async function runForCaller(
  server: OperationServer,
  { request, validation, limit }: Pick<Operation, 'request' | 'validation' | 'limit'>,
): Promise<Answer> {
  const { endpoint, incoming } = request;
  const { call } = endpoint.route;
  const credential = await readCredential(incoming.authorization, server.identity);
  const readOnly = call.method === 'GET' && !call.numbersEvents;
  const operation = { server, request, validation, credential, limit, readOnly, startedAt: server.clock.now() };
  await requireSessionOfIssuer(operation);
  if (endpoint.kind === 'detached') {
    const authorized = await withRetries(operation, (database) => checkRequestAlone(operation, database));
    return runDetached(endpoint, { operation, authorized });
  }
  return serializeDuplicates(operation, () => withRetries(operation, (database) => runAttempt(operation, database)));
}

/**
 * Runs the operation once: on the replica if {@link readFromReplica} can use it, otherwise in one transaction on the primary. The pool
 * commits this transaction when its callback returns. If a GET sends its last query with `isLastRead`, COMMIT is already part of the batch
 * of that query. The pool rolls back when the callback throws, and after every dry run.
 */
async function runAttempt(operation: Operation, database: Transactions): Promise<Answer> {
  const replicaAnswer = await readFromReplica(operation, {
    authorize: () => checkRequestAlone(operation, database),
    perform: (tx, authorized) => replayOrRun(operation, { tx, authorized }),
  });
  if (replicaAnswer !== undefined) return replicaAnswer;
  const { readOnly } = operation;
  const { call } = operation.request.endpoint.route;
  if (call.numbersEvents && operation.server.isSharded) await numberEventsFirst(operation, database);
  const isDryRun = operation.validation.ok && operation.validation.request.isDryRun;
  const onPosition = isDryRun ? undefined : readAfterHeaderSetter(operation);
  const isGet = call.method === 'GET';
  let trackerId: string | undefined;
  const answer = await database
    .transaction({ readOnly, commitsWithLastRead: isGet, dryRun: isDryRun, onPosition }, async (tx) => {
      const authorized = await checkRequest(operation, { tx, mayPrefetch: true });
      trackerId = authorized.access.tracker?.id;
      return replayOrRun(operation, { tx, authorized });
    })
    .catch((error: unknown) => {
      throw isDryRun ? staleSnapshotOr(error) : error;
    });
  if (!isGet && !isDryRun && trackerId !== undefined) operation.server.eventWaits.noteWrite(trackerId);
  return answer;
}

/**
 * Assigns sequence numbers to all unnumbered events of the tracker. Uses separate transactions, because Citus cannot read rows that
 * another role has changed in the same transaction.
 */
async function numberEventsFirst(operation: Operation, database: Transactions): Promise<void> {
  const number = () =>
    database.transaction({ readOnly: false }, async (tx) => {
      const { access } = await checkRequest(operation, { tx });
      return access.tracker === null ? 0 : numberEvents(tx, access.tracker.id);
    });
  while ((await number()) === numberEventsMax);
}

/**
 * Authorizes the caller in a separate transaction. A read sends COMMIT in the same batch as the statement that authenticates the caller. A
 * write sends COMMIT after that batch.
 */
function checkRequestAlone(operation: Operation, database: Transactions): Promise<Authorized> {
  const { readOnly } = operation;
  return database.transaction({ readOnly }, (tx) => checkRequest(operation, { tx, isAlone: true }));
}

/**
 * Authenticates the caller, consumes rate-limit tokens, checks access and reports validation errors, in this order. This is the
 * first half of an operation's transaction, or the whole transaction if `isAlone`.
 * @param options.isAlone true if no statement follows; a read-only transaction then ends in the batch of the authenticating statement
 * @param options.mayPrefetch true if the queries that load the endpoint's data may be sent in the batch of the authenticating statement
 */
async function checkRequest(
  operation: Operation,
  options: { readonly tx: Transaction; readonly isAlone?: boolean; readonly mayPrefetch?: boolean },
): Promise<Authorized> {
  const { tx, isAlone = false, mayPrefetch = false } = options;
  const prefetch = mayPrefetch ? prefetchFor(operation, tx) : undefined;
  const caller = await authenticateCaller(operation, { tx, isAlone, afterSend: prefetch?.send });
  await operation.limit.consume(caller.principal, operation.validation.tokens);
  const access = requireAccess(operation, caller);
  const valid = requireValid(operation.validation);
  return { access, facts: caller.facts, valid, prefetched: prefetch?.result() };
}

/**
 * Returns the stored response to an earlier request with the same idempotency key, if there is one. If not, runs the handler and records
 * its effect. This is the second half of an operation's transaction. If `decideReplay` returns the kind `own`, an earlier attempt of this
 * same request stored the response, but the server received no acknowledgement of that attempt's COMMIT.
 */
async function replayOrRun(
  operation: Operation,
  { tx, authorized }: { readonly tx: Transaction; readonly authorized: Authorized },
): Promise<Answer> {
  const { request } = operation;
  const { endpoint, requestId } = request;
  if (endpoint.kind === 'detached') throw new Error(`${endpoint.route.call.name} opens its own transactions.`);
  const { principal, tracker } = authorized.access;
  const trackerId = tracker?.id ?? null;
  const endpointRequest = toEndpointRequest(operation, { tx, authorized });
  endpoint.authorize?.(endpointRequest);
  const write = toKeyedWrite(operation, authorized);
  const decision = write && decideReplay({ facts: authorized.facts, requestId, ...write });
  if (decision?.kind === 'duplicate_in_progress') throw new DuplicateInProgress();
  if (decision?.kind === 'own' || decision?.kind === 'replay') {
    const answer = storedAnswer(request, decision);
    return authorized.valid.isDryRun ? dryRunAnswer(answer, noEffects(authorized.access)) : answer;
  }
  if (authorized.valid.isDryRun) return runDryRun(operation, { tx, authorized, endpoint, write });
  const loaded = await (authorized.prefetched ?? loadFor(endpoint, endpointRequest));
  const outcome = await endpoint.handle(endpointRequest, loaded);
  recordOutcome(operation, { tx, outcome, write, principal, tracker });
  return successAnswer(request, { outcome, trackerId });
}

/** Runs the handler and the same statements as a real write, and returns the result with its effects. The pool then rolls back. */
async function runDryRun(
  operation: Operation,
  {
    tx,
    authorized,
    endpoint,
    write,
  }: {
    readonly tx: Transaction;
    readonly authorized: Authorized;
    readonly endpoint: TransactionalEndpoint;
    readonly write: KeyedWrite | undefined;
  },
): Promise<Answer> {
  const { request, server } = operation;
  const { access } = authorized;
  const ids = new GeneratedIds(server.newId);
  const endpointRequest = { ...toEndpointRequest(operation, { tx, authorized }), newId: ids.make };
  const { result: outcome, effects } = await observeEffects({ tx, access }, async () => {
    const loaded = await (authorized.prefetched ?? loadFor(endpoint, endpointRequest));
    const outcome = await endpoint.handle(endpointRequest, loaded);
    recordOutcome(operation, { tx, outcome, write, principal: access.principal, tracker: access.tracker });
    await tx.sendDeferred();
    return outcome;
  });
  const { call } = endpoint.route;
  const { etag: _, isNew = call.status === 201, ...shown } = outcome;
  const data = hideGenerated(outcome, { ids, isCreate: isNew });
  const answer = successAnswer(request, { outcome: { ...shown, data }, trackerId: access.tracker?.id ?? null });
  return dryRunAnswer({ ...answer, headers: {} }, effects);
}
