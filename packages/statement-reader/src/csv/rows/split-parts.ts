import type { StatementTransaction } from '../../statement.js';
import { addDecimals } from '../../totals.js';

/** Adds up rows that may be the parts of another row. */
export class Parts {
  readonly counts = { expense: 0, income: 0 };
  #sum = '0';
  #chain: string | undefined;
  #isKnown = true;

  /** @param transaction undefined for a row that cannot be read, whose amount is unknown */
  add(transaction: StatementTransaction | undefined): void {
    const chain = transaction && chainOf(transaction);
    this.#isKnown &&= transaction !== undefined && (this.#chain === undefined || this.#chain === chain);
    if (transaction === undefined) return;
    this.#chain = chain;
    this.#sum = addDecimals([this.#sum, signedAmount(transaction)]);
    this.counts[transaction.direction] += 1;
  }

  get count(): number {
    return this.counts.expense + this.counts.income;
  }

  isSumOf(transaction: StatementTransaction): boolean {
    const isSum = this.#sum === addDecimals([signedAmount(transaction)]);
    return this.#isKnown && this.count >= partsMin && isSum && this.#chain === chainOf(transaction);
  }
}

/** The minimum number of parts. A single row with the same amount may be another payment. */
const partsMin = 2;

/** Parts have the same account, currency and day as the row that is split. */
function chainOf({ accountName, currencyCode, occurredOn }: StatementTransaction): string {
  return JSON.stringify([accountName, currencyCode, occurredOn]);
}

function signedAmount({ direction, amountDecimal }: StatementTransaction): string {
  return direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
}

/**
 * Finds a row that is split into the marked parts directly below it, although the row itself has no mark. The row is split if at least two
 * consecutive parts add up to its amount, and no part has another merchant. Other files, such as exports of YNAB, have only the parts.
 */
export class RowAboveParts {
  #above: { readonly line: number; readonly transaction: StatementTransaction } | undefined;
  #parts = new Parts();
  #hasOtherMerchant = false;
  /** The split rows, by their lines, with their parts. */
  readonly found = new Map<number, Parts>();

  /** @param part the number of the part; 0 if it has no number, and undefined if the row is no part */
  add(line: number, transaction: StatementTransaction | undefined, part: number | undefined): void {
    if (part === undefined || (part === 1 && this.#parts.count > 0)) {
      this.end();
      this.#parts = new Parts();
      this.#hasOtherMerchant = false;
      this.#above = part === undefined && transaction !== undefined ? { line, transaction } : undefined;
    }
    if (part === undefined) return;
    this.#parts.add(transaction);
    const merchants = new Set([transaction?.merchantName ?? null, this.#above?.transaction.merchantName ?? null]);
    merchants.delete(null);
    this.#hasOtherMerchant ||= merchants.size > 1;
  }

  /** Ends the current group of parts, and checks whether they add up to the row above them. Call it also after the last row. */
  end(): void {
    if (this.#above !== undefined && !this.#hasOtherMerchant && this.#parts.isSumOf(this.#above.transaction)) {
      this.found.set(this.#above.line, this.#parts);
    }
  }
}
