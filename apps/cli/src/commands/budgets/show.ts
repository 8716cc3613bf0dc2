import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireBudgetId } from '../shared/resolve-id.js';
import { printBudget } from './budget-view.js';

export function addBudgetsShow(budgets: Command, cli: Cli): void {
  defineCommand(budgets, cli, {
    usage: 'show <budget>',
    summary: 'Show the planned and actual amounts of a budget (id, name, or month YYYY-MM) as a chart',
    examples: ['centavo budgets show 2026-05', 'centavo budgets show "May at home" -o json'],
    act: async (context, _flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const budget = await client.budgets.get(await requireBudgetId(client, wanted));
      await printBudget(context, client, budget);
    },
  });
}
