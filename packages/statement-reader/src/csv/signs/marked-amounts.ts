import { type AmountSign, findAmountSign, isMarkedBehindDigits } from '../../values/amounts.js';
import { cellOf } from '../rows/cells.js';
import { type RowContext, withCode } from '../rows/row-amount.js';

/**
 * Finds a file whose amounts have marks for both directions, such as `45.10 Dr` and `1500.00 Cr`, or `45.10-` and `1500.00+`. In such a
 * file, an amount without a mark has no direction: no convention of banks says which mark is left out.
 */
export class MarkedAmountCheck {
  #isMarked = false;
  readonly #signs = new Set<AmountSign>();

  /**
   * @param text the amount of a row, with its code
   * @param sign the sign of the amount; undefined if the row has no amount
   */
  add(text: string, sign: AmountSign | undefined): void {
    if (sign === undefined) return;
    this.#signs.add(sign);
    this.#isMarked ||= sign !== 'bare' && isMarkedBehindDigits(text);
  }

  /**
   * Whether some amounts are marked as expenses, others as incomes, and further amounts not at all. At least one mark must be a code, or a
   * sign behind the digits: in some exports with signs before the digits, only special incomes have a plus.
   */
  get hasUnmarked(): boolean {
    return this.#isMarked && this.#signs.size === allSigns;
  }
}

/** The number of values of {@link AmountSign}. */
const allSigns = 3;

/**
 * Returns the reason why an amount without a mark fails, if other amounts of the file have marks for both directions. Returns undefined for
 * other rows, or if a direction column shows the direction.
 */
export function explainUnmarkedAmount(row: RowContext): string | undefined {
  const { cells, positions, file } = row;
  if (!file.plan.signs.hasUnmarkedAmounts || positions.direction !== undefined) return undefined;
  const text = withCode(cellOf(row, 'amount') ?? '', cells[file.further.code]);
  if (findAmountSign(text) !== 'bare') return undefined;
  return `"${text}" has no sign or debit/credit code, but other amounts of the file have one: add the sign or code that the file writes for an expense or for an income`;
}
