import { enterReplica } from '../access/access.queries.js';
import type { Transaction } from '../database/database.js';
import type { Authorized, Operation } from './operation.js';

/**
 * Reads from the replica. The primary still authorizes the caller, so that a credential or a role that was revoked a moment
 * ago is refused however far the replica is behind.
 * @param reading.authorize authorizes on the primary
 * @param reading.perform reads in a transaction on the replica
 * @returns undefined if the primary has to run the whole request
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
    enter: (tx) => enterReplica(tx, context),
    work: (tx) => reading.perform(tx, authorized),
  });
}
