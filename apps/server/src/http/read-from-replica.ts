import { enterReplica } from '../access/access.queries.js';
import type { Transaction, Transactions } from '../database/database.js';
import { type Admitted, type Asking, admitCall } from './admit-call.js';

/**
 * Reads from the replica. Who is calling, and with what right, is asked of the primary all the same: what was revoked or
 * left a moment ago is refused, however far behind the replica is.
 * @param reading.readAfter what the replica must have seen; null where only the primary may answer
 * @returns undefined where the primary has to be asked, the caller too: the two belong in one transaction there
 * @throws ApiError for every refusal
 */
export async function readFromReplica<Result extends object>(reading: {
  readonly asking: Asking;
  /** The primary, which says who is calling. */
  readonly database: Transactions;
  readonly readAfter: string | null;
  readonly perform: (tx: Transaction, admitted: Admitted) => Promise<Result>;
}): Promise<Result | undefined> {
  const { asking, database, readAfter, perform } = reading;
  const { replica } = asking.server;
  if (replica === null || readAfter === null || replica.isLeftAlone()) return undefined;
  const admitted = await database.transaction({ readOnly: true }, (tx) => admitCall(tx, { ...asking, isAlone: true }));
  const { principal, tracker } = admitted.access;
  if (tracker === null) return undefined;
  const context = { userId: principal.userId, trackerId: tracker.id, principalRoot: principal.root, readAfter };
  return replica.read({ enter: (tx) => enterReplica(tx, context), work: (tx) => perform(tx, admitted) });
}
