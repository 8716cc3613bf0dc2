import { type CsvColumns, canonicalHeader } from './csv-columns.js';
import { detectDelimiter } from './detect-delimiter.js';
import { looksLikeHeaders } from './guess-columns.js';
import { readLines } from './read-lines.js';
import { type CsvRecord, readRecords } from './read-records.js';
import { detectEncoding, requireEncoding } from './text-encoding.js';

/** The first rows of a file, and how its bytes and cells are to be taken. */
export interface CsvHead {
  readonly path: string;
  readonly encoding: string;
  readonly delimiter: string;
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/** Banks put names and balances above the table; the headers stand within so many lines. */
const headLinesMax = 40;

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
  const delimiter = wishes.delimiter ?? detectDelimiter(lines);
  const records: CsvRecord[] = [];
  for await (const record of readRecords(eachOf(lines), delimiter)) records.push(record);
  return { path, encoding, delimiter, rows: records.filter((record) => 'cells' in record) };
}

/** The row that has all the named columns; without names, the first that looks like the headers of a statement. */
export function findHeaderRow(head: CsvHead, columns: Partial<CsvColumns>): CsvHead['rows'][number] | undefined {
  const named = Object.values(columns).map(canonicalHeader);
  if (named.length === 0) return head.rows.find((row) => looksLikeHeaders(row.cells));
  return head.rows.find((row) => {
    const headers = new Set(row.cells.map(canonicalHeader));
    return named.every((name) => headers.has(name));
  });
}

async function* eachOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
