import type { Transaction } from '../database/database.js';
import { query } from '../database/query.js';

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
