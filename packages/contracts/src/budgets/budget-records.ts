import * as z from 'zod';
import { movementTypes } from '../movements/movement-record.js';
import { amount, calendarDate, currencyCode, signedAmount, timestamp } from '../values/fields.js';

export const budgetModes = ['tracking', 'planning'] as const;

/** The statuses of a budget. They are not stored: the server compares the period with today's date in the tracker's time zone. */
export const budgetStatuses = ['upcoming', 'active', 'closed'] as const;

/**
 * A budget as GET /budgets returns it, without its lines.
 * @source docs/contract.md, section 3
 */
export const budgetRecord = z.strictObject({
  id: z.uuid(),
  trackerId: z.uuid(),
  name: z.string(),
  mode: z.enum(budgetModes),
  status: z.enum(budgetStatuses),
  currencyCode,
  periodStart: calendarDate,
  periodEnd: calendarDate,
  lineCount: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type Budget = z.output<typeof budgetRecord>;

/**
 * A line of a budget: the planned expenses or the planned income of one category. If the budget has the mode `planning`, `actualDecimal`
 * and `remainingDecimal` are null.
 */
export const budgetLineRecord = z.strictObject({
  id: z.uuid(),
  budgetId: z.uuid(),
  categoryId: z.string(),
  type: z.enum(movementTypes),
  plannedDecimal: amount,
  actualDecimal: amount.nullable(),
  remainingDecimal: signedAmount.nullable(),
  note: z.string().nullable(),
  createdAt: timestamp,
});

export type BudgetLine = z.output<typeof budgetLineRecord>;

/** The totals of all expenses or of all incomes. `unplannedDecimal` is the actual amount in categories that no line of this type has. */
const budgetTotals = z.strictObject({
  plannedDecimal: amount,
  actualDecimal: amount.nullable(),
  remainingDecimal: signedAmount.nullable(),
  unplannedDecimal: amount.nullable(),
});

const ratio = z.string().regex(/^\d+\.\d{4}$/);

/** A budget with its lines, the totals of expenses, the totals of income, and its progress. */
export const budgetDetailRecord = z.strictObject({
  ...budgetRecord.shape,
  lines: z.array(budgetLineRecord),
  summary: z.strictObject({ expense: budgetTotals, income: budgetTotals }),
  progress: z.strictObject({
    daysTotal: z.int(),
    daysElapsed: z.int(),
    elapsedRatio: ratio,
    expenseRatio: ratio.nullable(),
  }),
});

export type BudgetDetail = z.output<typeof budgetDetailRecord>;
