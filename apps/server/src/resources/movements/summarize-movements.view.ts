import { formatAmount, type MovementSummary, type SummaryMeta } from '@centavo/contracts';
import type { SummaryRow, TotalsRow } from './summarize-movements.queries.js';

/** Converts the groups of a summary to the API's rows and `meta.summary`. */
export function toSummaryView(
  row: SummaryRow,
  limit: number,
): { readonly data: MovementSummary[]; readonly summary: SummaryMeta } {
  return {
    data: row.groups.map((group) => ({ key: group.key, ...toTotalsView(group) })),
    summary: {
      groupCount: row.group_count,
      hasMore: row.group_count > limit,
      totals: row.totals.map(toTotalsView),
    },
  };
}

function toTotalsView(row: TotalsRow): Omit<MovementSummary, 'key'> {
  const { currency_code: currencyCode } = row;
  return {
    currencyCode,
    expenseDecimal: formatAmount(row.expense, currencyCode),
    incomeDecimal: formatAmount(row.income, currencyCode),
    netDecimal: formatAmount(row.net, currencyCode),
    movementCount: row.movement_count,
  };
}
