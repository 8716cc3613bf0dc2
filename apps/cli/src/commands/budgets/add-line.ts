import { descriptionLengthMax } from '@centavo/contracts/calls';
import type { AddBudgetLineInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { namesOf, requireBudgetId } from '../shared/resolve-id.js';
import { sendWrite } from '../shared/write.js';
import { budgetLineView } from './budget-view.js';
import { resolveLines } from './read-plan.js';

interface AddLineFlags extends WriteFlags {
  readonly category: string;
  readonly planned: string;
  readonly type?: string;
  readonly note?: string;
}

export function addBudgetsAddLine(budgets: Command, cli: Cli): void {
  defineCommand<AddLineFlags>(budgets, cli, {
    usage: 'add-line <budget>',
    summary: 'Plan an amount for a category in a budget (id, name, or month YYYY-MM)',
    examples: [
      'centavo budgets add-line 2026-05 --category Groceries --planned 400',
      'centavo budgets add-line "May at home" --category Salary --planned 2000 --type income --note "13 payments"',
    ],
    writes: 'withIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .requiredOption('--category <category>', 'id or name')
        .requiredOption('--planned <amount>', 'decimal amount such as 400 or 120.50, 0 or more')
        .option(
          '--type <type>',
          'expense or income (default: income if --category is the name of an income-only category, otherwise expense)',
        )
        .option('--note <text>', `up to ${descriptionLengthMax} characters`),
    act: async (context, flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const budgetId = await requireBudgetId(client, wanted);
      const flagLines = [{ category: flags.category, plannedDecimal: flags.planned, type: flags.type }];
      const [line] = await resolveLines(client, { flagLines, fileLines: [] });
      const body = { ...(line as AddBudgetLineInput), note: flags.note };
      const response = await sendWrite(context, flags, {
        call: 'budgets.addLine',
        pathParameters: { budgetId },
        body,
        preview: (options) => client.budgets.addLine(budgetId, body, options).withResponse(),
        send: (idempotencyKey) => client.budgets.addLine(budgetId, body, { idempotencyKey }).withResponse(),
      });
      if (response === undefined) return;
      if (response.replayed)
        context.printer.note('This line was added with this idempotency key before; nothing was added.');
      const { printer } = context;
      const names = printer.format === 'table' ? await namesOf(client.categories.list()) : undefined;
      await printer.printRecord(response.data, budgetLineView(names));
    },
  });
}
