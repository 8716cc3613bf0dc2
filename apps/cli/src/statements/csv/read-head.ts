import { looksLikeTransaction } from './cell-kinds.js';
import { type CsvColumns, canonicalHeader } from './csv-columns.js';
import { delimiterCandidates, readDelimiterLine, scoreDelimiter } from './detect-delimiter.js';
import { countKnownHeaders, looksLikeHeaders } from './guess-columns.js';
import { readLines } from './read-lines.js';
import { type CsvRecord, readRecords } from './read-records.js';
import { detectEncoding, requireEncoding } from './text-encoding.js';

/** The first rows of a file, and how its bytes and cells are to be taken. */
export interface CsvHead {
  readonly path: string;
  readonly encoding: string;
  readonly delimiter: string;
  readonly rows: readonly HeadRow[];
}

/** A row of the head, by the line that it begins at. */
export interface HeadRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Banks put names and balances above the table; the headers stand within so many lines. */
const headLinesMax = 60;

/**
 * Reads the head of a CSV file, with encoding and delimiter as wished or detected.
 * @throws UsageError (exit 2) when the file cannot be read or the encoding is not known
 */
export async function readHead(
  path: string,
  wishes: { encoding?: string | undefined; delimiter?: string | undefined },
): Promise<CsvHead> {
  const encoding = wishes.encoding === undefined ? await detectEncoding(path) : requireEncoding(wishes.encoding);
  const lines: string[] = [];
  for await (const line of readLines(path, encoding)) {
    lines.push(line);
    if (lines.length === headLinesMax) break;
  }
  const named = wishes.delimiter ?? readDelimiterLine(lines[0] ?? '');
  const tried: { delimiter: string; records: readonly CsvRecord[] }[] = [];
  for (const delimiter of named === undefined ? delimiterCandidates : [named]) {
    const records: CsvRecord[] = [];
    for await (const record of readRecords(eachOf(lines), delimiter)) records.push(record);
    tried.push({ delimiter, records });
  }
  const scored = tried.map((attempt) => ({ ...attempt, score: scoreDelimiter(attempt.records) }));
  const best = scored.reduce((better, next) => (next.score > better.score ? next : better));
  const rows = best.records.filter((record) => 'cells' in record);
  return { path, encoding, delimiter: best.delimiter, rows };
}

/**
 * The row of the headers: the one that has all the named columns; without names, the first that looks like the headers
 * of a statement, else the one above the first transaction. Where a transaction has no headers above it, the row is
 * empty cells at the line before: the columns are then called by their places.
 *
 * @returns undefined for a file without rows
 */
export function findHeaderRow(head: CsvHead, columns: Partial<CsvColumns>): HeadRow | undefined {
  const named = Object.values(columns).map(canonicalHeader);
  const byName = head.rows.find((row) => {
    const headers = new Set(row.cells.map(canonicalHeader));
    return named.every((name) => headers.has(name));
  });
  if (named.length > 0 && byName !== undefined) return byName;
  return head.rows.find((row) => looksLikeHeaders(row.cells)) ?? findAboveTransactions(head.rows);
}

function findAboveTransactions(rows: readonly HeadRow[]): HeadRow | undefined {
  const first = rows.findIndex((row) => looksLikeTransaction(row.cells));
  const [above, row] = [rows[first - 1], rows[first]];
  if (row === undefined) {
    const known = rows.map(({ cells }) => countKnownHeaders(cells));
    const most = Math.max(...known);
    return rows[most > 1 ? known.indexOf(most) : 0];
  }
  if (above !== undefined && couldBeHeaders(above.cells, row.cells)) return above;
  return { line: row.line - 1, cells: row.cells.map(() => '') };
}

/** Names without digits, about as many as the row below has cells. */
function couldBeHeaders(cells: readonly string[], below: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 1 && cells.length >= below.length - 1 && filled.every((cell) => !/\d{2}/.test(cell));
}

async function* eachOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
