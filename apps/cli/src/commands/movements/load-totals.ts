import { summaryLimitMax } from '@centavo/contracts/calls';
import type { FinancialClient, MovementFilters, MovementSummary, SummaryFilters } from '@centavo/sdk';
import { isMissingOperation } from '../../client/is-missing-operation.js';
import type { CommandContext } from '../shared/context.js';
import { type CurrencyTotals, type Grouping, totalMovements, totalSummaries } from './movement-totals.js';
import { readAllMovements } from './read-movements.js';

/** The filters that `movements list` and `movements summary` have in common. */
type SharedFilters = Omit<SummaryFilters, 'groupBy' | 'limit'>;

/**
 * Returns the sums of all movements that match the filters, without transfers. Usually the server computes the sums. The
 * function reads and sums the movements itself in three cases: the server is too old to compute sums, it cannot return all
 * groups, or a chart has movements in at most two months. Such a chart may need sums by day, which the server does not compute.
 */
export async function loadTotals(
  context: CommandContext,
  reading: {
    readonly client: FinancialClient;
    readonly filters: MovementFilters & SharedFilters;
    readonly by: Grouping;
    readonly isChart: boolean;
  },
): Promise<CurrencyTotals[]> {
  const { client, filters, by, isChart } = reading;
  const months = isChart || by === 'month' ? await summarize(client, { ...filters, groupBy: 'month' }) : [];
  if (months !== undefined && !(isChart && countMonths(months) <= 2)) {
    const rows = by === 'month' ? months : await summarize(client, { ...filters, groupBy: by });
    if (rows !== undefined) return totalSummaries({ rows, months }, by);
  }
  const movements = readAllMovements(context, {
    client,
    filters: { ...filters, kind: 'regular' },
    isOnScreen: false,
  });
  return totalMovements(movements, by);
}

function countMonths(months: readonly MovementSummary[]): number {
  return new Set(months.map(({ key }) => key)).size;
}

/** Returns the sums of all groups; undefined if the server is too old to compute sums or cannot return all groups. */
async function summarize(client: FinancialClient, filters: SummaryFilters): Promise<MovementSummary[] | undefined> {
  try {
    const { data, meta } = await client.movements.summary({ ...filters, limit: summaryLimitMax }).withResponse();
    return meta?.summary?.hasMore === true ? undefined : data;
  } catch (error) {
    if (isMissingOperation(error)) return undefined;
    throw error;
  }
}
