import { StatementError } from '../../statement-error.js';
import { isDateCell, plainCell } from '../table/cells.js';
import { nameColumns } from '../table/columns.js';
import { namesFee } from '../table/fee-headers.js';
import {
  grossAmountHeaders,
  headerDictionary,
  headerList,
  headerNamesBalance,
  headerWords,
  netAmountHeaders,
  taxHeaders,
} from '../table/header-names.js';
import { readValue } from './find-amount-columns.js';

/** A column whose amounts may differ from those of the amount column by the amounts of a third column. */
interface Candidate {
  /** The position of this column. */
  readonly other: number;
  /** The position of the third column. */
  readonly difference: number;
  /** A description of the cells of all three columns in one row, such as `"Amount" has "-20.00", …`. */
  example: string | undefined;
}

/**
 * Finds another column of amounts that differ from those of the amount column by exactly the amounts of a third column. For example,
 * `Net Amount` differs from `Amount` by `Cashback`. Only the user knows which of the two amounts reached the account. Columns of fees,
 * taxes and balances are left out, because other rules apply to them. Debit and credit columns are left out too, because each row fills
 * only one of them.
 */
export class SummedAmountCheck {
  readonly #names: readonly string[];
  readonly #amountPosition: number;
  #candidates: Candidate[];

  /** @param file.usedPositions the positions of the columns with a role and of the balance */
  constructor(file: {
    readonly headers: readonly string[];
    readonly amountPosition: number;
    readonly usedPositions: ReadonlySet<number | undefined>;
  }) {
    const { headers, amountPosition, usedPositions } = file;
    const isFree = (position: number) => {
      const header = headers[position] ?? '';
      const isOther = namesFee(header) || headerNamesBalance(header) || taxHeaders.has(headerWords(header));
      return header.trim() !== '' && !usedPositions.has(position) && !isOther;
    };
    const free = headers.flatMap((_, position) => (isFree(position) ? [position] : []));
    const amounts = free.filter((position) => amountHeaders.has(headerWords(headers[position] ?? '')));
    this.#names = nameColumns(headers);
    this.#amountPosition = amountPosition;
    this.#candidates = amounts.flatMap((other) =>
      free.flatMap((difference) => (difference === other ? [] : [{ other, difference, example: undefined }])),
    );
  }

  add(cells: readonly string[]): void {
    if (this.#candidates.length === 0) return;
    const textAt = (position: number) => plainCell(cells[position] ?? '');
    const valueAt = (position: number) => (isDateCell(textAt(position)) ? undefined : readValue(textAt(position)));
    const amount = valueAt(this.#amountPosition);
    if (amount === undefined) return;
    this.#candidates = this.#candidates.filter((candidate) => {
      const [other, difference] = [valueAt(candidate.other), valueAt(candidate.difference)];
      if (difference === undefined) return textAt(candidate.difference) === '' && other === amount;
      if (other === undefined || (amount + difference !== other && amount - difference !== other)) return false;
      if (amount !== 0n && difference !== 0n && other !== 0n) {
        candidate.example ??= [this.#amountPosition, candidate.difference, candidate.other]
          .map((position) => `"${this.#names[position] ?? ''}" has "${textAt(position)}"`)
          .join(', ');
      }
      return true;
    });
  }

  /**
   * @param amount the header of the amount column
   * @throws StatementError if such another column of amounts was found
   */
  requireNone(amount: string): void {
    const found = this.#candidates.find(({ example }) => example !== undefined);
    if (found === undefined) return;
    throw new StatementError(
      `It is not clear which column has the amount: "${amount}" or "${this.#names[found.other] ?? ''}". In one row, ${found.example}.`,
      'Name it with --amount-column.',
    );
  }
}

/** Headers of a second column of amounts, beside the amount column. */
const amountHeaders: ReadonlySet<string> = new Set([
  ...headerDictionary.amount,
  ...netAmountHeaders,
  ...grossAmountHeaders,
  ...headerList(
    'final amount; amount paid; paid amount; amount charged; charged amount; billed amount; payable amount; amount after cashback',
  ),
]);
