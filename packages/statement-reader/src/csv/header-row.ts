import { looksLikeTransaction } from './cells.js';
import { type CsvColumns, canonicalHeader } from './columns.js';
import { countKnownHeaders, looksLikeHeaders } from './detect-columns.js';
import type { CsvHead, HeadRow } from './reader.js';

/**
 * Finds the row of the headers: the one that has all named columns; without names, the first that looks like headers of
 * a statement, else the one above the first transaction. If a transaction has no headers above it, the result is a row
 * of empty cells at the line before, and columns are named by their positions.
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

/** Returns whether cells are names without digits, about as many as the row below has. */
function couldBeHeaders(cells: readonly string[], below: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 1 && cells.length >= below.length - 1 && filled.every((cell) => !/\d{2}/.test(cell));
}
