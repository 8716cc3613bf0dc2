import type { ContextValue } from '../../database/context-value.js';
import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';
import type { AccountCounts, NameAndStatus, NewAccount } from './accounts.rules.js';
import type { AccountRow } from './accounts.view.js';

// A subquery names the tracker itself: by that of its account Citus would ask every machine, and holds no row then.
const columns = `a.tracker_id, a.id, a.name, a.type, a.currency_code, a.status, a.created_at, a.updated_at,
  (select count(*)::int from app.cashboxes c
    where c.tracker_id = :trackerId and c.account_id = a.id and c.status = 'active') as active_cashbox_count`;

/** The active accounts of a tracker, the oldest first. */
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

/**
 * The account with this id in the tracker, archived ones too, or undefined. It is held until the transaction ends: what is
 * decided on it stays true, and creates of its cashboxes follow each other.
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
 * How many accounts and cashboxes count against the tracker's limits, archived ones included, and how many cashboxes against
 * that of one account. The lock makes creates of both follow each other; it is a statement of its own, because the counts must
 * see what was committed while it waited.
 * @param key.accountId the account whose cashboxes are counted; null for a new one
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

/** Adds an account, as yet without cashboxes. */
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
  if (row === undefined) throw new Error('An account was inserted without a row');
  return row;
}

/** Writes the name and status of an account that {@link findAccountForUpdate} holds. */
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
  if (row === undefined) throw new Error('An account that was held could not be updated');
  return row;
}

/**
 * SQL for the statement that loads what a write of money is decided on: keeps accounts from being archived until the
 * transaction ends. The write asks once more whether they are active, but by what was committed when its statement began,
 * and it may then wait for a balance for seconds.
 * @param bindings the names of the bindings that are account ids; taken in the order of the ids, so that nobody deadlocks
 */
export function lockAccountsInUseSql(...bindings: readonly string[]): string {
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
export async function lockOutWritesOfAccount(
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
