import { StatementError } from '../../statement-error.js';
import { findAmountSign } from '../../values/amounts.js';
import { isAmountCell, isDateCell } from '../table/cells.js';
import { nameColumns } from '../table/columns.js';
import { namesFee } from '../table/fee-headers.js';
import { headerNamesBalance, headerWords } from '../table/header-names.js';

/**
 * Finds an unused column that has amounts in at least two rows, and only in rows in which the amount column has no amount. One of these
 * two columns is then probably money in, and the other is money out. A zero does not count as an amount.
 */
export class ComplementCheck {
  readonly #headers: readonly string[];
  readonly #amountPosition: number;
  /** Maps the position of each possible column to the number of its amounts. */
  readonly #counts: Map<number, number>;
  #amountCount = 0;

  /** @param file.usedPositions the positions of the columns whose meaning is already known, such as the date and the balance */
  constructor(file: {
    readonly headers: readonly string[];
    readonly amountPosition: number;
    readonly usedPositions: ReadonlySet<number | undefined>;
  }) {
    this.#headers = file.headers;
    this.#amountPosition = file.amountPosition;
    const candidates = file.headers.flatMap((header, position) =>
      file.usedPositions.has(position) ||
      namesFee(header) ||
      headerNamesBalance(header) ||
      otherAmounts.test(headerWords(header))
        ? []
        : [position],
    );
    this.#counts = new Map(candidates.map((position) => [position, 0]));
  }

  add(cells: readonly string[]): void {
    const hasAmount = findAmountSign(cells[this.#amountPosition]?.trim() ?? '') !== undefined;
    if (hasAmount) this.#amountCount += 1;
    for (const [position, count] of this.#counts) {
      const cell = cells[position]?.trim() ?? '';
      if (cell === '') continue;
      const hasOther = findAmountSign(cell) !== undefined;
      if (!isAmountCell(cell) || isDateCell(cell) || (hasOther && hasAmount)) this.#counts.delete(position);
      else if (hasOther) this.#counts.set(position, count + 1);
    }
  }

  /**
   * @param amount the header of the amount column
   * @throws StatementError if there is such a column
   */
  requireNone(amount: string): void {
    const [position] = [...this.#counts].find(([, count]) => count >= rowsMin) ?? [];
    if (position === undefined || this.#amountCount === 0) return;
    const other = nameColumns(this.#headers)[position]?.trim();
    throw new StatementError(
      `Some rows have an amount in the column "${amount}", others in the column "${other}", and no row in both.`,
      'If one is money out and the other money in, name them with --debit-column and --credit-column. Otherwise name the amount with --amount-column.',
    );
  }
}

/**
 * Matches headers of other amounts, such as foreign amounts, holds and taxes. Columns with these headers are left out, because a pending
 * row may have only such an amount.
 */
const otherAmounts = /foreign|fremd|etrang|ester[ao]|extranj|original|blok|hold|pending|reserv|cashback|tax|vat\b/;

/** The minimum number of amounts in the column that is found. A number in a single row may be a note. */
const rowsMin = 2;
