import { type Movement, pageLimitMax } from '@centavo/contracts';
import type { Knex } from 'knex';
import { query } from '../../database/query.js';
import type { ContextValue } from '../../database/statement.js';
import { builder } from '../../database/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { MovementPosition } from './movement-cursor.js';
import type { ListedMovement } from './movements.view.js';

/** Filters of a list, already validated. An absent filter has no effect. */
export interface MovementFilters {
  readonly type?: Movement['type'] | undefined;
  readonly kind?: Movement['kind'] | undefined;
  readonly categoryIds?: readonly string[] | undefined;
  readonly accountId?: string | undefined;
  readonly cashboxId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly externalId?: string | undefined;
  readonly includeVoided: boolean;
}

interface Page {
  readonly trackerId: string | ContextValue;
  readonly filters: MovementFilters;
  readonly limit: number;
  readonly offset: number;
  readonly after: MovementPosition | null;
  readonly includeTotal: boolean;
}

// For a movement that was never changed, the query returns null as `updated_at`. This is faster: most movements were never changed, and
// PostgreSQL needs less time to compare `updated_at` with `created_at` than to format a timestamp as text.
const columns = `id, type, amount, currency_code, account_id, cashbox_id, category_id, occurred_on, description, merchant_name,
  transfer_group_id, external_id, source_type, source_id, version, voided_at, created_at, nullif(updated_at, created_at) as updated_at`;

const newestFirst = 'm.occurred_on desc, m.created_at desc, m.id desc';

/** SQL expressions of the counts of movements that a row of `app.cashboxes` stores, by type of movement. */
const storedCounts = {
  expense: 'c.expense_count',
  income: 'c.income_count',
  any: 'c.expense_count + c.income_count',
} as const;

const storedCountsWithVoided = {
  expense: 'c.expense_count + c.voided_expense_count',
  income: 'c.income_count + c.voided_income_count',
  any: 'c.expense_count + c.income_count + c.voided_expense_count + c.voided_income_count',
} as const;

/**
 * Returns a page of movements, newest first, with one row more than `limit` if there is another page.
 * One statement reads the page and the total, so that both describe the same moment.
 */
export async function listMovements(
  tx: Transaction,
  page: Page,
): Promise<{ readonly rows: readonly ListedMovement[]; readonly total: number | null }> {
  const { after, filters } = page;
  // Each statement uses only some of these bindings.
  const bindings = {
    trackerId: page.trackerId,
    type: filters.type ?? null,
    accountId: filters.accountId ?? null,
    cashboxId: filters.cashboxId ?? null,
    from: filters.from ?? null,
    to: filters.to ?? null,
    categoryId: filters.categoryIds?.[0] ?? null,
    categoryIds: filters.categoryIds ?? null,
    externalId: filters.externalId ?? null,
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
  // If the page is empty, the left join returns one row with the total and without a movement.
  const rows = await query<(ListedMovement & { total: number }) | { id: null; total: number }>(tx, sql, bindings, {
    isLastRead: true,
  });
  return {
    rows: rows.filter((row): row is ListedMovement & { total: number } => row.id !== null),
    total: rows[0]?.total ?? null,
  };
}

const statements = new Map<string, string>();

/**
 * Returns the SQL statement for a page, with named bindings. Building a statement takes about 100 µs, so each distinct statement is
 * built only once.
 */
function statementFor(page: Page): string {
  const { filters, after, offset, includeTotal } = page;
  const { type, kind, accountId, cashboxId, from, to, externalId, includeVoided, categoryIds = [] } = filters;
  const isGiven = [accountId, cashboxId, from, to, externalId, after ?? undefined].map((value) => value !== undefined);
  // The text of the statement depends only on these values.
  const shape = [
    type,
    kind,
    ...isGiven,
    Math.min(categoryIds.length, 2),
    offset === 0,
    includeTotal,
    includeVoided,
  ].join();
  const known = statements.get(shape);
  if (known !== undefined) return known;
  const statement = (includeTotal ? selectPageWithTotal(page) : selectPage(page)).toQuery();
  statements.set(shape, statement);
  return statement;
}

const raw = (sql: string, parts: Readonly<Record<string, Knex.RawBinding>> = {}) => builder.raw(sql, parts);
const movements = 'app.movements as m';

/**
 * Adds all filters to the query, except a filter for several categories, and returns the query. The values are `raw`, so that knex keeps
 * their named bindings, such as `:type`, in the text.
 */
function addFilters(select: Knex.QueryBuilder, filters: MovementFilters): Knex.QueryBuilder {
  const { type, kind, accountId, cashboxId, from, to, externalId, includeVoided, categoryIds = [] } = filters;
  select.where('m.tracker_id', raw(':trackerId'));
  if (type !== undefined) select.where('m.type', raw(':type'));
  // The index of transfers is a partial index. A generic plan could not use it if the kind were a parameter, so the kind is a literal.
  if (kind !== undefined) select.where('m.kind', kind);
  if (accountId !== undefined) select.where('m.account_id', raw(':accountId'));
  if (cashboxId !== undefined) select.where('m.cashbox_id', raw(':cashboxId'));
  if (from !== undefined) select.where('m.occurred_on', '>=', raw('cast(:from as date)'));
  if (to !== undefined) select.where('m.occurred_on', '<=', raw('cast(:to as date)'));
  if (externalId !== undefined) select.where('m.external_id', raw(':externalId'));
  if (!includeVoided) select.whereNull('m.voided_at');
  if (categoryIds.length === 1) select.where('m.category_id', raw(':categoryId'));
  return select;
}

function selectPage({ filters, after, offset }: Page): Knex.Raw {
  const select = addFilters(builder(movements), filters).select(raw(columns));
  if (after !== null) {
    // A row comparison can use all columns of the index, because all of them are in descending order.
    select.whereRaw(`(m.occurred_on, m.created_at, m.id)
      < (cast(:afterDate as date), cast(:afterCreatedAt as timestamptz(3)), cast(:afterId as uuid))`);
  }
  // Without an offset, this limit is a literal. If it were a parameter, PostgreSQL would assume that the query returns a tenth of all rows,
  // and would sort the rows instead of reading them in the order of the index. With an offset, the limit is a sum, which knex does not
  // accept as a limit, so the limit is written as SQL.
  const limit = `limit ${pageLimitMax + 1}${offset === 0 ? '' : ' + cast(:offset as integer)'}`;
  const hasSeveralCategories = (filters.categoryIds ?? []).length > 1;
  if (hasSeveralCategories) select.whereRaw('m.category_id = wanted.category_id');
  const newest = select.orderByRaw(`${newestFirst} ${limit}`);
  // The index has the rows of one category in order, but not the rows of several categories. So each category is read separately.
  const found = hasSeveralCategories
    ? builder
        .select('m.*')
        .from(raw('unnest(cast(:categoryIds as text[])) wanted (category_id)'))
        .crossJoin(raw('lateral :newest m', { newest }))
        .orderByRaw(newestFirst)
    : newest;
  return raw(`select * from :found found limit :limit ${offset === 0 ? '' : 'offset :offset'}`, { found });
}

function selectPageWithTotal(page: Page): Knex.Raw {
  const { filters } = page;
  const counted = isCountStored(filters) ? selectStoredCount(filters) : selectCount(filters);
  return raw('select page.*, counted.total from :counted counted left join lateral (:found) page on true', {
    counted,
    found: selectPage(page),
  });
}

/** Returns true if the cashboxes store the count for these filters, so that the matching movements need not be counted. */
function isCountStored({ kind, categoryIds, from, to, externalId }: MovementFilters): boolean {
  return [kind, categoryIds, from, to, externalId].every((filter) => filter === undefined);
}

function selectStoredCount({ type, accountId, cashboxId, includeVoided }: MovementFilters): Knex.QueryBuilder {
  const count = (includeVoided ? storedCountsWithVoided : storedCounts)[type ?? 'any'];
  const select = builder('app.cashboxes as c').select(raw(`coalesce(sum(${count}), 0)::int as total`));
  select.where('c.tracker_id', raw(':trackerId'));
  if (accountId !== undefined) select.where('c.account_id', raw(':accountId'));
  if (cashboxId !== undefined) select.where('c.id', raw(':cashboxId'));
  return select;
}

/**
 * Counts all matching rows, and subtracts the voided ones unless the filters include them. If the movements are filtered by date
 * only, both counts are index-only scans, because voided rows have their own index.
 */
function selectCount(filters: MovementFilters): Knex.QueryBuilder {
  const count = () => {
    const select = addFilters(builder(movements), { ...filters, includeVoided: true }).select(raw('count(*)'));
    if ((filters.categoryIds ?? []).length > 1) select.whereRaw('m.category_id = any (cast(:categoryIds as text[]))');
    return select;
  };
  if (filters.includeVoided) return builder.select(raw(':all::int as total', { all: count() }));
  const voided = count().whereNotNull('m.voided_at');
  return builder.select(raw('(:all - :voided)::int as total', { all: count(), voided }));
}
