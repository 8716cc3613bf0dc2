import { categoryIdsMax, pageLimitMax } from '@centavo/contracts/calls';
import type { FinancialClient, Movement, MovementFilters } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import { canDrawProgress, type Progress, startProgress } from '../../ui/progress.js';
import type { CommandContext } from '../shared/context.js';
import { collect, daysOfMonth } from '../shared/flags.js';
import { requireAccountId, requireCashboxId, requireCategoryId } from '../shared/resolve-id.js';

/** The flags by which `movements list`, `summary` and `export` filter movements. */
export interface MovementFilterFlags {
  readonly type?: string;
  readonly kind?: string;
  readonly category: readonly string[];
  readonly account?: string;
  readonly cashbox?: string;
  readonly from?: string;
  readonly to?: string;
  readonly month?: string;
}

/** Adds the flags of the filters except `--kind`. The commands that have this flag add it themselves. */
export function addMovementFilters(command: Command): Command {
  return command
    .option('--type <type>', 'expense or income')
    .option('--category <category>', `id or name; up to ${categoryIdsMax} times`, collect, [])
    .option('--account <account>', 'id or name')
    .option('--cashbox <cashbox>', 'id or name')
    .option('--from <date>', 'first day, YYYY-MM-DD')
    .option('--to <date>', 'last day, YYYY-MM-DD')
    .option('--month <month>', 'the days of one month, YYYY-MM');
}

/**
 * Converts the flags to the filters of the API, and resolves names to ids.
 * @throws UsageError (exit 2), UnknownNameError (exit 5)
 */
export async function readMovementFilters(
  client: FinancialClient,
  flags: MovementFilterFlags,
): Promise<MovementFilters> {
  const accountId = flags.account === undefined ? undefined : await requireAccountId(client, flags.account);
  const categoryIds: string[] = [];
  for (const category of flags.category) categoryIds.push(await requireCategoryId(client, category));
  return {
    type: flags.type as MovementFilters['type'],
    kind: flags.kind as MovementFilters['kind'],
    ...(categoryIds.length > 0 && { categoryIds }),
    accountId,
    cashboxId: flags.cashbox === undefined ? undefined : await requireCashboxId(client, flags.cashbox, accountId),
    ...readPeriod(flags),
  };
}

function readPeriod({ from, to, month }: MovementFilterFlags): Pick<MovementFilters, 'from' | 'to'> {
  if (month === undefined) return { from, to };
  if (from !== undefined || to !== undefined) throw new UsageError('--month cannot be combined with --from or --to.');
  const [first, last] = daysOfMonth('--month', month);
  return { from: first, to: last };
}

/**
 * Reads all movements that match the filters, newest first, with one page in memory at a time. On a terminal, shows a
 * progress bar if there is more than one page and neither `--quiet` nor `isOnScreen` is set.
 *
 * @param reading.isOnScreen whether the rows are printed on the terminal, where the bar would mix with them
 */
export async function* readAllMovements(
  context: CommandContext,
  reading: { client: FinancialClient; filters: MovementFilters; isOnScreen: boolean },
): AsyncGenerator<Movement, void, undefined> {
  const { client, filters } = reading;
  const first = await client.movements.list({ ...filters, limit: pageLimitMax });
  const isHidden = reading.isOnScreen || !first.pagination.hasMore || !canShowBar(context);
  const total = isHidden ? 0 : await countMovements(client, filters);
  const progress = startProgress({ ...context.io, total, isHidden });
  const { interruption } = context.io;
  const clear = () => progress.clear();
  interruption.addEventListener('abort', clear);
  try {
    yield* advancing(first, progress);
  } finally {
    interruption.removeEventListener('abort', clear);
    progress.clear();
  }
}

async function* advancing(rows: AsyncIterable<Movement>, progress: Progress): AsyncGenerator<Movement> {
  for await (const row of rows) {
    yield row;
    progress.advance();
  }
}

function canShowBar({ io, isQuiet }: CommandContext): boolean {
  return canDrawProgress(io) && !isQuiet;
}

async function countMovements(client: FinancialClient, filters: MovementFilters): Promise<number> {
  const { pagination } = await client.movements.list({ ...filters, limit: 1, includeTotal: true });
  return pagination.total ?? 0;
}
