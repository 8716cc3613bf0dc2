import { withNewUser } from '../auth/authenticate.js';
import type { Transactions } from '../database/database.js';
import { retryTransaction } from '../idempotency/retry.js';
import type { Operation } from './operation.js';

/** How long a duplicate waits for the earlier request in this process; milliseconds. */
const duplicateWaitMsMax = 5_000;

/**
 * Runs `work` once the earlier requests of this caller with this idempotency key have ended in this process. Waiting requests
 * hold no connection, so duplicates cannot exhaust the pool. Without a key `work` runs at once.
 */
export function oneAtATime<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
  const { server, credential } = operation;
  const key = idempotencyKeyOf(operation);
  if (key === null) return work();
  return server.keyedMutex.run({
    key: `${credential.fingerprint} ${key}`,
    waitMsMax: duplicateWaitMsMax,
    sleep: server.clock.sleep,
    work,
  });
}

/**
 * Runs `work`, and again after failures that a retry can cure; see {@link retryTransaction}. A new user of an external issuer
 * is stored first.
 */
export function retryUntilDecided<Result>(
  operation: Operation,
  work: (database: Transactions) => Promise<Result>,
): Promise<Result> {
  const { server, startedAt } = operation;
  return retryTransaction({
    attempt: (waitMsMax) => withNewUser(server.identity, () => work(server.database.within(waitMsMax))),
    isKeyed: idempotencyKeyOf(operation) !== null,
    clock: server.clock,
    startedAt,
  });
}

function idempotencyKeyOf({ validation }: Operation): string | null {
  return validation.ok ? validation.request.idempotencyKey : null;
}
