import type { FinancialClient, Movement, MovementFilters } from '@centavo/sdk';
import { canDrawProgress, type Progress, startProgress } from '../../ui/progress.js';
import type { Invocation } from '../shared/context.js';

/**
 * Every movement of the filters, newest first, a page at a time, with a progress bar where there is more than one page.
 * Only one page is held at once.
 *
 * @param isOnScreen the rows themselves go to the terminal, so that a bar would be in their way
 */
export async function* readAllMovements(
  invocation: Invocation,
  reading: { client: FinancialClient; filters: MovementFilters; isOnScreen: boolean },
): AsyncGenerator<Movement, void, undefined> {
  const { client, filters } = reading;
  const first = await client.movements.list({ ...filters, limit: pageRows });
  const isHidden = reading.isOnScreen || !first.pagination.hasMore || !canShowBar(invocation);
  const total = isHidden ? 0 : await countMovements(client, filters);
  const progress = startProgress({ ...invocation.surroundings, total, isHidden });
  const { interruption } = invocation.surroundings;
  const clear = () => progress.clear();
  interruption.addEventListener('abort', clear);
  try {
    yield* advancing(first, progress);
  } finally {
    interruption.removeEventListener('abort', clear);
    progress.clear();
  }
}

/** The most that the API gives at once. Source: contract, section 4. */
const pageRows = 200;

async function* advancing(rows: AsyncIterable<Movement>, progress: Progress): AsyncGenerator<Movement> {
  for await (const row of rows) {
    yield row;
    progress.advance();
  }
}

function canShowBar({ surroundings, isQuiet }: Invocation): boolean {
  return canDrawProgress(surroundings) && !isQuiet;
}

async function countMovements(client: FinancialClient, filters: MovementFilters): Promise<number> {
  const { pagination } = await client.movements.list({ ...filters, limit: 1, includeTotal: true });
  return pagination.total ?? 0;
}
