import { type SplitRecord, splitCells } from './split-cells.js';

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
    // Most rows have no quote: nothing has to wait for the lines behind them.
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
