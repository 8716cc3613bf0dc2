import { pageLimitDefault, pageLimitMax } from '@centavo/contracts/calls';
import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireWholeNumber } from '../shared/flags.js';
import { loadMovementView } from './movement-view.js';
import { addMovementFilters, type MovementFilterFlags, readMovementFilters } from './read-movements.js';

interface ListMovementsFlags extends MovementFilterFlags {
  readonly limit?: string;
  readonly offset?: string;
  readonly cursor?: string;
  readonly includeTotal?: boolean;
  readonly externalId?: string;
  readonly includeVoided?: boolean;
  readonly all?: boolean;
}

export function addMovementsList(movements: Command, cli: Cli): void {
  defineCommand<ListMovementsFlags>(movements, cli, {
    usage: 'list',
    summary: 'List movements, newest first',
    examples: [
      'centavo movements list --month 2026-01',
      'centavo movements list --account Checking --category Groceries --limit 200',
      'centavo movements list --all -o csv > movements.csv',
    ],
    options: (command) =>
      addMovementFilters(command)
        .option('--kind <kind>', 'regular or transfer')
        .option('--external-id <id>', 'the movement with this id of another system')
        .option('--include-voided', 'also list voided movements')
        .option(
          '--limit <rows>',
          `rows to show, 1-${pageLimitMax} (default: ${pageLimitDefault}); with --all, rows per request (default: ${pageLimitMax})`,
        )
        .option('--offset <rows>', 'rows to skip at the start')
        .option('--cursor <cursor>', 'continue after the last row of an earlier list')
        .option('--include-total', 'also show the total number of rows (not with --all)')
        .option('--all', 'all rows'),
    act: async (context, flags) => {
      const client = await context.clientInTracker();
      const filters = {
        ...(await readMovementFilters(client, flags)),
        ...(flags.limit !== undefined && { limit: requireWholeNumber('--limit', flags.limit) }),
        offset: flags.offset === undefined ? undefined : requireWholeNumber('--offset', flags.offset),
        cursor: flags.cursor,
        ...(flags.includeTotal === true && { includeTotal: true }),
        externalId: flags.externalId,
        ...(flags.includeVoided === true && { includeVoided: true }),
      };
      const view = await loadMovementView(context, client);
      if (flags.all === true) {
        await context.printer.printRecords(client.movements.list({ limit: pageLimitMax, ...filters }), view);
        return;
      }
      const { data, pagination } = await client.movements.list(filters);
      await context.printer.printRecords(data, view);
      if (pagination.total !== null) context.printer.note(`${data.length} of ${pagination.total}.`);
      if (pagination.hasMore)
        context.printer.note(`There are more rows. Use --all, or --cursor ${pagination.nextCursor}`);
    },
  });
}
