import type { CsvPlan } from '../plan/plan.js';
import { isAmountCell, isDateCell, looksLikeTransaction } from '../table/cells.js';
import type { RowContext } from './row-amount.js';

/**
 * Returns a line of a cell that is, begins or ends another row: the quote of the cell is not closed, so the next rows became its text. Such a
 * line has a date and an amount. If a quote in the next row closes the cell, the line has only the date, and the first line of the cell has
 * the amount of the row above. Returns undefined if there is no such line.
 */
export function findSwallowedRow(
  cells: readonly string[],
  { delimiter }: Pick<CsvPlan['dialect'], 'delimiter'>,
): string | undefined {
  for (const cell of cells) {
    if (!cell.includes('\n')) continue;
    const [first = [], ...others] = cell.split('\n').map((line) => line.trim().split(delimiter));
    const endsRow = first.slice(1).some(isAmountCell);
    const begins = looksLikeTransaction(first) ? first : undefined;
    const swallowed =
      begins ??
      others.find((parts) => looksLikeTransaction(parts) || (endsRow && parts.length > 1 && parts.some(isDateCell)));
    if (swallowed !== undefined) return swallowed.join(delimiter);
  }
  return undefined;
}

/**
 * Returns the reason why a row fails if a cell is too long; undefined if all cells are short enough. A long name of a category or an
 * account is not cut, because a cut name is another name.
 */
export function findLongCell({ cells, file: { columns } }: RowContext): string | undefined {
  for (const { name, header, position } of columns) {
    const { length } = cells[position] ?? '';
    const mayBeLong = ['description', 'merchant', 'payer', 'id'].includes(name);
    if (!mayBeLong && length > cellCharactersMax)
      return `its cell in the column "${header}" has ${length} characters, and at most ${cellCharactersMax} are allowed`;
  }
  return undefined;
}

/**
 * The maximum length of a cell, except for descriptions, merchants, payers and ids. It exceeds the API's limit of 100 characters for names.
 */
const cellCharactersMax = 1000;
