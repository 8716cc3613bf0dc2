import type { summaryFilters } from '@centavo/contracts';
import type * as z from 'zod';
import { query } from '../../database/query.js';
import type { ContextValue } from '../../database/statement.js';
import type { Transaction } from '../../database/transaction.js';

/** Totals in one currency. Amounts have at most four decimal places. */
export interface TotalsRow {
  readonly currency_code: string;
  readonly expense: string;
  readonly income: string;
  readonly net: string;
  readonly movement_count: number;
}

/** The first groups of a summary, up to the requested limit. `group_count` and `totals` cover all groups. */
export interface SummaryRow {
  readonly groups: readonly (TotalsRow & { readonly key: string | null })[];
  readonly group_count: number;
  readonly totals: readonly TotalsRow[];
}

const keys = {
  category: 'm.category_id',
  month: "to_char(m.occurred_on, 'YYYY-MM')",
  merchant: 'm.merchant_name',
  account: 'cast(m.account_id as text)',
} as const;

const largestFirst = 'expense + income desc, key collate "C" asc nulls last';

// Amounts are JSON strings, because JSON numbers would lose digits.
const totalsJson = `'currency_code', currency_code, 'expense', expense::text, 'income', income::text,
    'net', (income - expense)::text, 'movement_count', movement_count`;

/** Returns the groups and totals of the filtered movements from one snapshot. Excludes voided movements and legs of transfers. */
export async function summarizeMovements(
  tx: Transaction,
  {
    trackerId,
    filters,
  }: { readonly trackerId: string | ContextValue; readonly filters: z.output<typeof summaryFilters> },
): Promise<SummaryRow> {
  const { groupBy, type, accountId, cashboxId, from, to, categoryIds, currencyCode } = filters;
  const conditions = [
    type !== undefined && 'm.type = :type',
    accountId !== undefined && 'm.account_id = :accountId',
    cashboxId !== undefined && 'm.cashbox_id = :cashboxId',
    from !== undefined && 'm.occurred_on >= cast(:from as date)',
    to !== undefined && 'm.occurred_on <= cast(:to as date)',
    categoryIds !== undefined && 'm.category_id = any (cast(:categoryIds as text[]))',
    currencyCode !== undefined && 'm.currency_code = :currencyCode',
  ].filter((condition) => condition !== false);
  const [row] = await query<SummaryRow>(
    tx,
    `with grouped as materialized (
       select ${keys[groupBy]} as key, m.currency_code,
         coalesce(sum(m.amount) filter (where m.type = 'expense'), 0) as expense,
         coalesce(sum(m.amount) filter (where m.type = 'income'), 0) as income,
         count(*) as movement_count
       from app.movements m
       where ${['m.tracker_id = :trackerId', "m.kind = 'regular'", 'm.voided_at is null', ...conditions].join(' and ')}
       group by 1, 2
     ), ranked as (
       select *, row_number() over (order by currency_code, ${groupBy === 'month' ? 'key desc' : largestFirst}) as rank
       from grouped
     ), totals as (
       select currency_code, sum(expense) as expense, sum(income) as income, sum(movement_count) as movement_count
       from grouped group by currency_code
     )
     select
       (select coalesce(json_agg(json_build_object('key', key, ${totalsJson}) order by rank), '[]')
        from ranked where rank <= :limit) as groups,
       (select count(*)::int from grouped) as group_count,
       (select coalesce(json_agg(json_build_object(${totalsJson}) order by currency_code), '[]') from totals) as totals`,
    {
      trackerId,
      type: type ?? null,
      accountId: accountId ?? null,
      cashboxId: cashboxId ?? null,
      from: from ?? null,
      to: to ?? null,
      categoryIds: categoryIds ?? null,
      currencyCode: currencyCode ?? null,
      limit: filters.limit,
    },
    { isLastRead: true },
  );
  return row ?? { groups: [], group_count: 0, totals: [] };
}
