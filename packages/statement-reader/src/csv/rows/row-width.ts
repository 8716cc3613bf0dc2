import type { ColumnPositions } from '../columns/columns.js';
import { isAmountCell } from './cells.js';

/**
 * Returns whether the cells of a row are in the columns of the headers. Empty cells at the end may be missing, or be too
 * many. A row may also lack cells, or have texts, behind all columns that are read. A missing or surplus delimiter
 * further left shifts the amount, and a shifted row can look correct: if another cell could be the amount then, the row
 * does not fit.
 */
export function fitsHeaders(
  cells: readonly string[],
  { headers, positions }: { readonly headers: readonly string[]; readonly positions: ColumnPositions },
): boolean {
  const missing = widthWithoutEmptyEnd(headers) - cells.length;
  const surplus = cells.findLastIndex((cell) => cell.trim() !== '') + 1 - headers.length;
  if (missing <= 0 && surplus <= 0) return true;
  if (missing > 0 && cells.length <= lastPositionRead(positions)) return false;
  return !couldBeShifted(cells, { positions, distance: missing > 0 ? -missing : surplus });
}

/**
 * Returns the least number of cells of a row: empty headers at the end need no cell. Without any headers, the first row
 * decides.
 */
function widthWithoutEmptyEnd(headers: readonly string[]): number {
  return headers.findLastIndex((header) => header.trim() !== '') + 1 || headers.length;
}

/** Returns the last of the columns that decide about the money of a row. */
function lastPositionRead({
  date,
  amount,
  debit,
  credit,
  direction,
  currency,
  status,
  account,
}: ColumnPositions): number {
  return Math.max(
    ...[date, amount, debit, credit, direction, currency, status, account].map((position) => position ?? 0),
  );
}

/** Returns whether a column of amounts has another amount within a distance, to its left if that is negative. */
function couldBeShifted(
  cells: readonly string[],
  { positions: { date, amount, debit, credit }, distance }: { positions: ColumnPositions; distance: number },
): boolean {
  return [amount, debit, credit].some((position) => {
    if (position === undefined) return false;
    const [from, to] = distance < 0 ? [position + distance, position] : [position + 1, position + distance + 1];
    return cells.some((cell, index) => index >= from && index < to && index !== date && isAmountCell(cell));
  });
}
