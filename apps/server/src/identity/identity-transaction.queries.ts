import { serviceUnavailable } from '../api-error.js';
import type { Transaction, Transactions } from '../database/database.js';
import { CommitOutcomeUnknown, isOutage } from '../database/postgres-errors.js';
import { query } from '../database/query.js';

/**
 * Runs `work` in one transaction as the role of the provider, which sees users and sessions and no money. What it throws
 * rolls back; a refusal whose record has to stay, as a counted failure, is returned and thrown afterwards.
 * @throws SERVICE_UNAVAILABLE (503) when the database is away or full, or a lock did not come in time
 * @throws whatever `work` throws
 */
export async function identityTransaction<Result>(
  database: Transactions,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction({ readOnly: false }, async (tx) => {
      await enterIdentity(tx);
      return work(tx);
    });
  } catch (error) {
    // Not run again here: a log-in is the user's to repeat, and whether a refresh token was spent is known only to them.
    if (error instanceof CommitOutcomeUnknown) {
      throw serviceUnavailable({ internalReason: 'commit outcome unknown', cause: error });
    }
    if (isOutage(error)) {
      throw serviceUnavailable({ internalReason: 'database away or busy', cause: error });
    }
    throw error;
  }
}

/**
 * Becomes `centavo_identity` until the transaction ends, and bounds its statements: a stuck one must not outlive the
 * answer. The first statement of every transaction of this room, with the limits that requests for money have.
 */
export async function enterIdentity(tx: Transaction): Promise<void> {
  await query(
    tx,
    `select set_config('role', 'centavo_identity', true), set_config('lock_timeout', '2s', true),
       set_config('statement_timeout', '3s', true), set_config('idle_in_transaction_session_timeout', '10s', true)`,
  );
}
