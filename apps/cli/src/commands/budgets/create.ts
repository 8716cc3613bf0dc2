import { type Budget, type CreateBudgetInput, type FinancialClient, isPermissionError } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import { type ConfirmedFlags, confirmNewName, yesToDuplicateName } from '../shared/confirm.js';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { collect, daysOfMonth } from '../shared/flags.js';
import { sendWrite } from '../shared/write.js';
import { printBudget } from './budget-view.js';
import { parseLine, readPlanFile, resolveLines } from './read-plan.js';

interface CreateBudgetFlags extends ConfirmedFlags {
  readonly mode?: string;
  readonly month?: string;
  readonly periodStart?: string;
  readonly periodEnd?: string;
  readonly currency?: string;
  readonly line: readonly string[];
  readonly fromFile?: string;
}

export function addBudgetsCreate(budgets: Command, cli: Cli): void {
  defineCommand<CreateBudgetFlags>(budgets, cli, {
    usage: 'create [name]',
    summary: 'Create a budget with its lines, from flags, a JSON file, or both; flags take precedence',
    examples: [
      'centavo budgets create May --month 2026-05 --line Groceries=400 --line "Eating out=120.50" --line Salary=2000:income',
      'centavo budgets create Summer --period-start 2026-07-01 --period-end 2026-08-31 --mode planning',
      'centavo budgets create "May again" --from-file - --month 2026-05 < plan.json',
    ],
    writes: 'withIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .option(
          '--mode <mode>',
          'tracking (compares plan and actual amounts) or planning (plan only); default: tracking',
        )
        .option('--month <month>', 'the days of one month, YYYY-MM')
        .option('--period-start <date>', 'first day, YYYY-MM-DD')
        .option('--period-end <date>', 'last day, YYYY-MM-DD')
        .option('--currency <code>', "ISO 4217 code (default: the tracker's)")
        .option(
          '--line <category=amount>',
          'a planned amount; add :income or :expense (default: income if the line has the name of an income-only category, otherwise expense)',
          collect,
          [],
        )
        .option(
          '--from-file <file>',
          'the JSON body of POST /budgets, which may have category names instead of ids; - is standard input',
        )
        .option(...yesToDuplicateName),
    act: async (context, flags, [name]) => {
      const client = await context.clientInTracker();
      const body = await readBody(context, { client, flags, name });
      // The confirmation prevents a second budget if the user repeats the command by mistake. With --idempotency-key, the
      // server already prevents the second budget, so the command does not ask.
      if (flags.idempotencyKey === undefined) {
        const records = await budgetsOfPeriod(client, body);
        await confirmNewName(context, flags, { noun: 'budget', name: body.name, records });
      }
      const response = await sendWrite(context, flags, {
        call: 'budgets.create',
        body,
        preview: (options) => client.budgets.create(body, options).withResponse(),
        send: (idempotencyKey) => client.budgets.create(body, { idempotencyKey }).withResponse(),
      });
      if (response === undefined) return;
      if (response.replayed)
        context.printer.note('This budget was created with this idempotency key before; nothing was added.');
      await printBudget(context, client, response.data);
    },
  });
}

async function readBody(
  { io }: CommandContext,
  { client, flags, name }: { client: FinancialClient; flags: CreateBudgetFlags; name: string | undefined },
): Promise<CreateBudgetInput> {
  const plan = flags.fromFile === undefined ? {} : await readPlanFile(flags.fromFile, io.stdin);
  const flagLines = flags.line.map(parseLine);
  if (plan.lines !== undefined && plan.lines !== null && !Array.isArray(plan.lines)) {
    throw new UsageError('"lines" in the plan file is not an array. Write it as [ … ].');
  }
  const lines = await resolveLines(client, { flagLines, fileLines: plan.lines ?? [] });
  const body = {
    mode: 'tracking' as const,
    ...plan,
    ...(name !== undefined && { name }),
    ...(flags.mode !== undefined && { mode: flags.mode as CreateBudgetInput['mode'] }),
    ...readPeriod(flags),
    ...(flags.currency !== undefined && { currencyCode: flags.currency }),
    ...(lines.length > 0 && { lines }),
  };
  const missing = [
    ...(body.name === undefined ? ['the name'] : []),
    ...(body.periodStart === undefined || body.periodEnd === undefined ? ['the period'] : []),
  ];
  if (missing.length === 0) return body as CreateBudgetInput;
  throw new UsageError(
    `A budget needs a name and a period. Missing: ${missing.join(' and ')}.`,
    'Use a command such as: centavo budgets create May --month 2026-05.',
  );
}

/** Returns the budgets that have the same period as the new budget; an empty list if the credential may not read budgets. */
async function budgetsOfPeriod(
  client: FinancialClient,
  { periodStart, periodEnd }: CreateBudgetInput,
): Promise<readonly Budget[]> {
  try {
    const { data: budgets } = await client.budgets.list();
    return budgets.filter((budget) => budget.periodStart === periodStart && budget.periodEnd === periodEnd);
  } catch (error) {
    if (isPermissionError(error)) return [];
    throw error;
  }
}

function readPeriod({ month, periodStart, periodEnd }: CreateBudgetFlags): Partial<CreateBudgetInput> {
  if (month === undefined) {
    return { ...(periodStart !== undefined && { periodStart }), ...(periodEnd !== undefined && { periodEnd }) };
  }
  if (periodStart !== undefined || periodEnd !== undefined) {
    throw new UsageError('--month cannot be combined with --period-start and --period-end.');
  }
  const [first, last] = daysOfMonth('--month', month);
  return { periodStart: first, periodEnd: last };
}
