import { type AmountSign, findAmountSign, hasCodeOrTrailingSign } from '../../values/amounts.js';
import { cellOf } from '../table/cells.js';
import { type RowContext, withCode } from './row-amount.js';

/**
 * Finds a file whose amounts have signs or debit/credit codes for both directions, such as `45.10 Dr` and `1500.00 Cr`, or `45.10-` and
 * `1500.00+`. In such a file, an amount without a sign or code has no direction: no convention of banks says which sign or code is left
 * out.
 */
export class UndirectedAmountCheck {
  #isMarked = false;
  readonly #signs = new Set<AmountSign>();

  /**
   * @param text the amount of a row, with its code
   * @param sign the sign of the amount; undefined if the row has no amount
   */
  add(text: string, sign: AmountSign | undefined): void {
    if (sign === undefined) return;
    this.#signs.add(sign);
    this.#isMarked ||= sign !== 'none' && hasCodeOrTrailingSign(text);
  }

  /**
   * Whether some amounts have a sign or code for an expense, others have one for an income, and further amounts have none. At least one
   * amount must have a code, or a sign after its digits. Signs before the digits prove nothing: in some exports, only special incomes have
   * a plus.
   */
  get hasUndirected(): boolean {
    return this.#isMarked && this.#signs.size === allSigns;
  }
}

/** The number of values of {@link AmountSign}. */
const allSigns = 3;

/**
 * Returns the reason why an amount without a sign or debit/credit code fails, if other amounts of the file have signs or codes for both
 * directions. Returns undefined for other rows, or if a direction column shows the direction.
 */
export function explainUndirectedAmount(row: RowContext): string | undefined {
  const { cells, positions, file } = row;
  if (!file.plan.signs.hasUndirectedAmounts || positions.direction !== undefined) return undefined;
  const text = withCode(cellOf(row, 'amount') ?? '', cells[file.further.code]);
  if (findAmountSign(text) !== 'none') return undefined;
  return `"${text}" has no sign or debit/credit code, but other amounts of the file have one: add the sign or code that the file writes for an expense or for an income`;
}
