import type { BudgetFiltersInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { budgetView } from './budget-view.js';

export function addBudgetsList(budgets: Command, cli: Cli): void {
  defineCommand<{ mode?: string; status?: string }>(budgets, cli, {
    usage: 'list',
    summary: 'List the budgets of the tracker',
    examples: [
      'centavo budgets list',
      'centavo budgets list --status active',
      'centavo budgets list --mode planning -o json',
    ],
    options: (command) =>
      command.option('--mode <mode>', 'tracking or planning').option('--status <status>', 'upcoming, active or closed'),
    act: async (context, { mode, status }) => {
      const client = await context.clientInTracker();
      // The API validates the values.
      const filters = { mode, status } as BudgetFiltersInput;
      await context.printer.printRecords(client.budgets.list(filters), budgetView);
    },
  });
}
