import type { BudgetDetail, FinancialClient } from '@centavo/sdk';
import type { Invocation } from '../invocation.js';
import { namesOf } from '../record-names.js';
import { renderBudget } from './budget-chart.js';
import { budgetView } from './budget-view.js';

/** Prints a budget with its lines: a chart for people, who read names, the API's record in every other format. */
export async function printBudget(
  { printer }: Invocation,
  client: FinancialClient,
  budget: BudgetDetail,
): Promise<void> {
  if (printer.format !== 'table') {
    await printer.printRecord(budget, { columns: [], fields: [...budgetView.fields, 'lines', 'summary', 'progress'] });
    return;
  }
  const categoryNames = await namesOf(client.categories.list());
  printer.printText(renderBudget(budget, { categoryNames, frame: printer.frame }).trimEnd());
  if (budget.lines.length === 0) {
    printer.note(
      'It has no lines yet: add one with "centavo budgets add-line BUDGET --category NAME --planned AMOUNT".',
    );
  }
}
