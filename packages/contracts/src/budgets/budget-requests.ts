import * as z from 'zod';
import { movementTypes } from '../movements/movement-record.js';
import {
  absentIfNull,
  areInOrder,
  categoryIdField,
  crossCheck,
  currencyField,
  dateField,
  nameField,
  optionalText,
  plannedAmountField,
} from '../values/fields.js';
import { descriptionLengthMax } from '../values/limits.js';
import { budgetModes, budgetStatuses } from './budget-records.js';

/**
 * The maximum number of lines in a request that creates a budget.
 * @source docs/contract.md, section 4
 */
export const budgetLinesMax = 200;

/** The body of POST /budgets/{budgetId}/lines. */
export const addBudgetLineBody = z.strictObject({
  categoryId: categoryIdField,
  plannedDecimal: plannedAmountField,
  type: absentIfNull(z.enum(movementTypes)),
  note: absentIfNull(optionalText({ field: 'note', lengthMax: descriptionLengthMax, multiline: true })),
});

/** The body of POST /budgets. */
export const createBudgetBody = crossCheck(
  z.strictObject({
    name: nameField,
    mode: z.enum(budgetModes),
    periodStart: dateField,
    periodEnd: dateField,
    currencyCode: absentIfNull(currencyField),
    lines: absentIfNull(z.array(addBudgetLineBody).max(budgetLinesMax)),
  }),
  {
    code: 'OUT_OF_RANGE',
    message: 'Send a periodEnd that is not before periodStart.',
    path: ['periodEnd'],
    holds: ({ periodStart, periodEnd }) => areInOrder(periodStart, periodEnd),
  },
);

/** The query of GET /budgets. */
export const budgetFilters = z.strictObject({
  mode: z.enum(budgetModes).optional(),
  status: z.enum(budgetStatuses).optional(),
});

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateBudgetInput = z.input<typeof createBudgetBody>;
export type AddBudgetLineInput = z.input<typeof addBudgetLineBody>;
export type BudgetFiltersInput = z.input<typeof budgetFilters>;
