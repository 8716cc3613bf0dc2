import { isBalanceText, isTotalText } from './balance-words.js';
import { isAmountCell, isDateCell } from './cell-kinds.js';
import { type ColumnPositions, type CsvColumnName, plainCell } from './csv-columns.js';

/** A row that carries an amount and moves none, by the cell that says so. */
export interface FoundBalance {
  readonly text: string;
  readonly kind: 'balance' | 'total';
}

/**
 * Finds the cell by which a row is a balance or a sum, in whatever column it stands: banks put such lines into the columns
 * of their transactions as they fit. A row whose only text is "Total" is a sum; beside any other text that is a petrol
 * station.
 *
 * @param positions the columns of the reading; what names accounts, categories, currencies and kinds is not looked at
 */
export function findBalance(cells: readonly string[], positions: ColumnPositions): FoundBalance | undefined {
  const excluded = new Set(excludedNames.map((name) => positions[name]));
  const texts = cells.flatMap((cell, place) => (excluded.has(place) || !/\p{L}/u.test(cell) ? [] : [plainCell(cell)]));
  const balance = texts.find(isBalanceText);
  if (balance !== undefined) return { text: balance, kind: 'balance' };
  const total = texts.find(isTotalText);
  if (total === undefined) return undefined;
  const category = plainCell(cells[positions.category ?? -1] ?? '');
  const others = texts.filter((text) => text !== total && !isDateCell(text) && !isAmountCell(text));
  return others.length === 0 && category === '' ? { text: total, kind: 'total' } : undefined;
}

const excludedNames = [
  'date',
  'amount',
  'debit',
  'credit',
  'direction',
  'category',
  'account',
  'currency',
  'status',
] as const satisfies readonly CsvColumnName[];
