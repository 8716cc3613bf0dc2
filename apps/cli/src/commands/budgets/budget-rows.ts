import type { BudgetDetail, Movement } from '@centavo/sdk';
import { describeStanding, toPlanState } from './line-standing.js';

/** One line of a budget for a spreadsheet; amounts are decimals, empty where nothing is compared (`mode: planning`). */
export interface BudgetRow {
  readonly category: string;
  readonly type: Movement['type'];
  readonly planned: string;
  readonly actual: string | null;
  readonly remaining: string | null;
  readonly currencyCode: string;
  /** Where the line stands, in the words of the chart. */
  readonly status: string;
}

/**
 * The lines of a budget, in its order.
 * @param categoryNames ids stand for those that it lacks
 */
export function toBudgetRows(budget: BudgetDetail, categoryNames: ReadonlyMap<string, string>): readonly BudgetRow[] {
  const { currencyCode } = budget;
  return budget.lines.map((line) => ({
    category: categoryNames.get(line.categoryId) ?? line.categoryId,
    type: line.type,
    planned: line.plannedDecimal,
    actual: line.actualDecimal,
    remaining: line.remainingDecimal,
    currencyCode,
    status: describeStanding(toPlanState(line.type, line, currencyCode), budget).text,
  }));
}
