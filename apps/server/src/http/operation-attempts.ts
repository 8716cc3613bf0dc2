import { openReplicaContext } from '../auth/auth.queries.js';
import { withNewUser } from '../auth/authenticate.js';
import type { Transactions } from '../database/pool.js';
import type { Transaction } from '../database/transaction.js';
import { duplicateWaitMsMax, retryTransaction } from '../idempotency/retry.js';
import type { Authorized, Operation } from './operation.js';

/**
 * Serializes the requests in this process that have the same caller and idempotency key. Runs `work` when the earlier requests have
 * ended, or after {@link duplicateWaitMsMax}. Waiting requests use no connection, so duplicates cannot exhaust the pool. Without a key,
 * runs `work` at once.
 */
export function serializeDuplicates<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
  const { server, credential } = operation;
  const keys = idempotencyKeysOf(operation);
  if (keys.length === 0) return work();
  return server.keyedMutex.run({
    keys: keys.map((key) => `${credential.callerKey} ${key}`),
    waitMsMax: duplicateWaitMsMax,
    sleep: server.clock.sleep,
    work,
  });
}

/**
 * Runs `work`, and retries it after failures that a retry can resolve; see {@link retryTransaction}. If `work` fails because the caller,
 * a user of an external issuer, has no row in app.users, adds the user and runs `work` again.
 */
export function withRetries<Result>(
  operation: Operation,
  work: (database: Transactions) => Promise<Result>,
): Promise<Result> {
  const { server, startedAt } = operation;
  return retryTransaction({
    attempt: (waitMsMax) => {
      const database = server.database.within(waitMsMax);
      return withNewUser(server.identity, () => work(database));
    },
    isKeyed: idempotencyKeysOf(operation).length > 0,
    clock: server.clock,
    startedAt,
  });
}

/** Returns the idempotency key of the request. If the request has none, returns the idempotency keys of its items. */
function idempotencyKeysOf({ validation }: Operation): readonly string[] {
  if (!validation.ok) return [];
  const { idempotencyKey, itemKeys } = validation.request;
  return idempotencyKey === null ? itemKeys : [idempotencyKey];
}

/**
 * Runs a read on the replica if the replica has reached the position that the header `Centavo-Read-After` names. The primary still
 * authorizes the caller, so that a revoked credential or role is refused even if the replica lags.
 * @param reading.authorize authorizes the caller on the primary
 * @param reading.perform reads in a transaction on the replica
 * @returns the result, or undefined if the primary has to run the whole request, authorization included
 * @throws ApiError for every refusal
 */
export async function readFromReplica<Result extends object>(
  { server, validation }: Operation,
  reading: {
    readonly authorize: () => Promise<Authorized>;
    readonly perform: (tx: Transaction, authorized: Authorized) => Promise<Result>;
  },
): Promise<Result | undefined> {
  const { replica } = server;
  const readAfter = validation.ok ? validation.request.readAfter : null;
  if (replica === null || readAfter === null || replica.isBackingOff()) return undefined;
  const authorized = await reading.authorize();
  const { principal, tracker } = authorized.access;
  if (tracker === null) return undefined;
  const context = { userId: principal.userId, trackerId: tracker.id, principalRoot: principal.root, readAfter };
  return replica.read({
    enter: (tx) => openReplicaContext(tx, context),
    work: (tx) => reading.perform(tx, authorized),
  });
}
