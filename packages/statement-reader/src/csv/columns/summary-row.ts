import { isAmountCell, isDateCell } from '../table/cells.js';
import { explainsBalance, readValue } from './find-amount-columns.js';

/**
 * Returns whether the first row of a file without headers is a summary of the statement and not a transaction. In the export of BNP
 * Paribas, this row has the name, the number and the balance of the account. In the export of the Polish Santander, it has the opening and
 * the closing balance. There must be at least three other rows, and one of these must be true:
 *
 * - In the other rows, one column has only dates and another has only amounts. The first row has no date in any such column of dates, and
 *   no amount in any such column of amounts.
 * - The first row has at least two cells in columns that are empty in all other rows. In the other rows, a balance changes by exactly the
 *   amounts of another column, but not if the first row is included.
 */
export function beginsWithSummary([first, ...others]: readonly (readonly string[])[]): boolean {
  if (first === undefined || others.length < othersMin) return false;
  const positions = first.map((_, position) => position);
  const isFull = (position: number, is: (cell: string) => boolean) =>
    others.every((cells) => is(cells[position] ?? ''));
  const dates = positions.filter((position) => isFull(position, isDateCell));
  const amounts = positions.filter((position) => isFull(position, isOnlyAmount));
  const hasNoDate = dates.every((position) => !isDateCell(first[position] ?? ''));
  const hasNoAmount = amounts.every((position) => !isOnlyAmount(first[position] ?? ''));
  if (dates.length > 0 && amounts.length > 0 && hasNoDate && hasNoAmount) return true;
  const ownCells = positions.filter(
    (position) => isFilled(first[position]) && isFull(position, (cell) => !isFilled(cell)),
  );
  return ownCells.length >= ownCellsMin && hasBalance(others, amounts) && !hasBalance([first, ...others], amounts);
}

/** Returns whether the amounts in one of the columns explain the balances in another. */
function hasBalance(rows: readonly (readonly string[])[], positions: readonly number[]): boolean {
  const columns = positions.map((position) => ({ values: rows.map((cells) => readValue(cells[position] ?? '')) }));
  return columns.some((amounts) => {
    const balances = columns.filter((column) => column !== amounts);
    return explainsBalance(amounts.values, balances, { isAcrossAllowed: false });
  });
}

function isOnlyAmount(cell: string): boolean {
  return isAmountCell(cell) && !isDateCell(cell);
}

function isFilled(cell = ''): boolean {
  return cell.trim() !== '';
}

const othersMin = 3;
const ownCellsMin = 2;
