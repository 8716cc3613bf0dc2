import { type BudgetDetail, fromMinorUnits, type Movement, toMinorUnits } from '@centavo/sdk';

/** The planned and actual amount of a line in minor units; `actual` is null in `mode: planning`. */
export interface PlanState {
  readonly type: Movement['type'];
  readonly planned: bigint;
  readonly actual: bigint | null;
}

export interface LineStatus {
  /** Whether the line is an expense above its plan. */
  readonly isOver: boolean;
  /** The status in a few words. */
  readonly text: string;
}

/**
 * Describes the difference between the planned and the actual amount. For an expense, the text is "… left", "all spent"
 * or "… over". For an income, the text is "… more", "all received" or "… to come"; a closed budget has "… missing" instead
 * of "… to come". The text is empty if there is no actual amount, or if both amounts are 0.
 *
 * In an active budget, "over pace" follows "… left" if the spent share of the planned amount is greater than the elapsed
 * share of the days, for example if more than a third is spent after 10 of 30 days.
 */
export function describeLineStatus(
  { type, planned, actual }: PlanState,
  { currencyCode, status, progress }: Pick<BudgetDetail, 'currencyCode' | 'status' | 'progress'>,
): LineStatus {
  const money = (amount: bigint) => fromMinorUnits(amount, currencyCode);
  const notOver = (text: string) => ({ isOver: false, text });
  if (actual === null) return notOver('');
  if (type === 'income') {
    if (actual > planned) return notOver(`${money(actual - planned)} more`);
    if (actual === planned) return notOver(planned === 0n ? '' : 'all received');
    return notOver(`${money(planned - actual)} ${status === 'closed' ? 'missing' : 'to come'}`);
  }
  if (actual > planned) return { isOver: true, text: `${money(actual - planned)} over` };
  if (actual === planned) return notOver(planned === 0n ? '' : 'all spent');
  const left = `${money(planned - actual)} left`;
  const { daysTotal, daysElapsed } = progress;
  const isAhead = status === 'active' && actual * BigInt(daysTotal) > planned * BigInt(daysElapsed);
  return notOver(isAhead ? `${left}, over pace` : left);
}

/** Returns the amounts of a line or a total in minor units. */
export function toPlanState(
  type: Movement['type'],
  amounts: { plannedDecimal: string; actualDecimal: string | null },
  currencyCode: string,
): PlanState {
  const { plannedDecimal, actualDecimal } = amounts;
  return {
    type,
    planned: toMinorUnits(plannedDecimal, currencyCode),
    actual: actualDecimal === null ? null : toMinorUnits(actualDecimal, currencyCode),
  };
}

/** One line of a budget as a row of CSV. Amounts are decimals; `actual` and `remaining` are null in `mode: planning`. */
export interface BudgetRow {
  readonly category: string;
  readonly type: Movement['type'];
  readonly planned: string;
  readonly actual: string | null;
  readonly remaining: string | null;
  readonly currencyCode: string;
  /** The same text as in the chart. */
  readonly status: string;
}

/**
 * Returns the lines of a budget as rows, in the order of the budget.
 * @param categoryNames names by id; a missing name is replaced by the id
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
    status: describeLineStatus(toPlanState(line.type, line, currencyCode), budget).text,
  }));
}
