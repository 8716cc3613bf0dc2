import { isAmountCell, isDateCell, looksLikeTransaction } from '../table/cells.js';
import { type CsvColumns, canonicalHeader } from '../table/columns.js';
import { countKnownHeaders, looksLikeHeaders } from '../table/detect-columns-by-header.js';
import type { CsvHead, HeadRow } from '../table/reader.js';

/**
 * Returns the header row, which is the first of these that the file has:
 *
 * 1. the first row that has all headers in `columns`, if `columns` is not empty
 * 2. the first row that looks like headers, unless all transactions are above this row and below a row that may be headers
 * 3. the likeliest header row above the first transaction, or in the whole file if no row looks like a transaction
 *
 * If the file has none of these, returns a row of empty cells, at the line above the first row of data. The columns of such a file are
 * named by their positions.
 * @returns undefined for a file without rows
 */
export function findHeaderRow(head: CsvHead, columns: Partial<CsvColumns>): HeadRow | undefined {
  const named = Object.values(columns).map(canonicalHeader);
  const byName = head.rows.find((row) => {
    const headers = new Set(row.cells.map(canonicalHeader));
    return named.every((name) => headers.has(name));
  });
  if (named.length > 0 && byName !== undefined) return byName;
  const position = head.rows.findIndex((row) => looksLikeHeaders(row.cells));
  const above = findAboveTransactions(head.rows);
  const hasTransactionBelow = head.rows.slice(position).some(({ cells }) => looksLikeTransaction(cells));
  // In statements of Interactive Brokers, a total below the transactions has the cells `Data` and `Total`, which look like headers.
  const isBelow = !hasTransactionBelow && above !== undefined && !hasNoHeaders(above);
  return position === -1 || isBelow ? above : head.rows[position];
}

function findAboveTransactions(rows: readonly HeadRow[]): HeadRow | undefined {
  const first = rows.findIndex((row) => looksLikeTransaction(row.cells));
  const row = rows[first];
  if (row === undefined) return findAboveUnreadable(rows);
  const data = findFirstData(rows, first);
  const above = rows[first - 1];
  const before = rows.filter(({ line }) => line < data.line);
  const candidates = before.filter(({ cells }) => couldBeHeaders(cells, data.cells));
  // If a row has only amounts, the headers above it are those of a summary, for example of the opening and the closing balance.
  const summary = before.findLast(({ cells }) => areOnlyAmounts(cells))?.line ?? 0;
  const belowSummary = candidates.filter(({ line }) => line > summary);
  const known = findMostKnown(belowSummary.length > 0 ? belowSummary : candidates);
  if (known !== undefined) return known;
  if (data === row && above !== undefined && couldBeHeaders(above.cells, row.cells)) return above;
  return aboveWithoutHeaders(data);
}

function areOnlyAmounts(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 1 && filled.every(isAmountCell);
}

/**
 * Returns the first row of data. Rows directly above the first transaction are also data if they have the same shape and
 * a date in an unknown format.
 */
function findFirstData(rows: readonly HeadRow[], first: number): HeadRow {
  const transaction = rows[first] as HeadRow;
  const before = rows.slice(0, first).findLastIndex(({ cells }) => !isShapedLike(cells, transaction.cells));
  return rows[before + 1] ?? transaction;
}

/**
 * Returns whether a row has the same shape as `transaction`. In one column, both rows must have an amount. In another column, the
 * transaction must have a date, and the row must have a text that contains a digit but is not an amount.
 */
function isShapedLike(cells: readonly string[], transaction: readonly string[]): boolean {
  const isAmountAt = (index: number) => isAmountCell(cells[index] ?? '');
  return (
    transaction.some((cell, index) => isAmountCell(cell) && !isDateCell(cell) && isAmountAt(index)) &&
    transaction.some((cell, index) => isDateCell(cell) && /\d/.test(cells[index] ?? '') && !isAmountAt(index))
  );
}

/** Returns the first of the rows with the most known headers; undefined if no row has at least two known headers. */
function findMostKnown(rows: readonly HeadRow[]): HeadRow | undefined {
  const known = rows.map(({ cells }) => countKnownHeaders(cells));
  const most = Math.max(...known);
  return most > 1 ? rows[known.indexOf(most)] : undefined;
}

/** Returns the header row of a file in which no row has both a readable date and an amount. */
function findAboveUnreadable(rows: readonly HeadRow[]): HeadRow | undefined {
  const known = findMostKnown(rows);
  if (known !== undefined) return known;
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

/**
 * Returns whether cells can be the headers of a row of data. At least two cells must be filled, and none may have two consecutive digits.
 * The row of data may have at most one cell more, and at most twice as many filled cells.
 */
function couldBeHeaders(cells: readonly string[], data: readonly string[]): boolean {
  const [filled, filledData] = [cells, data].map((row) => row.filter((cell) => cell.trim() !== '')) as [
    string[],
    string[],
  ];
  return (
    filled.length > 1 &&
    2 * filled.length >= filledData.length &&
    cells.length >= data.length - 1 &&
    filled.every((cell) => !/\d{2}/.test(cell))
  );
}

/**
 * Returns whether all cells of a header row are empty, which means that the file has no headers. Such a file may come from any bank, so
 * the user confirms its saved mapping each time.
 */
export function hasNoHeaders(row: HeadRow): boolean {
  return row.cells.every((cell) => cell.trim() === '');
}
