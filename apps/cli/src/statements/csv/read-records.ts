import { CsvError, parse } from 'csv-parse/sync';

/** One record of a CSV file, or the line that is none. `line` is where it begins, from 1. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly reason: string };

/** A quoted cell may run over so many lines; beyond, its quote was never meant to open. */
const recordLinesMax = 20;

/**
 * Splits lines into the records of a CSV file; blank lines are none.
 *
 * A record is read from as few lines as make it whole. Where a quote is never closed, only its own line fails and
 * reading goes on with the next one: a parser fed the whole file would swallow every row behind that quote, and one
 * malformed row must not stop the others.
 */
export async function* readRecords(lines: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  const waiting: { line: number; text: string }[] = [];
  let lineNumber = 0;
  for await (const text of lines) {
    lineNumber += 1;
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
    // Line by line, although all of `waiting` is there: after a line has failed, the next record may be a short one.
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
      yield { line: first.line, reason: 'a quotation mark is not closed, or closed in the middle of a cell' };
      waiting.shift();
      continue;
    }
    waiting.splice(0, taken);
    if (text.trim() !== '') yield { line: first.line, cells: split };
  }
}

type SplitRecord = readonly string[] | 'open' | 'malformed';

/** `open`: a quote is not closed yet. */
function splitCells(text: string, delimiter: string): SplitRecord {
  // Most rows have no quote, and then nothing needs a parser: three times faster on a long file.
  if (!text.includes('"')) return text.split(delimiter);
  try {
    return parseCells(text, { delimiter, relaxed: false });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'open';
    // `12" pizza` without quotes around it is how careless banks write, and can be read in one way only.
    return String(error.code) === 'INVALID_OPENING_QUOTE' ? parseRelaxed(text, delimiter) : 'malformed';
  }
}

function parseRelaxed(text: string, delimiter: string): SplitRecord {
  try {
    return parseCells(text, { delimiter, relaxed: true });
  } catch {
    return 'malformed';
  }
}

function parseCells(text: string, options: { delimiter: string; relaxed: boolean }): readonly string[] {
  const records = parse(text, {
    delimiter: options.delimiter,
    relax_quotes: options.relaxed,
    relax_column_count: true,
    skip_empty_lines: false,
  });
  return records[0] ?? [];
}
