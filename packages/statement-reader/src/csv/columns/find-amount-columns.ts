import { type DecimalSeparator, decimalEvidence, parseAmount } from '../../values/amounts.js';
import type { CsvColumns } from '../table/columns.js';

/** A column in which every cell is an amount or empty. The cells are in the order of the file. */
export interface NumberColumn {
  readonly header: string;
  readonly cells: readonly string[];
}

/**
 * Returns which columns of numbers are amounts, by the first of these rules that applies:
 *
 * - A column is the amount if it is the only one, no cell is empty, and not all cells are zero.
 * - Among several columns, the amount is the one whose numbers explain a balance column: the balance after or before each row changes by
 *   exactly these numbers.
 * - Two columns are debit and credit if each row fills exactly one of them, and their difference explains a balance column.
 * - A column without signs is the amount if it has no empty cell and no zero, and, in at least four rows, a balance column rises
 *   or falls by exactly its numbers. No other column may do the same.
 *
 * If no rule applies, the result is empty.
 * @param isProofNeeded true if only a balance column with one balance for each row may show which column has the amounts
 */
export function findAmountColumns(
  columns: readonly NumberColumn[],
  isProofNeeded = false,
): Pick<CsvColumns, 'amount' | 'debit' | 'credit'> {
  const [only, ...others] = columns;
  if (only === undefined) return {};
  if (others.length === 0) {
    const isAmount = !isProofNeeded && !only.cells.includes('') && only.cells.some((cell) => isFilled(readValue(cell)));
    return isAmount ? { amount: only.header } : {};
  }
  // Some files have the balance before and the balance after each row. The balance after the row is the sum of the amount and the balance
  // before the row. The sum does not show which of the two added numbers is the amount. Amounts usually include more negative numbers
  // than balances do, so the columns with the most negative numbers are tried first.
  const numbers = columns
    .map(({ header, cells }) => ({ header, values: cells.map(readValue) }))
    .toSorted((one, other) => countNegative(other.values) - countNegative(one.values));
  for (const amount of numbers) {
    const balances = numbers.filter((column) => column !== amount);
    if (explainsBalance(amount.values, balances, { isAcrossAllowed: !isProofNeeded })) return { amount: amount.header };
  }
  for (const amount of numbers) {
    const balances = numbers.filter((column) => column !== amount);
    if (explainsBalanceBefore(amount.values, balances)) return { amount: amount.header };
  }
  for (const debit of numbers) {
    for (const credit of numbers) {
      if (debit === credit) continue;
      const isEither = debit.values.every((value, row) => isFilled(value) !== isFilled(credit.values[row]));
      // Some banks write debits with a minus.
      const moves = debit.values.map((value, row) => (credit.values[row] ?? 0n) - absolute(value ?? 0n));
      const balances = numbers.filter((column) => column !== debit && column !== credit);
      if (isEither && explainsBalance(moves, balances)) return { debit: debit.header, credit: credit.header };
    }
  }
  const unsigned = numbers.filter(({ values }) => values.every(isFilled) && countNegative(values) === 0);
  const [amount, ...rivals] = unsigned.filter(({ values }) => explainsSteps(values, numbers));
  return amount === undefined || rivals.length > 0 ? {} : { amount: amount.header };
}

/** Returns whether a balance column rises or falls by exactly the amounts, from each row to the row below or above. */
function explainsSteps(amounts: Values, balances: readonly { readonly values: Values }[]): boolean {
  return balances.some(({ values }) => {
    const steps = values.slice(1).map((value, row) => {
      const before = values[row];
      return value === undefined || before === undefined ? undefined : absolute(value - before);
    });
    const isDown = steps.every((step, row) => step === amounts[row + 1]);
    const isUp = steps.every((step, row) => step === amounts[row]);
    return steps.length >= stepsMin && (isDown || isUp);
  });
}

/** The minimum number of changes of a balance that prove which column has the amounts, although no amount has a sign. */
const stepsMin = 3;

/** Returns whether a cell has an amount that is not zero. Some banks write a zero instead of an empty cell. */
function isFilled(value: bigint | undefined): boolean {
  return value !== undefined && value !== 0n;
}

type Values = readonly (bigint | undefined)[];

/**
 * Returns whether the amounts explain a balance column: the balance changes by exactly the amount of each row. In a file with at least
 * three rows, the balance may change from each row to the row below, or from each row to the row above. In a file with any number of
 * rows, the balance may change within each row, from one balance column to another.
 *
 * @param options.isAcrossAllowed false if two columns may be a net and a gross amount instead of two balances
 */
export function explainsBalance(
  moves: Values,
  balances: readonly { readonly values: Values }[],
  { isAcrossAllowed = true }: { readonly isAcrossAllowed?: boolean } = {},
): boolean {
  // Zeros explain every column that never changes.
  if (moves.includes(undefined) || !moves.some((move) => move !== 0n)) return false;
  const agrees = (before: bigint | undefined, after: bigint | undefined, move: bigint | undefined) =>
    before !== undefined && after !== undefined && move !== undefined && before + move === after;
  return balances.some(({ values }) => {
    const rows = values.slice(1);
    const down = rows.every((value, row) => agrees(values[row], value, moves[row + 1]));
    const up = rows.every((value, row) => agrees(value, values[row], moves[row]));
    const across =
      isAcrossAllowed &&
      balances.some((end) => values.every((value, row) => agrees(value, end.values[row], moves[row])));
    return (rows.length > 1 && (down || up)) || (moves.length > 0 && across);
  });
}

/**
 * Returns whether a column has the balance before each row: each balance plus the amount of its row is the balance of the next newer row.
 * The oldest or the newest row may come first, but there must be at least three rows. Returns false if no amount has a minus. Such rows may
 * instead be expenses without a sign, sorted from the newest to the oldest, with the balance after each row.
 */
function explainsBalanceBefore(moves: Values, balances: readonly { readonly values: Values }[]): boolean {
  if (moves.includes(undefined) || countNegative(moves) === 0) return false;
  return balances.some(({ values }) => {
    const after = values.map((value, row) => (value === undefined ? undefined : value + (moves[row] ?? 0n)));
    const isDown = values.slice(1).every((value, row) => value !== undefined && value === after[row]);
    const isUp = values.slice(0, -1).every((value, row) => value !== undefined && value === after[row + 1]);
    return values.length > 2 && (isDown || isUp);
  });
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function countNegative(values: Values): number {
  return values.filter((value) => value !== undefined && value < 0n).length;
}

/** Returns the amount of a cell in ten-thousandths; undefined if the cell has no amount. */
export function readValue(cell: string): bigint | undefined {
  const separator: DecimalSeparator = decimalEvidence(cell) === ',' ? ',' : '.';
  const parsed = parseAmount(cell, separator);
  if (parsed === undefined) return undefined;
  const [whole = '0', fraction = ''] = parsed.amountDecimal.split('.');
  const value = BigInt(whole + fraction.slice(0, 4).padEnd(4, '0'));
  return parsed.sign === 'minus' ? -value : value;
}
