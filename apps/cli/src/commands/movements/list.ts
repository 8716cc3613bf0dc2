import type { FinancialClient, MovementFilters } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../cli-error.js';
import { addCommand, type Cli } from '../add-command.js';
import { collect } from '../collect.js';
import { requireAccountId, requireCashboxId, requireCategoryId } from '../record-ids.js';
import { loadMovementView } from './movement-view.js';

interface ListMovementsFlags {
  readonly type?: string;
  readonly kind?: string;
  readonly category: readonly string[];
  readonly account?: string;
  readonly cashbox?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
  readonly offset?: string;
  readonly cursor?: string;
  readonly all?: boolean;
}

/** `centavo movements list` */
export function addMovementsList(movements: Command, cli: Cli): void {
  addCommand<ListMovementsFlags>(movements, cli, {
    usage: 'list',
    summary: 'List movements, newest first',
    examples: [
      'centavo movements list --from 2026-01-01 --to 2026-01-31',
      'centavo movements list --account Checking --category Groceries --limit 200',
      'centavo movements list --all -o csv > movements.csv',
    ],
    options: (command) =>
      command
        .option('--type <type>', 'expense or income')
        .option('--kind <kind>', 'regular or transfer')
        .option('--category <category>', 'id or name; up to five times', collect, [])
        .option('--account <account>', 'id or name')
        .option('--cashbox <cashbox>', 'id or name')
        .option('--from <date>', 'first day, YYYY-MM-DD')
        .option('--to <date>', 'last day, YYYY-MM-DD')
        .option('--limit <rows>', 'rows to show, 1-200 (default: 50); with --all, rows a request')
        .option('--offset <rows>', 'rows to leave out at the start')
        .option('--cursor <cursor>', 'go on where an earlier list ended')
        .option('--all', 'every row, however many there are'),
    act: async (invocation, flags) => {
      const client = await invocation.clientInTracker();
      const filters = await readFilters(client, flags);
      const view = await loadMovementView(invocation, client);
      if (flags.all === true) {
        await invocation.printer.printRecords(client.movements.list({ limit: 200, ...filters }), view);
        return;
      }
      const { data, pagination } = await client.movements.list(filters);
      await invocation.printer.printRecords(data, view);
      if (pagination.hasMore) invocation.printer.note(`There are more: --all, or --cursor ${pagination.nextCursor}`);
    },
  });
}

async function readFilters(client: FinancialClient, flags: ListMovementsFlags): Promise<MovementFilters> {
  const accountId = flags.account === undefined ? undefined : await requireAccountId(client, flags.account);
  const categoryIds: string[] = [];
  for (const category of flags.category) categoryIds.push(await requireCategoryId(client, category));
  return {
    type: flags.type as MovementFilters['type'],
    kind: flags.kind as MovementFilters['kind'],
    ...(categoryIds.length > 0 && { categoryIds }),
    accountId,
    cashboxId: flags.cashbox === undefined ? undefined : await requireCashboxId(client, flags.cashbox, accountId),
    from: flags.from,
    to: flags.to,
    ...(flags.limit !== undefined && { limit: requireWholeNumber('--limit', flags.limit) }),
    offset: flags.offset === undefined ? undefined : requireWholeNumber('--offset', flags.offset),
    cursor: flags.cursor,
  };
}

function requireWholeNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} "${text}" is not a whole number.`);
}
