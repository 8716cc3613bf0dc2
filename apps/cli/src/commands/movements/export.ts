import type { FinancialClient, Movement } from '@centavo/sdk';
import type { Command } from 'commander';
import type { GlobalFlags } from '../../config/settings.js';
import { UsageError } from '../../errors.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { namesOf } from '../shared/resolve-id.js';
import {
  addMovementFilters,
  type MovementFilterFlags,
  readAllMovements,
  readMovementFilters,
} from './read-movements.js';

interface ExportMovementsFlags extends MovementFilterFlags, Pick<GlobalFlags, 'output'> {}

/** `centavo movements export`: writes the movements that match the filters, except voided ones, with one page in memory at a time. */
export function addMovementsExport(movements: Command, cli: Cli): void {
  defineCommand<ExportMovementsFlags>(movements, cli, {
    usage: 'export',
    summary: 'Write movements (without voided ones) to standard output as CSV; with -o, as json or jsonl',
    examples: [
      'centavo movements export > movements.csv',
      'centavo movements export --from 2026-01-01 --account Checking -o jsonl | gzip > movements.jsonl.gz',
    ],
    options: (command) =>
      addMovementFilters(command)
        .option('--kind <kind>', 'regular or transfer')
        .addHelpText(
          'after',
          `\nCSV columns: ${exportedFields.join(', ')}.\nAn apostrophe is added before text that a spreadsheet would run as a formula. json and jsonl have the API's records.`,
        ),
    act: async (context, flags) => {
      if (flags.output === 'table')
        throw new UsageError('The format of an export is csv, json or jsonl.', 'For a table, use "movements list".');
      const printer = flags.output === undefined ? context.printer.as('csv') : context.printer;
      const client = await context.clientInTracker();
      const filters = await readMovementFilters(client, flags);
      const isOnScreen = context.io.stdout.isTTY === true;
      const rows = readAllMovements(context, { client, filters, isOnScreen });
      if (printer.format === 'csv') {
        await printer.printRecords(withNames(client, rows), { columns: [], fields: exportedFields });
      } else {
        await printer.printRecords(rows, { columns: [], fields: [] });
      }
    },
  });
}

/**
 * The record from which `exportedFields` selects the columns of the CSV: the API's movement without `trackerId`, with `source`
 * as two fields, and with the names of its account and category.
 */
type ExportedMovement = Omit<Movement, 'source' | 'trackerId'> & {
  readonly accountName: string | null;
  readonly categoryName: string | null;
  readonly sourceType: string;
  readonly sourceId: string;
};

/** The columns of the CSV. Scripts rely on their order, so new columns come last. */
const exportedFields = [
  'id',
  'occurredOn',
  'type',
  'kind',
  'amountDecimal',
  'currencyCode',
  'accountId',
  'accountName',
  'cashboxId',
  'categoryId',
  'categoryName',
  'merchantName',
  'description',
  'transferGroupId',
  'sourceType',
  'sourceId',
  'version',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof ExportedMovement)[];

async function* withNames(client: FinancialClient, rows: AsyncIterable<Movement>): AsyncGenerator<ExportedMovement> {
  const accounts = await namesOf(client.accounts.list());
  const categories = await namesOf(client.categories.list());
  for await (const { source, trackerId: _, ...movement } of rows) {
    yield {
      ...movement,
      accountName: accounts.get(movement.accountId) ?? null,
      categoryName: movement.categoryId === null ? null : (categories.get(movement.categoryId) ?? null),
      sourceType: source.type,
      sourceId: source.id,
    };
  }
}
