import { dateCandidates } from './date-candidates.js';
import { withoutTime } from './date-format.js';
import { parseAmount } from './parse-amount.js';

/** Whether a whole cell is a date in some format that is tried. */
export function isDateCell(cell: string): boolean {
  const date = withoutTime(cell.trim());
  return /\d/.test(date) && date.length <= 40 && dateCandidates.some(({ read }) => read(date) !== undefined);
}

/** Whether a whole cell is an amount with either separator, and not as long as only account numbers are. */
export function isAmountCell(cell: string): boolean {
  if (!/\d/.test(cell) || /\d{10,}/.test(cell)) return false;
  return parseAmount(cell, '.') !== undefined || parseAmount(cell, ',') !== undefined;
}

/** Whether a row is one of a statement: a date, and in another cell an amount. */
export function looksLikeTransaction(cells: readonly string[]): boolean {
  const date = cells.findIndex(isDateCell);
  return date !== -1 && cells.some((cell, index) => index !== date && isAmountCell(cell) && !isDateCell(cell));
}
