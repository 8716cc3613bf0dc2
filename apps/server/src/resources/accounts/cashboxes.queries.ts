import { query } from '../../database/query.js';
import type { ContextValue, IdQuery } from '../../database/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { NameAndStatus, NewCashbox } from './accounts.rules.js';
import type { BalanceRow, CashboxRow } from './accounts.view.js';

const columns = `c.tracker_id, c.id, c.account_id, a.status as account_status, c.name, a.currency_code, c.opening_balance, c.status,
  c.created_at, c.updated_at`;

const cashboxesWithAccount = `app.cashboxes c
  join app.accounts a on a.tracker_id = c.tracker_id and a.id = c.account_id`;

/**
 * Lists the active cashboxes of an account, the oldest first. The same statement checks that the account exists.
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
  // The left join returns one row without a cashbox if the account has no active cashbox.
  return rows.length === 0 ? undefined : rows.filter((row): row is CashboxRow => row.id !== null);
}

/** Lists the cashboxes in `ids` and all active cashboxes of the accounts in `accountIds`. The oldest cashbox is first. */
export async function listCashboxesById(
  tx: Transaction,
  {
    trackerId,
    ids,
    accountIds,
  }: { readonly trackerId: string | ContextValue; readonly ids: IdQuery; readonly accountIds: IdQuery },
): Promise<CashboxRow[]> {
  return query<CashboxRow>(
    tx,
    `select ${columns} from ${cashboxesWithAccount}
     where c.tracker_id = :trackerId and c.id = any (array(
       (${ids.sql})
       union all
       select o.id from app.cashboxes o
       where o.tracker_id = :trackerId and o.status = 'active' and o.account_id = any (array(${accountIds.sql}))))
     order by c.created_at, c.id`,
    { ...ids.bindings, ...accountIds.bindings, trackerId },
  );
}

/** Finds a cashbox of the tracker and locks its row until the transaction ends. */
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

/** Inserts cashboxes of an account in one statement. The balance of each starts at its opening balance. */
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

/** Updates the name and status of a cashbox that {@link findCashboxForUpdate} has locked. */
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
  if (row === undefined) throw new Error('The update of a locked cashbox returned no row');
  return row;
}

/**
 * Lists the balances of all active cashboxes of active accounts, from one snapshot. On the primary server, the column `as_of` is the start
 * time of the statement. On a replica, it is the commit time of the last replayed transaction.
 * @param options.asOf the date of the balances; undefined for the current balances. For a date, the statement starts from the current
 *   balance and reverses the movements after the date. For a recent date it therefore reads few movements.
 * @source docs/additions.md, section 2.4
 */
export async function listBalances(
  tx: Transaction,
  { trackerId, asOf }: { readonly trackerId: string | ContextValue; readonly asOf: string | undefined },
): Promise<BalanceRow[]> {
  return query<BalanceRow>(
    tx,
    `select a.id as account_id, a.name as account_name, c.id as cashbox_id, c.name as cashbox_name, a.currency_code,
       ${asOf === undefined ? 'c.balance' : balanceAsOfSql} as balance,
       (select coalesce(case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() end, statement_timestamp())) as as_of
     from ${cashboxesWithAccount}
     where c.tracker_id = :trackerId and c.status = 'active' and a.status = 'active'
     order by a.created_at, a.id, c.created_at, c.id`,
    { trackerId, asOf: asOf ?? null },
    { isLastRead: true },
  );
}

const balanceAsOfSql = `c.balance - (
         select coalesce(sum(case when m.type = 'income' then m.amount else -m.amount end), 0)
         from app.movements m
         where m.tracker_id = :trackerId and m.cashbox_id = c.id and m.occurred_on > cast(:asOf as date)
           and m.voided_at is null)`;
