import { type Movement, pageLimitMax } from '@centavo/contracts';
import type { ContextValue } from '../../database/context-value.js';
import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';
import type { MovementPosition } from './movement-cursor.js';
import type { ListedMovement } from './movement-view.js';

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

interface Page {
  readonly trackerId: string | ContextValue;
  readonly filters: MovementFilters;
  readonly limit: number;
  readonly offset: number;
  readonly after: MovementPosition | null;
  readonly includeTotal: boolean;
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

// Most movements were never changed, and to print a moment costs PostgreSQL more than to compare two.
const columns = `id, type, amount, currency_code, account_id, cashbox_id, category_id, occurred_on, description, merchant_name,
  transfer_group_id, source_type, source_id, version, created_at, nullif(updated_at, created_at) as updated_at`;

const newestFirst = 'order by m.occurred_on desc, m.created_at desc, m.id desc';

/**
 * A page of movements in their total order, newest first, with one row more than `limit` when there are more.
 * Page and total are one statement, so they describe one moment.
 */
export async function listMovements(
  tx: Transaction,
  page: Page,
): Promise<{ readonly rows: readonly ListedMovement[]; readonly total: number | null }> {
  const { after, filters } = page;
  // All that a page can ask by; the statement takes those that it has.
  const bindings = {
    trackerId: page.trackerId,
    type: filters.type ?? null,
    accountId: filters.accountId ?? null,
    cashboxId: filters.cashboxId ?? null,
    from: filters.from ?? null,
    to: filters.to ?? null,
    categoryId: filters.categoryIds?.[0] ?? null,
    categoryIds: filters.categoryIds ?? null,
    afterDate: after?.occurredOn ?? null,
    afterCreatedAt: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: page.limit + 1,
    offset: page.offset,
  };
  const sql = statementFor(page);
  if (!page.includeTotal) {
    return { rows: await query<ListedMovement>(tx, sql, bindings, { isLastRead: true }), total: null };
  }
  // The left join keeps the total when the page is empty; that row has no movement.
  const rows = await query<(ListedMovement & { total: number }) | { id: null; total: number }>(tx, sql, bindings, {
    isLastRead: true,
  });
  return {
    rows: rows.filter((row): row is ListedMovement & { total: number } => row.id !== null),
    total: rows[0]?.total ?? null,
  };
}

const statements = new Map<string, string>();

/** The statement for a page of such filters. To put a text of a thousand characters together costs as much as to send it. */
function statementFor(page: Page): string {
  const { kind, type, categoryIds = [] } = page.filters;
  // Whatever the text depends on. There are only so many.
  const shape = [
    ...presentConditions(page.filters),
    ...[kind, type, Math.min(categoryIds.length, 2), page.after === null, page.offset === 0, page.includeTotal],
  ].join();
  const known = statements.get(shape);
  if (known !== undefined) return known;
  const sql = page.includeTotal ? sqlWithTotal(page) : sqlOfPage(page);
  statements.set(shape, sql);
  return sql;
}

function presentConditions(filters: MovementFilters): (keyof typeof conditions)[] {
  const names = Object.keys(conditions) as (keyof typeof conditions)[];
  return names.filter((name) => filters[name] !== undefined);
}

function sqlOfConditions(filters: MovementFilters): string {
  const { kind, categoryIds = [] } = filters;
  return [
    'm.tracker_id = :trackerId',
    ...presentConditions(filters).map((name) => conditions[name]),
    ...(kind === undefined ? [] : [kindConditions[kind]]),
    ...(categoryIds.length === 1 ? ['m.category_id = :categoryId'] : []),
  ].join(' and ');
}

function sqlOfPage({ filters, after, offset }: Page): string {
  const filtered = sqlOfConditions(filters);
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
    (filters.categoryIds ?? []).length > 1
      ? `select m.* from unnest(cast(:categoryIds as text[])) wanted (category_id)
         cross join lateral (
           select ${columns} from app.movements m
           where ${filtered} and m.category_id = wanted.category_id ${position} ${newestFirst} ${reach}
         ) m ${newestFirst}`
      : `select ${columns} from app.movements m where ${filtered} ${position} ${newestFirst} ${reach}`;
  return `select * from (${found}) found limit :limit ${offset === 0 ? '' : 'offset :offset'}`;
}

function sqlWithTotal(page: Page): string {
  const { filters } = page;
  const counted = isKeptInCashboxes(filters)
    ? `select coalesce(sum(${keptCounts[filters.type ?? 'any']}), 0)::int as total from app.cashboxes c
       where c.tracker_id = :trackerId ${filters.accountId === undefined ? '' : 'and c.account_id = :accountId'}
         ${filters.cashboxId === undefined ? '' : 'and c.id = :cashboxId'}`
    : `select count(*)::int as total from app.movements m
       where ${sqlOfConditions(filters)}
         ${(filters.categoryIds ?? []).length > 1 ? 'and m.category_id = any (cast(:categoryIds as text[]))' : ''}`;
  return `select page.*, counted.total from (${counted}) counted left join lateral (${sqlOfPage(page)}) page on true`;
}

/** Whether the cashboxes know how many there are; otherwise they are counted, which takes as long as there are many. */
function isKeptInCashboxes({ kind, categoryIds, from, to }: MovementFilters): boolean {
  return [kind, categoryIds, from, to].every((filter) => filter === undefined);
}
