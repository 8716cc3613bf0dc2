import type { BooksReport } from '../database/checks/check-books.queries.js';
import type { ChainChecked } from '../resources/events/index.js';

/** Returns the summary line of `centavo-server check`. Pure. */
export function describeBooksCheck({ cashboxCount, transferCount, contradictions }: BooksReport): string {
  const checked = `${formatCount(cashboxCount, 'balance')} and ${formatCount(transferCount, 'transfer')}`;
  return `Checked ${checked}: ${formatCount(contradictions.length, 'contradiction')}.`;
}

/** Returns the summary lines of `centavo-server check --chain`. Pure. */
export function describeChainCheck(checked: ChainChecked): string[] {
  const { eventCount, trackerCount, recordCount, incomparableCount, contradictionCount } = checked;
  const events = `${formatCount(eventCount, 'event')} of ${formatCount(trackerCount, 'tracker')}`;
  const summary = `Checked ${events} and ${formatCount(recordCount, 'record')}: ${formatCount(contradictionCount, 'contradiction')}.`;
  if (incomparableCount === 0) return [summary];
  const skipped =
    incomparableCount === 1
      ? '1 record was not compared with its last event, because this event has no digest of the record or was redacted.'
      : `${incomparableCount} records were not compared with their last events, because these events have no digest of the record or were redacted.`;
  return [summary, skipped];
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
