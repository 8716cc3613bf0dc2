import { withNewUser } from '../access/with-new-user.js';
import type { Transactions } from '../database/database.js';
import { repeatUntilDecided } from '../writes/repeat-until-decided.js';
import type { Operation } from './operation.js';

/** How long a duplicate in this process waits for the request before it; milliseconds. */
const duplicateWaitMsMax = 5_000;

/**
 * Runs the requests of one caller under one idempotency key one after the other. The waiting ones hold no connection, so that
 * many duplicates do not keep other requests from the database.
 */
export function oneAtATime<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
  const { server, credential } = operation;
  const key = idempotencyKeyOf(operation);
  if (key === null) return work();
  return server.singleFlight.run({
    key: `${credential.fingerprint} ${key}`,
    waitMsMax: duplicateWaitMsMax,
    sleep: server.pace.sleep,
    work,
  });
}

/**
 * Runs `work` again after failures that a retry can cure; see {@link repeatUntilDecided}. A user whom the external issuer
 * vouches for and whom this server does not know yet is added first.
 */
export function retryUntilDecided<Result>(
  operation: Operation,
  work: (database: Transactions) => Promise<Result>,
): Promise<Result> {
  const { server, startedAt } = operation;
  return repeatUntilDecided({
    attempt: (waitMsMax) => withNewUser(server.identity, () => work(server.database.within(waitMsMax))),
    isKeyed: idempotencyKeyOf(operation) !== null,
    pace: server.pace,
    startedAt,
  });
}

function idempotencyKeyOf({ validation }: Operation): string | null {
  return validation.ok ? validation.request.idempotencyKey : null;
}
