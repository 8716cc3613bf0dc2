import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';

/**
 * SQL for the statement that loads what a write of money is decided on: keeps accounts from being archived until the
 * transaction ends. The write asks once more whether they are active, but by what was committed when its statement began,
 * and it may then wait for a balance for seconds.
 * @param bindings the names of the bindings that are account ids; taken in the order of the ids, so that nobody deadlocks
 */
export function accountsInUseSql(...bindings: readonly string[]): string {
  const [only] = bindings;
  if (bindings.length === 1) return `pg_advisory_xact_lock_shared(${lockSql(`cast(:${only} as uuid)`)})`;
  const ids = bindings.map((name) => `cast(:${name} as uuid)`).join(', ');
  return `(select count(pg_advisory_xact_lock_shared(${lockSql('id')}))
    from (select id from unnest(array[${ids}]) as id order by id) as in_use)`;
}

/**
 * Waits for the writes that are being recorded in an account, and lets no other begin before this transaction has ended.
 * It asks beside the account's row, as those do that load it: where tables are spread over machines, a lock is one machine's.
 */
export async function waitForWritesOfAccount(
  tx: Transaction,
  key: { readonly trackerId: string; readonly id: string },
): Promise<void> {
  await query(
    tx,
    `select pg_advisory_xact_lock(${lockSql('id')})
     from app.accounts where tracker_id = :trackerId and id = :id`,
    key,
  );
}

/** The lock of an account, in its tracker: who names a stranger's account waits for nobody, and keeps nobody waiting. */
function lockSql(accountId: string): string {
  return `hashtextextended(cast(cast(:trackerId as uuid) as text) || ' ' || cast(${accountId} as text), 5)`;
}
