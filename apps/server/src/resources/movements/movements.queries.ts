import type { Transaction } from '../../database/database.js';
import { type Binding, query } from '../../database/query.js';
import { visibleCategorySql } from '../categories/index.js';
import type { CorrectionPlan } from './correct-movement.js';
import type { CreateMovementFacts, MovementPlan } from './create-movement.js';
import type { MovementPosition } from './movement-cursor.js';
import type { MovementRow } from './movement-view.js';

const columns = `tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id, occurred_on,
  description, merchant_name, transfer_group_id, source_type, source_id, version, created_at, updated_at`;

/** Loads what the decision to record a movement needs, in one statement. */
export async function loadCreateMovementFacts(
  tx: Transaction,
  names: {
    readonly trackerId: string;
    readonly userId: string;
    readonly accountId: string;
    readonly categoryId: string;
  },
): Promise<CreateMovementFacts> {
  const [facts] = await query<CreateMovementFacts>(
    tx,
    `select
       (select json_build_object('id', a.id, 'currencyCode', a.currency_code)
        from app.accounts a where a.tracker_id = :trackerId and a.id = :accountId) as account,
       (select coalesce(json_agg(json_build_object('id', c.id, 'isEligible', c.status = 'active' and a.status = 'active')
          order by c.created_at, c.id), '[]')
        from app.cashboxes c join app.accounts a on a.tracker_id = c.tracker_id and a.id = c.account_id
        where c.tracker_id = :trackerId and c.account_id = :accountId) as cashboxes,
       (select json_build_object('id', c.id, 'kind', c.kind, 'status', c.status)
        from app.categories c where c.id = :categoryId and ${visibleCategorySql}) as category`,
    names,
  );
  return facts ?? { account: null, cashboxes: [], category: null };
}

/**
 * Records a movement and moves the balance of its cashbox, in one statement. The balance is taken first: its row lock
 * makes movements of one cashbox follow each other, and an archived cashbox or account takes none.
 * @returns undefined when one of them was archived since it was chosen
 */
export async function insertMovement(
  tx: Transaction,
  movement: MovementPlan & {
    readonly id: string;
    readonly trackerId: string;
    readonly source: { readonly type: 'user' | 'integration_client'; readonly id: string };
  },
): Promise<MovementRow | undefined> {
  const { source, ...plan } = movement;
  const [row] = await query<MovementRow>(
    tx,
    `with moved as (
       update app.cashboxes
       set balance = balance + case when :type = 'income' then cast(:amountDecimal as numeric)
         else -cast(:amountDecimal as numeric) end
       where tracker_id = :trackerId and id = :cashboxId and status = 'active' and exists (
         select 1 from app.accounts where tracker_id = :trackerId and id = :accountId and status = 'active')
       returning id
     ), used as (
       insert into app.categories_in_use (tracker_id, category_id)
       select :trackerId, :categoryId from moved
       on conflict do nothing
     )
     insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
       occurred_on, description, merchant_name, source_type, source_id)
     select :trackerId, :id, :type, 'regular', cast(:amountDecimal as numeric), :currencyCode, :accountId, moved.id,
       :categoryId, cast(:occurredOn as date), :description, :merchantName, :sourceType, :sourceId
     from moved
     returning ${columns}`,
    { ...plan, sourceType: source.type, sourceId: source.id },
  );
  return row;
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
  readonly type?: string | undefined;
  readonly kind?: string | undefined;
  readonly categoryIds?: readonly string[] | undefined;
  readonly accountId?: string | undefined;
  readonly cashboxId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const conditions: Readonly<Record<keyof MovementFilters, string>> = {
  type: 'm.type = :type',
  kind: 'm.kind = :kind',
  categoryIds: 'm.category_id = any (:categoryIds)',
  accountId: 'm.account_id = :accountId',
  cashboxId: 'm.cashbox_id = :cashboxId',
  from: 'm.occurred_on >= cast(:from as date)',
  to: 'm.occurred_on <= cast(:to as date)',
};

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
  const present = Object.entries(page.filters).filter(([, value]) => value !== undefined);
  const filtered = [
    'm.tracker_id = :trackerId',
    ...present.map(([name]) => conditions[name as keyof MovementFilters]),
  ].join(' and ');
  const { after } = page;
  // The row comparison follows the index as a whole; every column runs downwards.
  const position =
    after === null
      ? ''
      : `and (m.occurred_on, m.created_at, m.id)
           < (cast(:afterDate as date), cast(:afterCreatedAt as timestamptz(3)), cast(:afterId as uuid))`;
  const total = page.includeTotal ? `(select count(*)::int from app.movements m where ${filtered})` : 'null::int';
  const bindings: Record<string, Binding> = {
    ...(Object.fromEntries(present) as Record<string, Binding>),
    trackerId: page.trackerId,
    limit: page.limit + 1,
    offset: page.offset,
  };
  if (after !== null) {
    Object.assign(bindings, { afterDate: after.occurredOn, afterCreatedAt: after.createdAt, afterId: after.id });
  }
  const rows = await query<(MovementRow & { total: number | null }) | { id: null; total: number | null }>(
    tx,
    `select page.*, counted.total
     from (select ${total} as total) counted
     left join lateral (
       select ${columns} from app.movements m
       where ${filtered} ${position}
       order by m.occurred_on desc, m.created_at desc, m.id desc
       limit :limit offset :offset
     ) page on true`,
    bindings,
  );
  return {
    // The left join keeps the total when the page is empty; that row has no movement.
    rows: rows.filter((row): row is MovementRow & { total: number | null } => row.id !== null),
    total: rows[0]?.total ?? null,
  };
}
