import { type Movement, pageLimitMax } from '@centavo/contracts';
import type { Transaction } from '../../database/database.js';
import { StaleFacts, violatesNotNull } from '../../database/postgres-errors.js';
import { type Binding, query } from '../../database/query.js';
import { accountsInUseSql } from '../accounts/index.js';
import { ownCategorySql } from '../categories/index.js';
import type { CorrectionPlan } from './correct-movement.js';
import type { CreateMovementFacts } from './create-movement.js';
import type { MovementPosition } from './movement-cursor.js';
import type { MovementRow } from './movement-view.js';

const columns = `tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id, occurred_on,
  description, merchant_name, transfer_group_id, source_type, source_id, version, created_at, updated_at`;

/**
 * Loads what the decision to record a movement needs, in one statement.
 * @returns a category only where the caller sees it whether it is used or not
 */
export async function loadCreateMovementFacts(
  tx: Transaction,
  names: {
    readonly trackerId: string;
    readonly userId: string;
    readonly accountId: string;
    readonly categoryId: string;
  },
): Promise<CreateMovementFacts> {
  const [row] = await query<{
    readonly account: (CreateMovementFacts['account'] & Pick<CreateMovementFacts, 'cashboxes'>) | null;
    readonly category: CreateMovementFacts['category'];
  }>(
    tx,
    `select ${accountsInUseSql('accountId')} as held,
       (select json_build_object('id', a.id, 'currencyCode', a.currency_code, 'cashboxes', (
          select coalesce(json_agg(json_build_object('id', c.id, 'isEligible', c.status = 'active' and a.status = 'active')
            order by c.created_at, c.id), '[]')
          from app.cashboxes c where c.tracker_id = :trackerId and c.account_id = :accountId))
        from app.accounts a where a.tracker_id = :trackerId and a.id = :accountId) as account,
       (select json_build_object('id', c.id, 'kind', c.kind, 'status', c.status)
        from app.categories c where c.id = :categoryId and ${ownCategorySql}) as category`,
    names,
  );
  const { account = null, category = null } = row ?? {};
  return { account, cashboxes: account?.cashboxes ?? [], category };
}

/**
 * Records a movement and moves the balance of its cashbox, in one statement. The balance's row lock makes movements of one
 * cashbox follow each other, and an archived cashbox or account takes none. Everything in the row is known before, so that
 * nobody has to wait for it and it can travel with COMMIT. No part reads what another gives: where the tables are spread
 * over machines, that would have to be brought from one to the next.
 * @throws StaleFacts when cashbox or account was archived since it was chosen
 */
export async function insertMovement(tx: Transaction, row: MovementRow): Promise<void> {
  await query(
    tx,
    `with moved as (
       update app.cashboxes
       set balance = case when status = 'active' and exists (
           select 1 from app.accounts where tracker_id = :tracker_id and id = :account_id and status = 'active')
           then balance + case when :type = 'income' then cast(:amount as numeric) else -cast(:amount as numeric) end end,
         expense_count = expense_count + case when :type = 'expense' then 1 else 0 end,
         income_count = income_count + case when :type = 'income' then 1 else 0 end
       where tracker_id = :tracker_id and id = :cashbox_id
     ), used as (
       insert into app.categories_in_use (tracker_id, category_id) values (:tracker_id, :category_id) on conflict do nothing
     )
     insert into app.movements (${columns})
     values (:tracker_id, :id, :type, :kind, cast(:amount as numeric), :currency_code, :account_id, :cashbox_id,
       :category_id, cast(:occurred_on as date), :description, :merchant_name, :transfer_group_id, :source_type, :source_id,
       :version, cast(:created_at as timestamptz), cast(:updated_at as timestamptz))`,
    { ...row },
  ).catch((error: unknown) => {
    // What is archived has no next balance, which its column refuses, and with it everything else is undone.
    throw violatesNotNull(error, 'balance') ? new StaleFacts() : error;
  });
}

/** The movement with this id in the tracker, or undefined. */
export async function findMovement(
  tx: Transaction,
  key: { readonly trackerId: string; readonly id: string },
): Promise<MovementRow | undefined> {
  const [row] = await query<MovementRow>(
    tx,
    `select ${columns} from app.movements where tracker_id = :trackerId and id = :id`,
    { ...key },
    { isLastRead: true },
  );
  return row;
}

/**
 * Corrects a movement if it still has the version that was decided on, and moves the balance by the difference.
 * @returns undefined when another correction came first
 */
export async function updateMovement(
  tx: Transaction,
  correction: CorrectionPlan & { readonly current: MovementRow },
): Promise<MovementRow | undefined> {
  const { current } = correction;
  const [row] = await query<MovementRow>(
    tx,
    `with used as (
       insert into app.categories_in_use (tracker_id, category_id) values (:trackerId, :categoryId) on conflict do nothing
     ), corrected as (
       update app.movements
       set amount = cast(:amount as numeric), category_id = :categoryId, description = :description,
         merchant_name = :merchantName, version = version + 1, updated_at = now()
       where tracker_id = :trackerId and id = :id and version = :version
       returning ${columns}
     ), moved as (
       update app.cashboxes c
       set balance = c.balance + (cast(:amount as numeric) - cast(:amountBefore as numeric))
         * case when corrected.type = 'income' then 1 else -1 end
       from corrected
       where c.tracker_id = :trackerId and c.id = corrected.cashbox_id
     )
     select * from corrected`,
    {
      trackerId: current.tracker_id,
      id: current.id,
      version: current.version,
      amountBefore: current.amount,
      amount: correction.amount,
      categoryId: correction.categoryId,
      description: correction.description,
      merchantName: correction.merchantName,
    },
  );
  return row;
}

/** Filters of a list, already validated; absent ones do not filter. */
export interface MovementFilters {
  readonly type?: Movement['type'] | undefined;
  readonly kind?: Movement['kind'] | undefined;
  readonly categoryIds?: readonly string[] | undefined;
  readonly accountId?: string | undefined;
  readonly cashboxId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const conditions: Readonly<Record<Exclude<keyof MovementFilters, 'kind' | 'categoryIds'>, string>> = {
  type: 'm.type = :type',
  accountId: 'm.account_id = :accountId',
  cashboxId: 'm.cashbox_id = :cashboxId',
  from: 'm.occurred_on >= cast(:from as date)',
  to: 'm.occurred_on <= cast(:to as date)',
};

// Spelled out, because transfers have an index of their own, and a plan for any kind could not use it.
const kindConditions = { regular: `m.kind = 'regular'`, transfer: `m.kind = 'transfer'` } as const;

const keptCounts = {
  expense: 'c.expense_count',
  income: 'c.income_count',
  any: 'c.expense_count + c.income_count',
} as const;

const newestFirst = 'order by m.occurred_on desc, m.created_at desc, m.id desc';

/**
 * A page of movements in their total order, newest first, with one row more than `limit` when there are more.
 * Page and total are one statement, so they describe one moment.
 */
export async function listMovements(
  tx: Transaction,
  page: {
    readonly trackerId: string;
    readonly filters: MovementFilters;
    readonly limit: number;
    readonly offset: number;
    readonly after: MovementPosition | null;
    readonly includeTotal: boolean;
  },
): Promise<{ readonly rows: readonly MovementRow[]; readonly total: number | null }> {
  const { after, offset, filters } = page;
  const { kind, categoryIds = [], ...others } = filters;
  const present = Object.entries(others).filter(([, value]) => value !== undefined);
  const filtered = [
    'm.tracker_id = :trackerId',
    ...present.map(([name]) => conditions[name as keyof typeof conditions]),
    ...(kind === undefined ? [] : [kindConditions[kind]]),
    ...(categoryIds.length === 1 ? ['m.category_id = :categoryId'] : []),
  ].join(' and ');
  // The row comparison follows the index as a whole; every column runs downwards.
  const position =
    after === null
      ? ''
      : `and (m.occurred_on, m.created_at, m.id)
           < (cast(:afterDate as date), cast(:afterCreatedAt as timestamptz(3)), cast(:afterId as uuid))`;
  // A number that the planner reads. Not knowing how many rows are wanted it prepares for a tenth of all, and sorts them.
  const reach = `limit ${pageLimitMax + 1}${offset === 0 ? '' : ' + cast(:offset as integer)'}`;
  // In the order of one category the rows of an index are sorted already, in that of several they are not.
  const found =
    categoryIds.length > 1
      ? `select m.* from unnest(cast(:categoryIds as text[])) wanted (category_id)
         cross join lateral (
           select ${columns} from app.movements m
           where ${filtered} and m.category_id = wanted.category_id ${position} ${newestFirst} ${reach}
         ) m ${newestFirst}`
      : `select ${columns} from app.movements m where ${filtered} ${position} ${newestFirst} ${reach}`;
  const shown = `select * from (${found}) found limit :limit ${offset === 0 ? '' : 'offset :offset'}`;
  const bindings: Record<string, Binding> = {
    ...(Object.fromEntries(present) as Record<string, Binding>),
    trackerId: page.trackerId,
    categoryId: categoryIds[0] ?? null,
    categoryIds,
    limit: page.limit + 1,
    offset,
  };
  if (after !== null) {
    Object.assign(bindings, { afterDate: after.occurredOn, afterCreatedAt: after.createdAt, afterId: after.id });
  }
  if (!page.includeTotal) {
    return { rows: await query<MovementRow>(tx, shown, bindings, { isLastRead: true }), total: null };
  }
  const counted = isKeptInCashboxes(filters)
    ? `select coalesce(sum(${keptCounts[filters.type ?? 'any']}), 0)::int as total from app.cashboxes c
       where c.tracker_id = :trackerId ${filters.accountId === undefined ? '' : 'and c.account_id = :accountId'}
         ${filters.cashboxId === undefined ? '' : 'and c.id = :cashboxId'}`
    : `select count(*)::int as total from app.movements m
       where ${filtered} ${categoryIds.length > 1 ? 'and m.category_id = any (cast(:categoryIds as text[]))' : ''}`;
  // The left join keeps the total when the page is empty; that row has no movement.
  const rows = await query<(MovementRow & { total: number }) | { id: null; total: number }>(
    tx,
    `select page.*, counted.total from (${counted}) counted left join lateral (${shown}) page on true`,
    bindings,
    { isLastRead: true },
  );
  return {
    rows: rows.filter((row): row is MovementRow & { total: number } => row.id !== null),
    total: rows[0]?.total ?? null,
  };
}

/** Whether the cashboxes know how many there are; otherwise they are counted, which takes as long as there are many. */
function isKeptInCashboxes({ kind, categoryIds, from, to }: MovementFilters): boolean {
  return [kind, categoryIds, from, to].every((filter) => filter === undefined);
}
