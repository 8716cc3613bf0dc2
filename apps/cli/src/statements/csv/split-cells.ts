import { CsvError, parse } from 'csv-parse/sync';

/** The cells of a record; `open` where a quote is not closed yet, `malformed` where it cannot be read at all. */
export type SplitRecord = readonly string[] | 'open' | 'malformed';

/** Splits the text of one record into its cells. */
export function splitCells(text: string, delimiter: string): SplitRecord {
  // Most rows have no quote, or a quote around each cell and none inside; a parser made for each would take most of the
  // time that a long file needs.
  if (!text.includes('"')) return text.split(delimiter);
  return splitPlainlyQuoted(text, delimiter) ?? parseCells(text, delimiter);
}

/** Undefined for whatever is not plainly `bare`, `"quoted ""cell"""` or `="quoted"` between delimiters. */
function splitPlainlyQuoted(text: string, delimiter: string): string[] | 'open' | undefined {
  const cells: string[] = [];
  let start = 0;
  let isTextOfSheet = false;
  for (;;) {
    let end: number;
    // `="0002"` is how text is kept from becoming a number; a parser would not see that its quote is one.
    const quote = text.startsWith('="', start) ? start + 1 : start;
    isTextOfSheet ||= quote > start;
    if (text[quote] === '"') {
      end = findClosingQuote(text, quote) + 1;
      if (end === 0) return isTextOfSheet && quote === start ? 'open' : undefined;
      if (end < text.length && text[end] !== delimiter) return undefined;
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
    start = end + 1;
  }
}

/** The place of the quote that closes the one at `start`; -1 where none does. */
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
    // `12" pizza` without quotes around it is how careless banks write, and can be read in one way only.
    return String(error.code) === 'INVALID_OPENING_QUOTE' ? parseRelaxed(text, delimiter) : 'malformed';
  }
}

function parseRelaxed(text: string, delimiter: string): SplitRecord {
  try {
    return parseOne(text, { delimiter, relaxed: true });
  } catch {
    return 'malformed';
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
