import { CsvError, parse } from 'csv-parse/sync';
import { detectEncoding, requireEncoding } from '../../encoding.js';
import { readLines, type StatementSource } from '../../source.js';
import { isAmountCell, isDateCell, looksLikeTransaction } from './cells.js';
import type { HeaderCurrency } from './columns.js';
import { looksLikeHeaders } from './detect-columns-by-header.js';

/** The encoding, the delimiter and the headers of a file. */
export interface Dialect {
  readonly encoding: string;
  readonly delimiter: string;
  /** The line number of the headers, from 1. In a file without headers, the number of the line above the first row. */
  readonly headerLine: number;
  readonly headers: readonly string[];
  /**
   * The currency that a line above the headers names; undefined if no line names a currency, or several currencies are
   * named.
   */
  readonly preambleCurrency: HeaderCurrency | undefined;
}

/** The first rows of a file, with its encoding and delimiter. */
export interface CsvHead {
  readonly source: StatementSource;
  readonly encoding: string;
  readonly delimiter: string;
  readonly rows: readonly HeadRow[];
}

/** One of the first rows of a file, with the number of the line where the row starts. */
export interface HeadRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The number of lines that are searched for the headers. Some banks write several lines, such as names and balances, above the headers. */
const headLinesMax = 60;

/**
 * Reads the first rows of a CSV file, with the requested or detected encoding and delimiter.
 * @throws StatementError if the file cannot be read, or the encoding is unknown
 */
export async function readHead(
  source: StatementSource,
  options: { encoding?: string | undefined; delimiter?: string | undefined },
): Promise<CsvHead> {
  const encoding = options.encoding === undefined ? await detectEncoding(source) : requireEncoding(options.encoding);
  const lines: string[] = [];
  for await (const line of readLines(source, encoding)) {
    lines.push(line);
    if (lines.length === headLinesMax) break;
  }
  const named = options.delimiter ?? readDelimiterLine(lines[0] ?? '');
  const tried: { delimiter: string; records: readonly CsvRecord[] }[] = [];
  for (const delimiter of named === undefined ? delimiterCandidates : [named]) {
    const records: CsvRecord[] = [];
    for await (const record of readRecords(eachOf(lines), delimiter)) records.push(record);
    tried.push({ delimiter, records });
  }
  const scored = tried.map((attempt) => ({ ...attempt, score: scoreDelimiter(attempt.records) }));
  const best = scored.reduce((better, next) => (next.score > better.score ? next : better));
  const rows = best.records.filter((record) => 'cells' in record);
  return { source, encoding, delimiter: best.delimiter, rows };
}

async function* eachOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** Yields the records below the headers of a file. Omits the lines above the headers, because they may have another format. */
export async function* recordsBelowHeaders(source: StatementSource, dialect: Dialect): AsyncGenerator<CsvRecord> {
  for await (const record of readRecords(readLines(source, dialect.encoding), dialect.delimiter)) {
    if (record.line > dialect.headerLine) yield record;
  }
}

/**
 * The delimiters that are tried. Of those with the highest score ({@link scoreDelimiter}), the first in this list is used. The Indian bank
 * HDFC writes `~|~`.
 */
export const delimiterCandidates = [',', ';', '\t', '|', '~|~'] as const;

/**
 * Returns the score of a delimiter for the first records of the file, which were split at this delimiter. Headers of a
 * statement have the most weight, then rows with a date and an amount, then rows with an equal number of cells, then more
 * columns. A wrong delimiter may also split the rows into equal numbers of cells, for example at the commas of decimals. But
 * with such a delimiter, no row consists of known headers, and no row has a date.
 */
export function scoreDelimiter(records: readonly CsvRecord[]): number {
  const rows = records.flatMap((record) => ('cells' in record ? [record.cells] : []));
  const widths = new Map<number, number>();
  for (const { length } of rows) if (length > 1) widths.set(length, (widths.get(length) ?? 0) + 1);
  const agreement = Math.max(0, ...[...widths].map(([width, agreeing]) => agreeing * agreeing + width / 1000));
  const transactions = rows.filter(looksLikeTransaction).length;
  return (rows.some(looksLikeHeaders) ? 1_000_000 : 0) + transactions * 10_000 + agreement;
}

/** Returns the delimiter that the first line declares for spreadsheets, such as `;` for `sep=;`. */
export function readDelimiterLine(line: string): string | undefined {
  return /^"?sep=(.)"?$/i.exec(line.trimEnd())?.[1] ?? (/^"?sep=\t/i.test(line) ? '\t' : undefined);
}

/**
 * One record of a CSV file, or a line that cannot be read. `line` is the number of the first line, from 1. If `lineCount` is absent,
 * the record has one line.
 */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[]; readonly lineCount?: number }
  | { readonly line: number; readonly reason: string };

/**
 * The maximum number of lines of a record. A quoted cell with a long text, such as a disclaimer, can have more than twenty
 * lines. A quote that is still open after this number of lines was not meant as an opening quote.
 */
const recordLinesMax = 60;

/**
 * Splits lines into the records of a CSV file, and omits blank lines.
 *
 * A record takes the fewest lines that make it complete. If a quote is never closed, only the line of the quote fails,
 * and reading continues with the next line. A parser of the whole file would read all rows after that quote as one cell.
 */
export async function* readRecords(lines: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  const waiting: { line: number; text: string }[] = [];
  let lineNumber = 0;
  for await (const text of lines) {
    lineNumber += 1;
    // The fast path: a row without quotes is complete.
    if (waiting.length === 0 && !text.includes('"')) {
      if (text.trim() !== '') yield { line: lineNumber, cells: text.split(delimiter) };
      continue;
    }
    waiting.push({ line: lineNumber, text });
    yield* takeRecords(waiting, { delimiter, isEnd: false });
  }
  yield* takeRecords(waiting, { delimiter, isEnd: true });
}

function* takeRecords(
  waiting: { line: number; text: string }[],
  { delimiter, isEnd }: { delimiter: string; isEnd: boolean },
): Generator<CsvRecord> {
  while (waiting.length > 0) {
    const first = waiting[0] as { line: number; text: string };
    // Adds one line at a time, because the record may need only some of the lines in `waiting`. After a line has failed, `waiting` still
    // has the lines below it.
    let taken = 0;
    let split: SplitRecord = 'open';
    let text = '';
    while (split === 'open' && taken < waiting.length) {
      text = taken === 0 ? first.text : `${text}\n${waiting[taken]?.text}`;
      taken += 1;
      split = splitCells(text, delimiter);
    }
    if (split === 'open' && !isEnd && taken < recordLinesMax) return;
    if (split === 'open' || split === 'malformed') {
      const cells = preferEarlier(splitWhollyQuoted(first.text, delimiter), splitSpacedQuotes(first.text, delimiter));
      const reason = 'a quotation mark is not closed, or closed in the middle of a cell';
      yield cells === undefined ? { line: first.line, reason } : { line: first.line, cells };
      waiting.shift();
      continue;
    }
    waiting.splice(0, taken);
    if (text.trim() !== '') yield { line: first.line, cells: split, ...(taken > 1 && { lineCount: taken }) };
  }
}

/** The cells of a record; `open` if a quote is not closed yet, `malformed` if the text cannot be read. */
export type SplitRecord = readonly string[] | 'open' | 'malformed';

/** Splits the text of one record into its cells. */
export function splitCells(text: string, delimiter: string): SplitRecord {
  // The fast path: most rows have no quotes, or only quotes around cells. If the parser were called for each row, it would take
  // most of the reading time.
  if (!text.includes('"')) return text.split(delimiter);
  return splitPlainlyQuoted(text, delimiter) ?? parseCells(text, delimiter);
}

/**
 * Returns the cells of a record that contains only `bare`, `"quoted ""cell"""` and `="quoted"` cells. Returns `open` if a
 * quoted cell that comes after a `="quoted"` cell is not closed. Returns undefined for all other records.
 */
function splitPlainlyQuoted(text: string, delimiter: string): string[] | 'open' | undefined {
  const cells: string[] = [];
  let start = 0;
  let isSpreadsheetText = false;
  for (;;) {
    let end: number;
    // Some banks write `="0002"`, so that a spreadsheet does not turn the text into a number. csv-parse does not support this form.
    const quote = text.startsWith('="', start) ? start + 1 : start;
    isSpreadsheetText ||= quote > start;
    if (text[quote] === '"') {
      end = findClosingQuote(text, quote) + 1;
      if (end === 0) return isSpreadsheetText && quote === start ? 'open' : undefined;
      if (end < text.length && !text.startsWith(delimiter, end)) return undefined;
      const inner = text.slice(quote + 1, end - 1);
      cells.push(inner.includes('"') ? inner.replaceAll('""', '"') : inner);
    } else {
      const found = text.indexOf(delimiter, start);
      end = found === -1 ? text.length : found;
      const cell = text.slice(start, end);
      if (cell.includes('"')) return undefined;
      cells.push(cell);
    }
    if (end === text.length) return cells;
    start = end + delimiter.length;
  }
}

/**
 * Splits a line whose cells are all quoted, and may contain quotes that are not doubled: `"1","UAB "Naktida"","2"`. If a cell
 * contains a delimiter directly between two quotes, the result has one cell too many, so the row does not fit the headers and fails.
 */
function splitWhollyQuoted(text: string, delimiter: string): string[] | undefined {
  const line = text.trimEnd();
  const end = line.lastIndexOf('"');
  const behind = line.slice(end + 1);
  if (!line.startsWith('"') || end < 1 || behind.replaceAll(delimiter, '') !== '') return undefined;
  const cells = line.slice(1, end).split(`"${delimiter}"`);
  if (cells.length < quotedCellsMin) return undefined;
  return [...cells.map((cell) => cell.replaceAll('""', '"')), ...behind.split(delimiter).slice(1)];
}

/** The minimum number of cells of a line whose cells are all quoted. A row with fewer cells cannot have a date, an amount and a text. */
const quotedCellsMin = 3;

/** Returns the position of the closing quote for the quote at `start`; -1 if there is none. */
function findClosingQuote(text: string, start: number): number {
  let place = text.indexOf('"', start + 1);
  while (place !== -1 && text[place + 1] === '"') place = text.indexOf('"', place + 2);
  return place;
}

function parseCells(text: string, delimiter: string): SplitRecord {
  try {
    return parseOne(text, { delimiter, relaxed: false });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'open';
    // Some banks write a cell such as `12" pizza` without quotes around the cell. The quote inside such a cell is unambiguous, so the
    // record can still be split.
    if (String(error.code) !== 'INVALID_OPENING_QUOTE') return 'malformed';
    const cells = parseSpacedQuotes(text, delimiter) ?? parseRelaxed(text, delimiter);
    return (cells && preferEarlier(cells, splitSpacedQuotes(text, delimiter))) ?? 'malformed';
  }
}

/**
 * Splits a record with spaces or tabs around quoted cells: `"Shop" ,"-1.00"<tab>,`. The cells do not include these spaces and tabs. A tab
 * that is the delimiter still separates cells. Returns undefined if the record is malformed.
 */
function splitSpacedQuotes(text: string, delimiter: string): readonly string[] | undefined {
  const skipBlanks = (from: number): number => {
    let place = from;
    while (!text.startsWith(delimiter, place) && (text[place] === ' ' || text[place] === '\t')) place += 1;
    return place;
  };
  const cells: string[] = [];
  let start = 0;
  for (;;) {
    const quote = skipBlanks(start);
    let end: number;
    if (text[quote] === '"') {
      const closing = findClosingQuote(text, quote);
      if (closing === -1) return undefined;
      end = skipBlanks(closing + 1);
      if (end < text.length && !text.startsWith(delimiter, end)) return undefined;
      cells.push(text.slice(quote + 1, closing).replaceAll('""', '"'));
    } else {
      const found = text.indexOf(delimiter, start);
      end = found === -1 ? text.length : found;
      const cell = text.slice(start, end);
      if (cell.includes('"')) return undefined;
      cells.push(cell);
    }
    if (end === text.length) return cells;
    start = end + delimiter.length;
  }
}

/**
 * Chooses between two results of splitting a record. `spaced` omits the spaces and tabs around quoted cells. `earlier` is split as earlier
 * versions of this package split records; the idempotency keys of already imported rows were computed from such cells. Returns `spaced`
 * only if it has a date or an amount that `earlier` does not have in the same position. If only texts differ, returns `earlier`. If one of
 * the two is undefined, returns the other.
 */
function preferEarlier(
  earlier: readonly string[] | undefined,
  spaced: readonly string[] | undefined,
): readonly string[] | undefined {
  if (earlier === undefined || spaced === undefined) return earlier ?? spaced;
  const movesValue = spaced.some((cell, index) => isValueCell(cell) && earlier[index]?.trim() !== cell.trim());
  return movesValue ? spaced : earlier;
}

function isValueCell(cell: string): boolean {
  return isAmountCell(cell) || isDateCell(cell);
}

/**
 * Splits a record with spaces around quoted cells: `15 Jan , "1,000.00" , Shop`. Returns undefined in three cases:
 * - The record is malformed.
 * - No quoted cell has spaces around it.
 * - No quoted cell is a date, is an amount or contains the delimiter. The caller then splits the record so that the quoted cells keep
 *   their quotes, because the idempotency keys of already imported rows were computed with the quotes.
 */
function parseSpacedQuotes(text: string, delimiter: string): readonly string[] | undefined {
  const edge = delimiter.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const tight = text
    .replace(new RegExp(`(^|${edge}) +"`, 'g'), '$1"')
    .replace(new RegExp(`" +(${edge}|$)`, 'g'), '"$1');
  if (tight === text) return undefined;
  try {
    const cells = parseOne(tight, { delimiter, relaxed: false });
    const rawCells = text.split(delimiter);
    const isQuotedValue = (cell: string, index: number) =>
      isValueCell(cell) && rawCells[index]?.trim().startsWith('"') === true;
    return cells.length !== rawCells.length || cells.some(isQuotedValue) ? cells : undefined;
  } catch {
    return undefined;
  }
}

function parseRelaxed(text: string, delimiter: string): readonly string[] | undefined {
  try {
    return parseOne(text, { delimiter, relaxed: true });
  } catch {
    return undefined;
  }
}

function parseOne(text: string, options: { delimiter: string; relaxed: boolean }): readonly string[] {
  const records = parse(text, {
    delimiter: options.delimiter,
    relax_quotes: options.relaxed,
    relax_column_count: true,
    skip_empty_lines: false,
  });
  return records[0] ?? [];
}
