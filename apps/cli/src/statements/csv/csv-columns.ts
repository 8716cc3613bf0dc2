import { UsageError } from '../../errors.js';

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
  /** Says whether the transaction is final, pending, or never happened. */
  readonly status?: string;
}

export type CsvColumnName = keyof CsvColumns;

/**
 * The columns that identify a row. They stay those of the first import of a kind of file, so that a later import with other
 * columns does not record the same rows again.
 */
export type IdentityColumns = Pick<CsvColumns, (typeof identityNames)[number]>;

const identityNames = [
  'date',
  'amount',
  'debit',
  'credit',
  'direction',
  'description',
  'merchant',
  'category',
] as const satisfies readonly CsvColumnName[];

/** Returns the columns that identify a row. */
export function pickIdentity(columns: CsvColumns): IdentityColumns {
  const picked = identityNames.flatMap((name) => (columns[name] === undefined ? [] : [[name, columns[name]]]));
  return Object.fromEntries(picked) as IdentityColumns;
}

/** Where each named column stands, from 0. */
export type ColumnPositions = Readonly<Partial<Record<CsvColumnName, number>>>;

/**
 * Finds each named column among the headers, ignoring case and surrounding spaces; of two equal headers the first. Any
 * column can be named by its place too, as `column 3`; one without a header only so.
 *
 * @throws UsageError (exit 2) for a column that the file does not have, listing those that it has
 */
export function requirePositions(columns: Partial<CsvColumns>, headers: readonly string[]): ColumnPositions {
  const known = nameColumns(headers).map(canonicalHeader);
  const positions: Partial<Record<CsvColumnName, number>> = {};
  for (const [name, header] of Object.entries(columns) as [CsvColumnName, string][]) {
    const wanted = canonicalHeader(header);
    const position = known.includes(wanted) ? known.indexOf(wanted) : findPlace(wanted, headers);
    if (position === undefined) {
      throw new UsageError(
        `The file has no column "${header}" (--${name}-column).`,
        `Its columns are: ${listColumns(headers)}.`,
      );
    }
    positions[name] = position;
  }
  return positions;
}

/** From 0; undefined where the text is not `column 3`, or the file has fewer. */
function findPlace(wanted: string, headers: readonly string[]): number | undefined {
  const place = Number(/^column (\d{1,6})$/.exec(wanted)?.[1]) - 1;
  return place in headers ? place : undefined;
}

/** The headers, with `column 3` for the third where it has none. */
export function nameColumns(headers: readonly string[]): readonly string[] {
  return headers.map((header, index) => (header.trim() === '' ? `column ${index + 1}` : header));
}

/** The names of the columns for a message; those without a header only where none has one. */
export function listColumns(headers: readonly string[]): string {
  const named = headers.filter((header) => header.trim() !== '');
  return (named.length > 0 ? named : nameColumns(headers)).join(', ');
}

/** One spelling for headers that differ in case, spaces or Unicode form only. */
export function canonicalHeader(header: string): string {
  return header.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** A cell without surrounding spaces, and without the `="…"` that keeps spreadsheets from turning text into numbers. */
export function plainCell(cell: string): string {
  const text = cell.trim();
  return text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1).trim() : text;
}

/** The API takes names of merchants, categories and accounts on one line only. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
