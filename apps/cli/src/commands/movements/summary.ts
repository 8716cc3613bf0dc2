import type { FinancialClient } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import type { RecordView } from '../../ui/table.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { namesOf } from '../shared/resolve-id.js';
import { loadTotals } from './load-totals.js';
import { type Grouping, groupings, type SummaryRow, toSummaryRows } from './movement-totals.js';
import { addMovementFilters, type MovementFilterFlags, readMovementFilters } from './read-movements.js';
import { renderSummary } from './summary-chart.js';

interface SummaryFlags extends MovementFilterFlags {
  readonly by: string;
  readonly top: string;
}

/** `centavo movements summary`: shows exact sums. It omits transfers, because they are neither expenses nor incomes. */
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
        .option('--by <group>', 'category, month, merchant or account', 'category')
        .option(
          '--top <bars>',
          'number of groups with their own bar; all further groups share one more bar; json, jsonl and csv contain all groups',
          '20',
        ),
    act: async (context, flags) => {
      const by = requireGrouping(flags.by);
      const top = requireTop(flags.top);
      const client = await context.clientInTracker();
      const { kind: _, ...filters } = await readMovementFilters(client, flags);
      const names = await loadNames(client, by);
      const { printer } = context;
      const totals = await loadTotals(context, { client, filters, by, isChart: printer.format === 'table' });
      const nameOf = (key: string | null) => (key === null ? null : (names.get(key) ?? key));
      if (printer.format !== 'table') {
        await printer.printRecords(toSummaryRows(totals, { by, nameOf }), summaryView);
        return;
      }
      const options = { by, top, period: filters, nameOf: (key: string | null) => nameOf(key) ?? `(no ${by})` };
      const charts = totals.map((total) => renderSummary(total, options, printer.frame));
      if (charts.length === 0) printer.note('No movements match.');
      else await printer.printChart(charts.join('\n').trimEnd());
    },
  });
}

const summaryView: RecordView<SummaryRow> = {
  columns: [],
  fields: ['by', 'key', 'name', 'currencyCode', 'expenseDecimal', 'incomeDecimal', 'netDecimal', 'movementCount'],
};

/** Returns the names of the groups by key. The map is empty for months and merchants, because their keys serve as names. */
async function loadNames(client: FinancialClient, by: Grouping): Promise<ReadonlyMap<string, string>> {
  if (by === 'category') return namesOf(client.categories.list());
  return by === 'account' ? namesOf(client.accounts.list()) : new Map();
}

function requireGrouping(word: string): Grouping {
  const grouping = groupings.find((name) => name === word);
  if (grouping !== undefined) return grouping;
  throw new UsageError(`--by ${word} is not valid.`, `Use one of ${groupings.join(', ')}.`);
}

function requireTop(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError(`--top "${text}" is not a whole number from 1 to 9999.`, 'Use a number such as 10.');
}
