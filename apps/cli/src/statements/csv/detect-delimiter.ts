import { looksLikeTransaction } from './cell-kinds.js';
import { looksLikeHeaders } from './guess-columns.js';
import type { CsvRecord } from './read-records.js';

/** The delimiters that are tried, a comma first: it is taken where nothing speaks for another. */
export const delimiterCandidates = [',', ';', '\t', '|'] as const;

/**
 * How much speaks for a delimiter, from the first records of a file that was split with it: headers of a statement most
 * of all, then rows with a date and an amount, then how many rows have as many cells; the more columns, the better. The
 * commas of prose and of decimals agree now and then, but make neither headers nor dates.
 */
export function scoreDelimiter(records: readonly CsvRecord[]): number {
  const rows = records.flatMap((record) => ('cells' in record ? [record.cells] : []));
  const widths = new Map<number, number>();
  for (const { length } of rows) if (length > 1) widths.set(length, (widths.get(length) ?? 0) + 1);
  const agreement = Math.max(0, ...[...widths].map(([width, agreeing]) => agreeing * agreeing + width / 1000));
  const transactions = rows.filter(looksLikeTransaction).length;
  return (rows.some(looksLikeHeaders) ? 1_000_000 : 0) + transactions * 10_000 + agreement;
}

/** The delimiter that the first line names for spreadsheets, as `sep=;`. */
export function readDelimiterLine(line: string): string | undefined {
  return /^"?sep=(.)"?$/i.exec(line.trimEnd())?.[1] ?? (/^"?sep=\t/i.test(line) ? '\t' : undefined);
}
