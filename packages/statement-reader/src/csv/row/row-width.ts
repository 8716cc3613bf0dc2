import { isAmountCell } from '../table/cells.js';
import type { ColumnPositions } from '../table/columns.js';

/**
 * Returns whether each cell of a row is below its own header. Cells may be missing after the last column that affects the amount, date,
 * account or status. Cells beyond the last header may contain text. But a missing or surplus delimiter before the amount shifts the amount
 * into another column, and the shifted row can look correct. So a row with missing cells, or with text beyond the last header, does not
 * fit if another cell could be the amount.
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
 * Returns the reason why a row fails if its amount may be the end of a text with a comma, such as a house number. For example,
 * `Via Roma, 12,-12.50` without quotes has the cells `Via Roma`, ` 12` and `-12.50`. Such a row can still have the right number of cells:
 * the unquoted comma adds a cell, and many exports omit empty cells at the end of a row.
 */
export function findSplitText(
  cells: readonly string[],
  { amount, debit, credit }: ColumnPositions,
): string | undefined {
  for (const position of [amount, debit, credit]) {
    const cell = cells[position ?? -1];
    const next = cells[(position ?? -1) + 1];
    if (cell === undefined || next === undefined || !/^ \d{1,5}$/.test(cell) || !/^[^ ].*[.,]\d\d$/.test(next))
      continue;
    if (isAmountCell(next)) return `its amount may be "${next}", because "${cell}" may belong to the text before it`;
  }
  return undefined;
}

export function describeWidth(cellCount: number, headerCount: number): string {
  const remedy =
    cellCount < headerCount
      ? 'insert the missing delimiters in this line of the file'
      : 'put quotation marks around a cell that contains the delimiter';
  const cells = cellCount === 1 ? '1 cell' : `${cellCount} cells`;
  return `it has ${cells}, but there are ${headerCount} headers: ${remedy}, or record the row manually if it is a transaction`;
}

/**
 * Returns the number of headers without the empty ones at the end, which need no cells. If all headers are empty, returns the number of
 * all headers.
 */
function widthWithoutEmptyEnd(headers: readonly string[]): number {
  return headers.findLastIndex((header) => header.trim() !== '') + 1 || headers.length;
}

/** Returns the last position among the columns that affect the amount, date, account or status of a row. */
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

/**
 * Returns whether another cell within `distance` cells of an amount is also an amount. Tests the cells to the right of the amount, or those
 * to the left of the amount if `distance` is negative.
 */
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
