import type { Budget, BudgetDetail } from '@centavo/contracts';
import { type addBudgetLineBody, type createBudgetBody, fitsCurrency, type Issue } from '@centavo/contracts';
import type * as z from 'zod';
import { type ApiError, notFound, stateConflict, validationError } from '../../api-error.js';
import { type CategoryFacts, categoryIssue } from '../categories/index.js';

/** Maximum number of budgets in a tracker. Source: docs/contract.md, section 4. */
export const budgetsMax = 1000;

/** A new budget line, all defaults applied. */
export interface BudgetLinePlan {
  readonly categoryId: string;
  readonly type: 'expense' | 'income';
  readonly planned: string;
  readonly note: string | null;
}

/** A new budget with its lines, all defaults applied. */
export interface BudgetPlan {
  readonly name: string;
  readonly mode: 'tracking' | 'planning';
  readonly currencyCode: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly lines: readonly BudgetLinePlan[];
}

/**
 * Validates a new budget with its first lines, and applies the defaults. Pure.
 * @throws NOT_FOUND (404), VALIDATION_ERROR (400) as {@link decideBudgetLines}
 * @throws STATE_CONFLICT (409) `line_exists` when two lines have the same category and type, `limit_reached` when the tracker has the
 *   maximum number of budgets
 * @source docs/contract.md, section 4
 */
export function decideBudget(request: {
  readonly body: z.output<typeof createBudgetBody>;
  readonly trackerCurrencyCode: string;
  readonly categories: readonly CategoryFacts[];
  readonly existingCount: number;
}): BudgetPlan {
  const { body } = request;
  const currencyCode = body.currencyCode ?? request.trackerCurrencyCode;
  const lines = decideBudgetLines({
    bodies: body.lines ?? [],
    currencyCode,
    categories: request.categories,
    pathOf: (index, field) => `lines.${index}.${field}`,
  });
  const lineKeys = lines.map(({ categoryId, type }) => `${type} ${categoryId}`);
  const repeatedIndex = lineKeys.findIndex((key, index) => lineKeys.indexOf(key) !== index);
  if (repeatedIndex !== -1) {
    throw stateConflict('line_exists', 'Two lines of the request have the same category and type.', {
      path: `lines.${repeatedIndex}.categoryId`,
    });
  }
  if (request.existingCount >= budgetsMax) {
    throw stateConflict('limit_reached', `The tracker already has ${budgetsMax} budgets, the maximum.`);
  }
  const { name, mode, periodStart, periodEnd } = body;
  return { name, mode, currencyCode, periodStart, periodEnd, lines };
}

/**
 * Validates new lines. Each amount must have no more decimal places than the budget's currency. The caller must see each category, and the
 * category must be active and accept the type of the line. Pure.
 * @param request.pathOf returns the path of a field of the line at `index`, reported in issues and errors
 * @throws NOT_FOUND (404) `resource: category` when the caller does not see the category of a line
 * @throws VALIDATION_ERROR (400) with the AMOUNT_PRECISION and CATEGORY_NOT_USABLE issues of all lines
 */
export function decideBudgetLines(request: {
  readonly bodies: readonly z.output<typeof addBudgetLineBody>[];
  readonly currencyCode: string;
  readonly categories: readonly CategoryFacts[];
  readonly pathOf: (index: number, field: string) => string;
}): BudgetLinePlan[] {
  const { currencyCode, pathOf } = request;
  const issues: Issue[] = [];
  const lines = request.bodies.map((body, index) => {
    const type = body.type ?? 'expense';
    const category = request.categories.find(({ id }) => id === body.categoryId);
    if (category === undefined) throw notFound({ resource: 'category', path: pathOf(index, 'categoryId') });
    if (!fitsCurrency(body.plannedDecimal, currencyCode)) {
      issues.push({
        path: pathOf(index, 'plannedDecimal'),
        code: 'AMOUNT_PRECISION',
        message: `Send no more decimal places than ${currencyCode} has; amounts are never rounded.`,
      });
    }
    const unusable = categoryIssue({ category, type, path: pathOf(index, 'categoryId') });
    if (unusable !== undefined) issues.push(unusable);
    return { categoryId: body.categoryId, type, planned: body.plannedDecimal, note: body.note ?? null };
  });
  if (issues.length > 0) throw validationError(issues);
  return lines;
}

/** Returns the 409 error for a new line when the budget already has a line with the same category and type. */
export function lineExistsError(lineId: string | undefined): ApiError {
  return stateConflict('line_exists', 'The budget already has a line for this category and type.', { lineId });
}

interface Period {
  readonly period_start: string;
  readonly period_end: string;
}

/**
 * Returns the status of a budget: `upcoming` before the period, `closed` after the period, otherwise `active`
 * @source docs/contract.md, section 3
 */
export function budgetStatus({ period_start, period_end }: Period, today: string): Budget['status'] {
  if (today < period_start) return 'upcoming';
  return today > period_end ? 'closed' : 'active';
}

/**
 * Returns the progress of a budget. Today counts as elapsed. The number of elapsed days is at least 0 and at most the number of days
 * in the period. `expenseRatio` is the actual total divided by the planned total. It is null if the planned total is zero, or if the mode
 * of the budget is `planning`. Ratios have four decimal places, rounded half up.
 * @param budget.planned total of the expense lines, in minor units
 * @param budget.actual total of the actual amounts of the same lines, in minor units; null if the mode is `planning`
 * @source docs/contract.md, sections 3 and 10a
 */
export function describeProgress(
  budget: Period & { readonly today: string; readonly planned: bigint; readonly actual: bigint | null },
): BudgetDetail['progress'] {
  const daysTotal = daysBetween(budget.period_start, budget.period_end) + 1;
  const daysElapsed = Math.min(Math.max(daysBetween(budget.period_start, budget.today) + 1, 0), daysTotal);
  return {
    daysTotal,
    daysElapsed,
    elapsedRatio: ratio(BigInt(daysElapsed), BigInt(daysTotal)),
    expenseRatio: budget.actual === null || budget.planned === 0n ? null : ratio(budget.actual, budget.planned),
  };
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** Divides `part` by `whole`, rounded half up to four decimal places. */
function ratio(part: bigint, whole: bigint): string {
  const tenThousandths = (part * 20_000n + whole) / (whole * 2n);
  const digits = String(tenThousandths).padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}
