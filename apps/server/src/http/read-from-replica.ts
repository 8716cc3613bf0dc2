import { openReplicaContext } from '../auth/auth.queries.js';
import type { Transaction } from '../database/database.js';
import type { Authorized, Operation } from './operation.js';

/**
 * Runs a read on the replica. The primary still authorizes the caller, so that a revoked credential or role is refused even if
 * the replica lags.
 * @param reading.authorize authorizes on the primary
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
  if (replica === null || readAfter === null || replica.isLeftAlone()) return undefined;
  const authorized = await reading.authorize();
  const { principal, tracker } = authorized.access;
  if (tracker === null) return undefined;
  const context = { userId: principal.userId, trackerId: tracker.id, principalRoot: principal.root, readAfter };
  return replica.read({
    enter: (tx) => openReplicaContext(tx, context),
    work: (tx) => reading.perform(tx, authorized),
  });
}
