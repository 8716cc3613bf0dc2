import { numberEvents } from '../database/number-events.queries.js';
import { currentTrackerId, currentUserId } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import { duplicateWaitMsMax } from '../idempotency/retry.js';
import type { EndpointRequest, TransactionalEndpoint } from './endpoint.js';
import type { Authorized, Operation } from './operation.js';

/** The first statements of an endpoint (`load`), sent in the same batch as the authenticating statement. */
export interface Prefetch {
  /** Calls `load`. PostgreSQL runs the statements of `load` with the role and the context that the authenticating statement has set. */
  readonly send: () => void;
  /** Returns the promise of `load`, or undefined before `send`. */
  readonly result: () => Promise<unknown> | undefined;
}

/**
 * Returns the prefetch of an endpoint, or undefined if the endpoint has no `load`, the request is invalid, or Citus distributes the
 * database.
 */
export function prefetchFor({ server, request, validation }: Operation, tx: Transaction): Prefetch | undefined {
  const { endpoint, pathParameters } = request;
  if (server.isSharded || !validation.ok || endpoint.kind === 'detached' || endpoint.load === undefined)
    return undefined;
  const { load } = endpoint;
  const { query, body } = validation.request;
  const context = {
    userId: currentUserId,
    trackerId: currentTrackerId,
    numberEvents: (max?: number) => numberEvents(tx, currentTrackerId, max),
  };
  let result: Promise<unknown> | undefined;
  return {
    send() {
      // `load` may throw synchronously. The async function turns the error into a rejection of `result`, which is awaited only after the
      // caller is authorized.
      result = (async () => load({ tx, pathParameters, query, body, ...context }))();
      result.catch(() => {});
    },
    result: () => result,
  };
}

/** Calls `load` of an endpoint and returns the result, or undefined if there is no `load`. The caller must be authorized. */
export async function loadFor(endpoint: TransactionalEndpoint, request: EndpointRequest): Promise<unknown> {
  if (endpoint.load === undefined) return undefined;
  const { principal, tracker, ...sent } = request;
  if (tracker === null) throw new Error(`${endpoint.route.call.name} needs a tracker, but the request has none.`);
  return endpoint.load({ ...sent, userId: principal.userId, trackerId: tracker.id });
}

/** Returns the request of an authorized caller in the form that handlers take. */
export function toEndpointRequest(
  { server, request, credential, startedAt }: Operation,
  { tx, authorized }: { readonly tx: Transaction; readonly authorized: Authorized },
): EndpointRequest {
  const { access, valid } = authorized;
  const { tracker } = access;
  return {
    principal: access.principal,
    tracker,
    eligibleTrackerIds: access.eligibleTrackerIds,
    tx,
    pathParameters: request.pathParameters,
    query: valid.query,
    body: valid.body,
    ifMatch: valid.ifMatch,
    requestId: request.requestId,
    numberEvents: async (max) => (server.isSharded || tracker === null ? 0 : numberEvents(tx, tracker.id, max)),
    isSharded: server.isSharded,
    mayWaitForDuplicate: server.clock.now() - startedAt < duplicateWaitMsMax,
    totpAtSeconds: credential.claims?.totpAtSeconds ?? null,
    newId: server.newId,
  } as EndpointRequest;
}
