import type { CsvColumns } from './csv-columns.js';
import { type DecimalSeparator, decimalEvidence, parseAmount } from './parse-amount.js';

/** A column in which every cell is an amount or empty, in the order of the file. */
export interface NumberColumn {
  readonly header: string;
  readonly cells: readonly string[];
}

/**
 * Which of several columns of numbers move money, where no header says so: the only one; else the one by which a
 * balance beside it grows from row to row, or from one column to another; else two of which each row fills one, where
 * a balance tells debit from credit. Nothing, where that does not tell.
 */
export function findMovingColumns(columns: readonly NumberColumn[]): Pick<CsvColumns, 'amount' | 'debit' | 'credit'> {
  const [only, ...others] = columns;
  if (only === undefined) return {};
  if (others.length === 0) return only.cells.includes('') ? {} : { amount: only.header };
  // Between a balance before, a move and a balance after, the sum alone does not say which is the move; a minus does.
  const numbers = columns
    .map(({ header, cells }) => ({ header, values: cells.map(readValue) }))
    .toSorted((one, other) => countNegative(other.values) - countNegative(one.values));
  for (const amount of numbers) {
    const balances = numbers.filter((column) => column !== amount);
    if (isMoved(amount.values, balances)) return { amount: amount.header };
  }
  for (const debit of numbers) {
    for (const credit of numbers) {
      if (debit === credit) continue;
      const isEither = debit.values.every((value, row) => isFilled(value) !== isFilled(credit.values[row]));
      const moves = debit.values.map((value, row) => (credit.values[row] ?? 0n) - (value ?? 0n));
      const balances = numbers.filter((column) => column !== debit && column !== credit);
      if (isEither && isMoved(moves, balances)) return { debit: debit.header, credit: credit.header };
    }
  }
  return {};
}

/** Banks write a zero for nothing. */
function isFilled(value: bigint | undefined): boolean {
  return value !== undefined && value !== 0n;
}

type Values = readonly (bigint | undefined)[];

/** Whether a balance follows these moves, downwards or upwards through the file, or from one column to the next. */
function isMoved(moves: Values, balances: readonly { readonly values: Values }[]): boolean {
  if (moves.some((move) => move === undefined)) return false;
  const agrees = (before: bigint | undefined, after: bigint | undefined, move: bigint | undefined) =>
    before !== undefined && after !== undefined && move !== undefined && before + move === after;
  return balances.some(({ values }) => {
    const rows = values.slice(1);
    const down = rows.every((value, row) => agrees(values[row], value, moves[row + 1]));
    const up = rows.every((value, row) => agrees(value, values[row], moves[row]));
    const across = balances.some((end) => values.every((value, row) => agrees(value, end.values[row], moves[row])));
    return (rows.length > 1 && (down || up)) || (moves.length > 0 && across && moves.some((move) => move !== 0n));
  });
}

function countNegative(values: Values): number {
  return values.filter((value) => value !== undefined && value < 0n).length;
}

/** In ten-thousandths, exact; undefined for an empty cell. */
function readValue(cell: string): bigint | undefined {
  const separator: DecimalSeparator = decimalEvidence(cell) === ',' ? ',' : '.';
  const parsed = parseAmount(cell, separator);
  if (parsed === undefined) return undefined;
  const [whole = '0', fraction = ''] = parsed.amountDecimal.split('.');
  const value = BigInt(whole + fraction.slice(0, 4).padEnd(4, '0'));
  return parsed.mark === 'minus' ? -value : value;
}
