import { addDecimals } from '../../totals.js';
import type { CsvRow } from '../row/row.js';

/**
 * Finds out whether the amount of the last row is the sum of all transactions above it. Such a row may be a total whose label is unknown.
 * Rows in several currencies or accounts have no common sum.
 */
export class LastRowSum {
  #last: CsvRow | undefined;
  #sum = '0';
  #count = 0;
  #accountAndCurrency: string | undefined;
  #hasOneAccountAndCurrency = true;

  add(row: CsvRow): void {
    const amount = signedAmountOf(this.#last);
    if (amount !== undefined) {
      this.#sum = addDecimals([this.#sum, amount]);
      this.#count += 1;
    }
    this.#last = row;
    if (row.row.outcome !== 'transaction') return;
    const { accountName, currencyCode } = row.row.transaction;
    const accountAndCurrency = JSON.stringify([accountName, currencyCode]);
    this.#hasOneAccountAndCurrency &&=
      this.#accountAndCurrency === undefined || this.#accountAndCurrency === accountAndCurrency;
    this.#accountAndCurrency = accountAndCurrency;
  }

  /** The last row, if its amount is the sum of the transactions above it; undefined otherwise, or if there are too few transactions. */
  get row(): CsvRow | undefined {
    const isSum = this.#sum !== '0' && signedAmountOf(this.#last) === this.#sum;
    return isSum && this.#hasOneAccountAndCurrency && this.#count >= summedRowsMin ? this.#last : undefined;
  }
}

/** The minimum number of transactions above the last row. The sum of fewer transactions is too often equal to a payment by chance. */
const summedRowsMin = 3;

function signedAmountOf(row: CsvRow | undefined): string | undefined {
  if (row?.row.outcome !== 'transaction') return undefined;
  const { direction, amountDecimal } = row.row.transaction;
  return direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
}
