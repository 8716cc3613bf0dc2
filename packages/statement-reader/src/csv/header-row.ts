import { type CsvColumns, canonicalHeader } from './columns/columns.js';
import { countKnownHeaders, looksLikeHeaders } from './columns/detect-columns.js';
import type { CsvHead, HeadRow } from './reader.js';
import { isAmountCell, isDateCell, looksLikeTransaction } from './rows/cells.js';

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
  const row = rows[first];
  if (row === undefined) return findAboveUnreadable(rows);
  const data = findFirstData(rows, first);
  const above = rows[first - 1];
  if (data === row && above !== undefined && couldBeHeaders(above.cells, row.cells)) return above;
  return aboveWithoutHeaders(data);
}

/**
 * Returns the first of the rows that lead up to the first transaction and look like it, but with a date in an unknown
 * format. Such a row is data and no header.
 */
function findFirstData(rows: readonly HeadRow[], first: number): HeadRow {
  const transaction = rows[first] as HeadRow;
  const before = rows.slice(0, first).findLastIndex(({ cells }) => !isShapedLike(cells, transaction.cells));
  return rows[before + 1] ?? transaction;
}

/** Returns whether a row has an amount where a transaction has one, and a text with a digit in place of its date. */
function isShapedLike(cells: readonly string[], transaction: readonly string[]): boolean {
  const isAmountAt = (index: number) => isAmountCell(cells[index] ?? '');
  return (
    transaction.some((cell, index) => isAmountCell(cell) && !isDateCell(cell) && isAmountAt(index)) &&
    transaction.some((cell, index) => isDateCell(cell) && /\d/.test(cells[index] ?? '') && !isAmountAt(index))
  );
}

/** Finds the headers of a file without any date in a known format. */
function findAboveUnreadable(rows: readonly HeadRow[]): HeadRow | undefined {
  const known = rows.map(({ cells }) => countKnownHeaders(cells));
  const most = Math.max(...known);
  if (most > 1) return rows[known.indexOf(most)];
  const [first, second] = rows;
  const isData = first?.cells.some((cell, index) => isMoneyCell(cell) && isMoneyCell(second?.cells[index] ?? ''));
  return first !== undefined && isData === true ? aboveWithoutHeaders(first) : first;
}

function isMoneyCell(cell: string): boolean {
  return isAmountCell(cell) && /\d[.,]\d{2}(?!\d)/.test(cell);
}

function aboveWithoutHeaders(row: HeadRow): HeadRow {
  return { line: row.line - 1, cells: row.cells.map(() => '') };
}

/** Returns whether cells are names without digits, about as many as the row below has. */
function couldBeHeaders(cells: readonly string[], below: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 1 && cells.length >= below.length - 1 && filled.every((cell) => !/\d{2}/.test(cell));
}
