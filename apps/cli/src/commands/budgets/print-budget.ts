import type { BudgetDetail, FinancialClient } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';
import type { Invocation } from '../shared/context.js';
import { namesOf } from '../shared/resolve-id.js';
import { renderBudget } from './budget-chart.js';
import { type BudgetRow, toBudgetRows } from './budget-rows.js';
import { budgetView } from './budget-view.js';

/**
 * Prints a budget with its lines: a chart for people, who read names, its lines as rows in CSV, and the API's record in
 * json and jsonl.
 */
export async function printBudget(
  { printer }: Invocation,
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
      'It has no lines yet: add one with "centavo budgets add-line BUDGET --category NAME --planned AMOUNT".',
    );
  }
}

const rowView: RecordView<BudgetRow> = {
  columns: [],
  fields: ['category', 'type', 'planned', 'actual', 'remaining', 'currencyCode', 'status'],
};
