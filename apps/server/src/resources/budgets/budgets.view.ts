import {
  type Budget,
  type BudgetDetail,
  type BudgetLine,
  currencyExponent,
  formatAmount,
  fromMinorUnits,
  toMinorUnits,
} from '@centavo/contracts';
import { budgetStatus, describeProgress } from './budgets.rules.js';

/** A database row of a budget. */
export interface BudgetRow {
  readonly id: string;
  readonly tracker_id: string;
  readonly name: string;
  readonly mode: Budget['mode'];
  readonly currency_code: string;
  readonly period_start: string;
  readonly period_end: string;
  readonly line_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A database row of a budget line. */
export interface BudgetLineRow {
  readonly id: string;
  readonly budget_id: string;
  readonly category_id: string;
  readonly type: BudgetLine['type'];
  readonly planned: string;
  readonly note: string | null;
  readonly created_at: string;
}

/** The actual total of one category and type: the sum of the amounts that were spent or received in the period of a budget. */
export interface ActualRow {
  readonly type: BudgetLine['type'];
  readonly category_id: string;
  readonly total: string;
}

/** Converts a row to the API's budget without its lines. The status depends on the tracker's local date. */
export function toBudgetView(row: BudgetRow, today: string): Budget {
  return {
    id: row.id,
    trackerId: row.tracker_id,
    name: row.name,
    mode: row.mode,
    status: budgetStatus(row, today),
    currencyCode: row.currency_code,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    lineCount: row.line_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * Converts a budget row to the API's budget, with its lines, totals and progress. If the mode of the budget is `planning`, all amounts
 * except planned amounts are null.
 */
export function toBudgetDetailView(budget: {
  readonly row: BudgetRow;
  readonly lines: readonly BudgetLineRow[];
  readonly actuals: readonly ActualRow[];
  readonly today: string;
}): BudgetDetail {
  const { row, today } = budget;
  const lines = budget.lines.map((line) => toBudgetLineView(line, row, budget.actuals));
  const expense = totalsOf('expense', lines, budget);
  return {
    ...toBudgetView(row, today),
    lines,
    summary: { expense, income: totalsOf('income', lines, budget) },
    progress: describeProgress({
      ...row,
      today,
      planned: minor(expense.plannedDecimal, row),
      actual: expense.actualDecimal === null ? null : minor(expense.actualDecimal, row),
    }),
  };
}

/**
 * Converts a row to the state of a budget. The audit trail stores a digest of this state. The state omits `lineCount` and `updatedAt`,
 * which change when a line is written, and the status, which depends on the date.
 */
export function toBudgetState(row: BudgetRow): object {
  return {
    id: row.id,
    trackerId: row.tracker_id,
    name: row.name,
    mode: row.mode,
    currencyCode: row.currency_code,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    createdAt: row.created_at,
  };
}

/** Converts a row to the state of a budget line. The audit trail stores a digest of this state. */
export function toBudgetLineState(line: BudgetLineRow, { currency_code }: Pick<BudgetRow, 'currency_code'>): object {
  return {
    id: line.id,
    budgetId: line.budget_id,
    categoryId: line.category_id,
    type: line.type,
    plannedDecimal: formatAmount(line.planned, currency_code),
    note: line.note,
    createdAt: line.created_at,
  };
}

/** Converts a row to the API's budget line, with its actual and remaining amounts. Source: docs/contract.md, section 3. */
export function toBudgetLineView(
  line: BudgetLineRow,
  budget: Pick<BudgetRow, 'mode' | 'currency_code'>,
  actuals: readonly ActualRow[],
): BudgetLine {
  const planned = formatAmount(line.planned, budget.currency_code);
  const actual =
    actuals.find(({ type, category_id }) => type === line.type && category_id === line.category_id)?.total ?? '0';
  const tracked = budget.mode === 'tracking';
  return {
    id: line.id,
    budgetId: line.budget_id,
    categoryId: line.category_id,
    type: line.type,
    plannedDecimal: planned,
    actualDecimal: tracked ? formatAmount(actual, budget.currency_code) : null,
    remainingDecimal: tracked
      ? fromMinorUnits(minor(planned, budget) - minor(actual, budget), budget.currency_code)
      : null,
    note: line.note,
    createdAt: line.created_at,
  };
}

/**
 * Sums the planned and actual amounts of all lines of one type. `unplannedDecimal` is the actual total of the categories without such a
 * line.
 */
function totalsOf(
  type: BudgetLine['type'],
  lines: readonly BudgetLine[],
  budget: { readonly row: BudgetRow; readonly actuals: readonly ActualRow[] },
): BudgetDetail['summary']['expense'] {
  const { row } = budget;
  const show = (minorUnits: bigint) => fromMinorUnits(minorUnits, row.currency_code);
  const linesOfType = lines.filter((line) => line.type === type);
  const planned = linesOfType.reduce((total, line) => total + minor(line.plannedDecimal, row), 0n);
  if (row.mode === 'planning') {
    return { plannedDecimal: show(planned), actualDecimal: null, remainingDecimal: null, unplannedDecimal: null };
  }
  const actual = linesOfType.reduce((total, line) => total + minor(line.actualDecimal ?? '0', row), 0n);
  const actualWithUnplanned = budget.actuals
    .filter((entry) => entry.type === type)
    .reduce((total, entry) => total + minor(entry.total, row), 0n);
  return {
    plannedDecimal: show(planned),
    actualDecimal: show(actual),
    remainingDecimal: show(planned - actual),
    unplannedDecimal: show(actualWithUnplanned - actual),
  };
}

/** Converts an amount or a total to minor units. Only a total may have more than 15 digits before the decimal point. */
function minor(amountDecimal: string, { currency_code }: Pick<BudgetRow, 'currency_code'>): bigint {
  const [whole = '0', fraction = ''] = amountDecimal.split('.');
  if (whole.length <= 15) return toMinorUnits(amountDecimal, currency_code);
  const exponent = currencyExponent(currency_code);
  return BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, '0'));
}
