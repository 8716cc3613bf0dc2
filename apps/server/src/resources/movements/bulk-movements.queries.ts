import type { StoredAnswer } from '../../auth/auth.queries.js';
import { query } from '../../database/query.js';
import type { ContextValue } from '../../database/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { lockAllAccountsInUseSql } from '../accounts/index.js';
import { type CategoryFacts, directlyVisibleCategorySql } from '../categories/index.js';
import type { CreateMovementsFacts } from './decide-movements.js';
import { insertMovement, toStaleRead } from './movements.queries.js';
import type { MovementRow } from './movements.view.js';

/** The result of the attempt to lock an idempotency key, and the stored responses to earlier requests with this key. */
export interface KeyFacts {
  readonly keyLocked: boolean;
  readonly storedAnswers: readonly StoredAnswer[];
}

/** Tries to lock the keys and looks up their stored responses. Returns one entry for each key, in the order of the keys. */
export async function enterKeys(tx: Transaction, keys: readonly string[]): Promise<readonly KeyFacts[]> {
  if (keys.length === 0) return [];
  const [row] = await query<{ readonly keys: readonly KeyFacts[] | null }>(
    tx,
    'select app.enter_keys(cast(:keys as text[])) as keys',
    { keys },
  );
  return row?.keys ?? [];
}

/** The facts of {@link CreateMovementsFacts}, and for each category whether the tracker already uses it. */
export interface LoadedFacts extends CreateMovementsFacts {
  readonly categories: readonly (CategoryFacts & { readonly isInUse: boolean })[];
}

/**
 * Loads the facts that `decideMovements` needs, in one statement. The accounts are locked in the order of their ids.
 * @returns the facts; `categories` contains only those that {@link directlyVisibleCategorySql} finds
 */
export async function loadCreateMovementsFacts(
  tx: Transaction,
  names: {
    readonly trackerId: string | ContextValue;
    readonly userId: string | ContextValue;
    readonly accountIds: readonly string[];
    readonly categoryIds: readonly string[];
    readonly externalIds: readonly string[];
  },
): Promise<LoadedFacts> {
  const [row] = await query<{
    readonly accounts: LoadedFacts['accounts'] | null;
    readonly categories: LoadedFacts['categories'] | null;
    readonly movements: LoadedFacts['movementsWithExternalId'] | null;
  }>(
    tx,
    `select ${lockAllAccountsInUseSql('accountIds')} as held,
       (select json_agg(json_build_object('id', a.id, 'currencyCode', a.currency_code, 'cashboxes', (
          select coalesce(json_agg(json_build_object('id', c.id, 'isEligible', c.status = 'active' and a.status = 'active')
            order by c.created_at, c.id), '[]')
          from app.cashboxes c where c.tracker_id = :trackerId and c.account_id = a.id)))
        from app.accounts a where a.tracker_id = :trackerId and a.id = any (cast(:accountIds as uuid[]))) as accounts,
       (select json_agg(json_build_object('id', c.id, 'kind', c.kind, 'status', c.status, 'isInUse', exists (
          select from app.categories_in_use u where u.tracker_id = :trackerId and u.category_id = c.id)))
        from app.categories c where c.id = any (cast(:categoryIds as text[])) and ${directlyVisibleCategorySql}) as categories,
       (select json_agg(json_build_object('id', m.id, 'accountId', m.account_id, 'externalId', m.external_id))
        from app.movements m where m.tracker_id = :trackerId and m.external_id = any (cast(:externalIds as text[]))
          and m.voided_at is null) as movements`,
    names,
  );
  const { accounts, categories, movements } = row ?? {};
  return { accounts: accounts ?? [], categories: categories ?? [], movementsWithExternalId: movements ?? [] };
}

/** The new rows, all of one tracker, and the categories that the tracker did not use before. */
interface NewMovements {
  readonly rows: readonly MovementRow[];
  readonly newCategoryIds: readonly string[];
}

/**
 * Inserts movements and changes the balances of their cashboxes, in one statement. To prevent deadlocks, it inserts the movements in the
 * order of account and external id, and then locks the cashboxes in the order of their ids. If a cashbox or its account is archived, the
 * statement sets the balance to null, so that the not-null constraint of the column rejects the write.
 * @throws StaleRead when a cashbox or account was archived, or an external id was used, after the facts were loaded
 */
export async function insertMovements(tx: Transaction, write: NewMovements): Promise<void> {
  const [first] = write.rows;
  if (first === undefined) throw new Error('There are no movements to insert.');
  await query(
    tx,
    `with item as materialized (
       select * from json_to_recordset(cast(:rows as json)) as r (id uuid, type text, amount numeric, currency_code text,
         account_id uuid, cashbox_id uuid, category_id text, occurred_on date, description text, merchant_name text,
         external_id text)
     ), locked as materialized (
       select c.id from app.cashboxes c
       where c.tracker_id = :trackerId and c.id = any (cast(:cashboxIds as uuid[]))
       order by c.id for update
     ), total as materialized (
       select item.cashbox_id, sum(case when item.type = 'income' then item.amount else -item.amount end) as amount,
         count(*) filter (where item.type = 'expense') as expenses, count(*) filter (where item.type = 'income') as incomes
       from item group by item.cashbox_id
     ), moved as (
       update app.cashboxes c
       set balance = case when c.status = 'active' and exists (
           select 1 from app.accounts a where a.tracker_id = :trackerId and a.id = c.account_id and a.status = 'active')
           then c.balance + total.amount end,
         expense_count = c.expense_count + total.expenses,
         income_count = c.income_count + total.incomes
       from locked join total on total.cashbox_id = locked.id
       where c.tracker_id = :trackerId and c.id = locked.id
     ), used as (
       insert into app.categories_in_use (tracker_id, category_id)
       select cast(:trackerId as uuid), id from unnest(cast(:newCategoryIds as text[])) as id order by id
       on conflict do nothing
     )
     insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
       occurred_on, description, merchant_name, external_id, source_type, source_id, version, created_at, updated_at)
     select cast(:trackerId as uuid), item.id, item.type, 'regular', item.amount, item.currency_code, item.account_id,
       item.cashbox_id, item.category_id, item.occurred_on, item.description, item.merchant_name, item.external_id,
       :sourceType, cast(:sourceId as uuid), 1, cast(:now as timestamptz), cast(:now as timestamptz)
     from item order by item.account_id, item.external_id`,
    {
      trackerId: first.tracker_id,
      rows: JSON.stringify(write.rows),
      cashboxIds: [...new Set(write.rows.map((row) => row.cashbox_id))],
      newCategoryIds: write.newCategoryIds,
      sourceType: first.source_type,
      sourceId: first.source_id,
      now: first.created_at,
    },
  ).catch(toStaleRead);
}

/**
 * Does the same as {@link insertMovements}, but with one statement for each movement. A database that Citus distributes needs this: to
 * execute `INSERT … SELECT`, Citus would send the rows to their node with COPY, which PostgreSQL refuses for tables with row-level
 * security.
 */
export async function insertEachMovement(tx: Transaction, { rows, newCategoryIds }: NewMovements): Promise<void> {
  // Each statement may wait for another insert of the same external id, and for the lock of one cashbox. All requests insert in the same
  // order, by cashbox and external id. But a deadlock is still possible if two requests send the same external ids for different cashboxes:
  // one sends x for cashbox A and y for cashbox B, the other sends y for A and x for B. The server retries after a deadlock.
  const sortKeyOf = (row: MovementRow) => `${row.cashbox_id} ${row.external_id ?? ''}`;
  const inOrder = [...rows].sort((one, other) => sortKeyOf(one).localeCompare(sortKeyOf(other)));
  await Promise.all(
    inOrder.map((row) =>
      insertMovement(tx, row, {
        isCategoryInUse: row.category_id === null || !newCategoryIds.includes(row.category_id),
      }),
    ),
  );
}
