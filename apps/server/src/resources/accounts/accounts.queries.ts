import { query } from '../../database/query.js';
import type { ContextValue, IdQuery } from '../../database/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { AccountCounts, NameAndStatus, NewAccount } from './accounts.rules.js';
import type { AccountRow } from './accounts.view.js';

// The subquery uses :trackerId. With a.tracker_id instead, Citus (PostgreSQL sharding) would query every shard and refuse to lock rows.
const columns = `a.tracker_id, a.id, a.name, a.type, a.currency_code, a.status, a.created_at, a.updated_at,
  (select count(*)::int from app.cashboxes c
    where c.tracker_id = :trackerId and c.account_id = a.id and c.status = 'active') as active_cashbox_count`;

/** Lists the active accounts of a tracker, the oldest first. */
export async function listActiveAccounts(tx: Transaction, trackerId: string | ContextValue): Promise<AccountRow[]> {
  return query<AccountRow>(
    tx,
    `select ${columns} from app.accounts a
     where a.tracker_id = :trackerId and a.status = 'active'
     order by a.created_at, a.id`,
    { trackerId },
    { isLastRead: true },
  );
}

/** Lists the accounts of a tracker with the given ids, archived ones included. */
export async function listAccountsById(
  tx: Transaction,
  { trackerId, ids }: { readonly trackerId: string | ContextValue; readonly ids: IdQuery },
): Promise<AccountRow[]> {
  return query<AccountRow>(
    tx,
    `select ${columns} from app.accounts a where a.tracker_id = :trackerId and a.id = any (array(${ids.sql}))`,
    { ...ids.bindings, trackerId },
  );
}

/**
 * Finds an account of the tracker, active or archived, and locks its row until the transaction ends. The lock prevents changes of the row
 * after the caller has read it, and serializes the creation of the account's cashboxes.
 */
export async function findAccountForUpdate(
  tx: Transaction,
  key: { readonly trackerId: string; readonly id: string },
): Promise<AccountRow | undefined> {
  const [row] = await query<AccountRow>(
    tx,
    `select ${columns} from app.accounts a where a.tracker_id = :trackerId and a.id = :id for no key update`,
    key,
  );
  return row;
}

/**
 * Counts the accounts and cashboxes of a tracker and the cashboxes of one account, archived ones included. A lock serializes the creation
 * of accounts and cashboxes. A separate statement takes the lock, because the counts must include rows that were committed during the wait
 * for the lock.
 * @param key.accountId the account whose cashboxes are counted; null for a new account
 */
export async function countAccountsForCreate(
  tx: Transaction,
  key: { readonly trackerId: string; readonly accountId: string | null },
): Promise<AccountCounts> {
  await query(tx, `select pg_advisory_xact_lock(hashtextextended('accounts ' || :trackerId, 4))`, {
    trackerId: key.trackerId,
  });
  const [counts] = await query<AccountCounts>(
    tx,
    `select (select count(*)::int from app.accounts where tracker_id = :trackerId) as accounts,
       count(*)::int as cashboxes,
       count(*) filter (where account_id = cast(:accountId as uuid))::int as "cashboxesOfAccount"
     from app.cashboxes where tracker_id = :trackerId`,
    key,
  );
  return counts ?? { accounts: 0, cashboxes: 0, cashboxesOfAccount: 0 };
}

/** Inserts an account without cashboxes, and returns its row. */
export async function insertAccount(
  tx: Transaction,
  account: Omit<NewAccount, 'cashboxes'> & { readonly trackerId: string; readonly id: string },
): Promise<AccountRow> {
  const [row] = await query<AccountRow>(
    tx,
    `insert into app.accounts as a (tracker_id, id, name, type, currency_code)
     values (:trackerId, :id, :name, :type, :currencyCode)
     returning a.tracker_id, a.id, a.name, a.type, a.currency_code, a.status, a.created_at, a.updated_at,
       0 as active_cashbox_count`,
    account,
  );
  if (row === undefined) throw new Error('The insert of an account returned no row');
  return row;
}

/** Updates the name and status of an account that {@link findAccountForUpdate} has locked. */
export async function updateAccount(
  tx: Transaction,
  account: Pick<NameAndStatus, 'name' | 'status'> & { readonly trackerId: string; readonly id: string },
): Promise<AccountRow> {
  const [row] = await query<AccountRow>(
    tx,
    `update app.accounts a set name = :name, status = :status, updated_at = now()
     where a.tracker_id = :trackerId and a.id = :id
     returning ${columns}`,
    account,
  );
  if (row === undefined) throw new Error('The update of a locked account returned no row');
  return row;
}

/**
 * Returns SQL that takes a shared advisory lock on each account of a new movement or transfer. The SQL is part of the statement that loads
 * the accounts. The lock prevents another transaction from archiving the account before this transaction ends. The insert statement also
 * checks the status of the account, but can see an outdated one: PostgreSQL takes the statement's snapshot before the statement waits for
 * the lock of the cashbox's row.
 * @param bindings the names of the bindings, each with one account id. Locks are taken in the order of the ids, to prevent deadlocks
 */
export function lockAccountsInUseSql(...bindings: readonly string[]): string {
  const [only] = bindings;
  if (bindings.length === 1) return `pg_advisory_xact_lock_shared(${lockKeySql(`cast(:${only} as uuid)`)})`;
  const ids = bindings.map((name) => `cast(:${name} as uuid)`).join(', ');
  return `(select count(pg_advisory_xact_lock_shared(${lockKeySql('id')}))
    from (select id from unnest(array[${ids}]) as id order by id) as in_use)`;
}

/** Returns the same SQL as {@link lockAccountsInUseSql}, but for one binding that contains a list of account ids. */
export function lockAllAccountsInUseSql(binding: string): string {
  return `(select count(pg_advisory_xact_lock_shared(${lockKeySql('id')}))
    from (select id from unnest(cast(:${binding} as uuid[])) as id order by id) as in_use)`;
}

/**
 * Waits for open transactions that create movements or transfers in an account, and blocks new ones until this transaction ends. In a
 * sharded database, an advisory lock exists only on the node that takes it. All statements that take this lock also query the account's
 * row, so that all of them take the lock on the node of that row.
 */
export async function lockOutWritesOfAccount(
  tx: Transaction,
  key: { readonly trackerId: string; readonly id: string },
): Promise<void> {
  await query(
    tx,
    `select pg_advisory_xact_lock(${lockKeySql('id')})
     from app.accounts where tracker_id = :trackerId and id = :id`,
    key,
  );
}

/** Returns the SQL of an account's lock key. The key contains the tracker, so that a caller cannot block accounts of other trackers. */
function lockKeySql(accountId: string): string {
  return `hashtextextended(cast(cast(:trackerId as uuid) as text) || ' ' || cast(${accountId} as text), 5)`;
}
