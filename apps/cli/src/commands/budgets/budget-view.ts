import type { Budget, BudgetDetail, BudgetLine, FinancialClient } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';
import type { CommandContext } from '../shared/context.js';
import { namesOf } from '../shared/resolve-id.js';
import { renderBudget } from './budget-chart.js';
import { type BudgetRow, toBudgetRows } from './line-status.js';

export const budgetView: RecordView<Budget> = {
  columns: [
    { header: 'NAME', value: (budget) => budget.name, flexible: true, roomy: true },
    { header: 'STATUS', value: (budget) => budget.status },
    { header: 'FROM', value: (budget) => budget.periodStart },
    { header: 'TO', value: (budget) => budget.periodEnd, droppable: 'last' },
    { header: 'MODE', value: (budget) => budget.mode, droppable: 'last' },
    { header: 'CURRENCY', value: (budget) => budget.currencyCode, droppable: 'last' },
    { header: 'LINES', value: (budget) => String(budget.lineCount), align: 'right', droppable: 'last' },
    { header: 'ID', value: (budget) => budget.id, droppable: true },
  ],
  fields: [
    'id',
    'trackerId',
    'name',
    'mode',
    'status',
    'currencyCode',
    'periodStart',
    'periodEnd',
    'lineCount',
    'createdAt',
    'updatedAt',
  ],
};

/** Returns the view of budget lines. @param categoryNames names by id; a missing name is replaced by the id */
export const budgetLineView = (categoryNames: ReadonlyMap<string, string> = new Map()): RecordView<BudgetLine> => ({
  columns: [
    { header: 'CATEGORY', value: (line) => categoryNames.get(line.categoryId) ?? line.categoryId },
    { header: 'TYPE', value: (line) => line.type },
    { header: 'PLANNED', value: (line) => line.plannedDecimal },
    { header: 'ACTUAL', value: (line) => line.actualDecimal },
    { header: 'REMAINING', value: (line) => line.remainingDecimal },
    { header: 'NOTE', value: (line) => line.note },
    { header: 'ID', value: (line) => line.id },
  ],
  fields: [
    'id',
    'budgetId',
    'categoryId',
    'type',
    'plannedDecimal',
    'actualDecimal',
    'remainingDecimal',
    'note',
    'createdAt',
  ],
});

/**
 * Prints a budget with its lines: a chart in `table`, its lines as rows in `csv`, and the API's record in `json` and `jsonl`.
 */
export async function printBudget(
  { printer }: CommandContext,
  client: FinancialClient,
  budget: BudgetDetail,
): Promise<void> {
  if (printer.format === 'json' || printer.format === 'jsonl') {
    await printer.printRecord(budget, budgetView);
    return;
  }
  const categoryNames = await namesOf(client.categories.list());
  if (printer.format === 'csv') {
    await printer.printRecords(toBudgetRows(budget, categoryNames), rowView);
    return;
  }
  await printer.printChart(renderBudget(budget, { categoryNames, frame: printer.frame }).trimEnd());
  if (budget.lines.length === 0) {
    printer.note(
      'It has no lines yet. Add one with "centavo budgets add-line BUDGET --category NAME --planned AMOUNT".',
    );
  }
}

const rowView: RecordView<BudgetRow> = {
  columns: [],
  fields: ['category', 'type', 'planned', 'actual', 'remaining', 'currencyCode', 'status'],
};
