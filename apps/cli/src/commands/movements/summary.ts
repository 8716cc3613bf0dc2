import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import type { RecordView } from '../../ui/table.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { namesOf } from '../shared/resolve-id.js';
import { type Grouping, groupings, type SummaryRow, toSummaryRows, totalMovements } from './movement-totals.js';
import {
  addMovementFilters,
  type MovementFilterFlags,
  readAllMovements,
  readMovementFilters,
} from './read-movements.js';
import { renderSummary } from './summary-chart.js';

interface SummaryFlags extends MovementFilterFlags {
  readonly by: string;
  readonly top: string;
}

/** `centavo movements summary`: exact sums without transfers, which are neither expenses nor incomes. */
export function addMovementsSummary(movements: Command, cli: Cli): void {
  defineCommand<SummaryFlags>(movements, cli, {
    usage: 'summary',
    summary: 'Show the sums of expenses and incomes as a chart, without transfers',
    examples: [
      'centavo movements summary --month 2026-05',
      'centavo movements summary --by month --from 2026-01-01 --account Checking',
      'centavo movements summary --by merchant --top 10',
      'centavo movements summary --by category -o csv > spending.csv',
    ],
    options: (command) =>
      addMovementFilters(command)
        .option('--by <group>', 'category, month or merchant', 'category')
        .option(
          '--top <bars>',
          'number of bars in the chart; the last one has the rest; other formats have all rows',
          '20',
        ),
    act: async (context, flags) => {
      const by = requireGrouping(flags.by);
      const top = requireTop(flags.top);
      const client = await context.clientInTracker();
      const filters = { ...(await readMovementFilters(client, flags)), kind: 'regular' as const };
      const names = by === 'category' ? await namesOf(client.categories.list()) : new Map<string, string>();
      const totals = await totalMovements(readAllMovements(context, { client, filters, isOnScreen: false }), by);
      const { printer } = context;
      const nameOf = (key: string | null) => (key === null ? null : (names.get(key) ?? key));
      if (printer.format !== 'table') {
        await printer.printRecords(toSummaryRows(totals, { by, nameOf }), summaryView);
        return;
      }
      const look = { by, top, period: filters, nameOf: (key: string | null) => nameOf(key) ?? `(no ${by})` };
      const charts = totals.map((total) => renderSummary(total, look, printer.frame));
      if (charts.length === 0) printer.note('No movements match.');
      else await printer.printChart(charts.join('\n').trimEnd());
    },
  });
}

const summaryView: RecordView<SummaryRow> = {
  columns: [],
  fields: ['by', 'key', 'name', 'currencyCode', 'expenseDecimal', 'incomeDecimal', 'netDecimal', 'movementCount'],
};

function requireGrouping(word: string): Grouping {
  const grouping = groupings.find((name) => name === word);
  if (grouping !== undefined) return grouping;
  throw new UsageError(`--by ${word} is not valid.`, `Use one of ${groupings.join(', ')}.`);
}

function requireTop(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError(`--top "${text}" is not a number of bars.`, 'Use one such as 10.');
}
