import { serviceUnavailable } from '../api-error.js';
import { CommitOutcomeUnknown, isOutage } from '../database/errors.js';
import type { Transactions } from '../database/pool.js';
import { query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';

/**
 * Runs `work` in one transaction as the role `centavo_identity`, which can access users and sessions but no financial data. If `work`
 * throws, PostgreSQL rolls back all its writes. So if a refused request must still write something, such as the time of a wrong code,
 * `work` returns the refusal, and the caller throws it after COMMIT.
 * @throws SERVICE_UNAVAILABLE (503) after an error for which {@link isOutage} returns true, or if the acknowledgement of COMMIT is lost
 * @throws every other error of `work`
 */
export async function identityTransaction<Result>(
  database: Transactions,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction({ readOnly: false }, async (tx) => {
      await assumeIdentityRole(tx);
      return work(tx);
    });
  } catch (error) {
    // The transaction is not retried here. If the COMMIT of a refresh succeeded and only its acknowledgement was lost, a retry would find
    // the refresh token used, and would end the session. A login needs no retry here, because the user can log in again. But if a
    // pooler has lost the prepared statements, `pool.ts` rolls back the transaction and runs `work` once more.
    if (error instanceof CommitOutcomeUnknown) {
      throw serviceUnavailable({ internalReason: 'commit outcome unknown', cause: error });
    }
    if (isOutage(error)) {
      throw serviceUnavailable({ internalReason: 'database unavailable or busy', cause: error });
    }
    throw error;
  }
}

/**
 * Assumes the role `centavo_identity` until the transaction ends, and sets timeouts, so that PostgreSQL cancels a slow statement before the
 * client gets its 503. Every transaction of the embedded identity provider starts with a call of this function. Financial requests have the
 * same timeouts.
 */
export async function assumeIdentityRole(tx: Transaction): Promise<void> {
  await query(
    tx,
    `select set_config('role', 'centavo_identity', true), set_config('lock_timeout', '2s', true),
       set_config('statement_timeout', '3s', true), set_config('idle_in_transaction_session_timeout', '10s', true)`,
  );
}
