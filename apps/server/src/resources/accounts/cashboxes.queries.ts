import type { ContextValue } from '../../database/context-value.js';
import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';
import type { NameAndStatus, NewCashbox } from './accounts.rules.js';
import type { BalanceRow, CashboxRow } from './accounts.view.js';

const columns = `c.tracker_id, c.id, c.account_id, a.status as account_status, c.name, a.currency_code, c.status,
  c.created_at, c.updated_at`;

const cashboxesWithAccount = `app.cashboxes c
  join app.accounts a on a.tracker_id = c.tracker_id and a.id = c.account_id`;

/**
 * The active cashboxes of an account, the oldest first, in one statement with the question whether there is the account.
 * @returns undefined when the account is not in the tracker
 */
export async function listActiveCashboxes(
  tx: Transaction,
  key: { readonly trackerId: string | ContextValue; readonly accountId: string },
): Promise<CashboxRow[] | undefined> {
  const rows = await query<CashboxRow | { readonly id: null }>(
    tx,
    `select ${columns} from app.accounts a
     left join app.cashboxes c on c.tracker_id = a.tracker_id and c.account_id = a.id and c.status = 'active'
     where a.tracker_id = :trackerId and a.id = :accountId
     order by c.created_at, c.id`,
    key,
  );
  // The left join keeps an account without active cashboxes; that row has no cashbox.
  return rows.length === 0 ? undefined : rows.filter((row): row is CashboxRow => row.id !== null);
}

/** The cashbox with this id in the tracker, held until the transaction ends, or undefined. */
export async function findCashboxForUpdate(
  tx: Transaction,
  key: { readonly trackerId: string; readonly id: string },
): Promise<CashboxRow | undefined> {
  const [row] = await query<CashboxRow>(
    tx,
    `select ${columns} from ${cashboxesWithAccount}
     where c.tracker_id = :trackerId and c.id = :id
     for no key update of c`,
    key,
  );
  return row;
}

/** Adds cashboxes to an account in one statement; each starts with its opening balance as its balance. */
export async function insertCashboxes(
  tx: Transaction,
  addition: {
    readonly trackerId: string;
    readonly accountId: string;
    readonly cashboxes: readonly (NewCashbox & { readonly id: string })[];
  },
): Promise<CashboxRow[]> {
  const { trackerId, accountId, cashboxes } = addition;
  return query<CashboxRow>(
    tx,
    `with c as (
       insert into app.cashboxes (tracker_id, id, account_id, name, opening_balance, balance)
       select :trackerId, added.id, :accountId, added.name, added.opening_balance, added.opening_balance
       from unnest(cast(:ids as uuid[]), cast(:names as text[]), cast(:openingBalances as numeric[]))
         as added (id, name, opening_balance)
       returning *
     )
     select ${columns} from c join app.accounts a on a.tracker_id = c.tracker_id and a.id = c.account_id
     order by c.created_at, c.id`,
    {
      trackerId,
      accountId,
      ids: cashboxes.map(({ id }) => id),
      names: cashboxes.map(({ name }) => name),
      openingBalances: cashboxes.map(({ openingBalanceDecimal }) => openingBalanceDecimal),
    },
  );
}

/** Writes the name and status of a cashbox that {@link findCashboxForUpdate} holds. */
export async function updateCashbox(
  tx: Transaction,
  cashbox: Pick<NameAndStatus, 'name' | 'status'> & { readonly trackerId: string; readonly id: string },
): Promise<CashboxRow> {
  const [row] = await query<CashboxRow>(
    tx,
    `update app.cashboxes c set name = :name, status = :status, updated_at = now()
     from app.accounts a
     where c.tracker_id = :trackerId and c.id = :id and a.tracker_id = c.tracker_id and a.id = c.account_id
     returning ${columns}`,
    cashbox,
  );
  if (row === undefined) throw new Error('A cashbox that was held could not be updated');
  return row;
}

/**
 * What every active cashbox of an active account holds, all at one moment: one statement reads one snapshot. On a replica
 * that moment is the commit of the last transaction that it has seen.
 */
export async function listBalances(tx: Transaction, trackerId: string | ContextValue): Promise<BalanceRow[]> {
  return query<BalanceRow>(
    tx,
    `select a.id as account_id, a.name as account_name, c.id as cashbox_id, c.name as cashbox_name, a.currency_code,
       c.balance,
       (select coalesce(case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() end, statement_timestamp())) as as_of
     from ${cashboxesWithAccount}
     where c.tracker_id = :trackerId and c.status = 'active' and a.status = 'active'
     order by a.created_at, a.id, c.created_at, c.id`,
    { trackerId },
    { isLastRead: true },
  );
}
