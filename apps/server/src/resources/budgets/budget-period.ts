import type { Budget, BudgetDetail } from '@centavo/contracts';

interface Period {
  readonly period_start: string;
  readonly period_end: string;
}

/** Derived, never stored: before the period `upcoming`, after it `closed`. Source: contract, section 3. */
export function budgetStatus({ period_start, period_end }: Period, today: string): Budget['status'] {
  if (today < period_start) return 'upcoming';
  return today > period_end ? 'closed' : 'active';
}

/**
 * How far a budget is: today counts as elapsed, within 0 and the whole period; the expense ratio is null without a plan or
 * in planning mode. Ratios are decimal strings of four decimals, rounded half up. Source: contract, sections 3 and 10a.
 * @param budget.planned of the expense lines, in minor units
 * @param budget.actual of the same lines, or null where nothing is tracked
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

function ratio(part: bigint, whole: bigint): string {
  const tenThousandths = (part * 20_000n + whole) / (whole * 2n);
  const digits = String(tenThousandths).padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}
