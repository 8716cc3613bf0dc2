import { UsageError } from '../../cli-error.js';

/** Which header stands for what; a file has `amount`, or `debit` and `credit`. */
export interface CsvColumns {
  readonly date: string;
  readonly amount?: string;
  readonly debit?: string;
  readonly credit?: string;
  readonly direction?: string;
  readonly description?: string;
  readonly merchant?: string;
  readonly category?: string;
  readonly account?: string;
  readonly currency?: string;
}

export type CsvColumnName = keyof CsvColumns;

/** Where each named column stands, from 0. */
export type ColumnPositions = Readonly<Partial<Record<CsvColumnName, number>>>;

/**
 * Finds each named column among the headers, ignoring case and surrounding spaces; of two equal headers the first.
 * @throws UsageError (exit 2) for a column that the file does not have, listing those that it has
 */
export function requirePositions(columns: Partial<CsvColumns>, headers: readonly string[]): ColumnPositions {
  const known = headers.map(canonicalHeader);
  const positions: Partial<Record<CsvColumnName, number>> = {};
  for (const [name, header] of Object.entries(columns) as [CsvColumnName, string][]) {
    const position = known.indexOf(canonicalHeader(header));
    if (position === -1) {
      throw new UsageError(
        `The file has no column "${header}" (--${name}-column).`,
        `Its columns are: ${headers.filter((text) => text !== '').join(', ')}.`,
      );
    }
    positions[name] = position;
  }
  return positions;
}

/** One spelling for headers that differ in case, spaces or Unicode form only. */
export function canonicalHeader(header: string): string {
  return header.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
