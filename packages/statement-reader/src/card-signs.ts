import { StatementError } from './statement-error.js';
import { isReceivedByCard, isReceivedPayment } from './values/received-payments.js';

export const minusRemedy = 'Use --minus income if a minus is money in, or --minus expense if it is money out.';

/** The printed description of the signs in a card statement whose purchases have no sign. */
export const reversedSigns = 'amounts with a minus are incomes, all others are expenses';

/** Returns the error for a file whose signs may be reversed. `example` is the text of a row with an unexpected sign; it may be empty. */
export function reversedSignsError(example: string, remedy = minusRemedy): StatementError {
  const see = example === '' ? '' : ` See the sign of "${example}".`;
  return new StatementError(`A minus may mean money in, as on some card statements.${see}`, remedy, {
    minusMeans: 'income',
  });
}

/**
 * Checks the signs in the card rows of an OFX or QIF file. Both formats define that a minus is an expense. But some issuers write purchases
 * without a sign, and payments to the card with a minus. If the reader followed the definition, every such purchase would be an income.
 */
export class CardSigns {
  #minus = 0;
  #plain = 0;
  #paymentWithMinus: string | undefined;
  /** The text of the first row that has a minus and whose text may name a payment to the card. */
  #possiblePaymentWithMinus: string | undefined;
  #hasPlainPayment = false;

  add({ isMinus, text }: { readonly isMinus: boolean; readonly text: string }): void {
    if (isMinus) this.#minus += 1;
    else this.#plain += 1;
    if (isReceivedPayment(text)) {
      if (isMinus) this.#paymentWithMinus ??= text;
      else this.#hasPlainPayment = true;
    } else if (isMinus && isReceivedByCard(text)) this.#possiblePaymentWithMinus ??= text;
  }

  /** The number of amounts with a minus. */
  get minusCount(): number {
    return this.#minus;
  }

  /** The number of amounts without a minus. */
  get plainCount(): number {
    return this.#plain;
  }

  /** The text of the first row that has a minus and certainly is a payment to the card; undefined if there is none. */
  get paymentWithMinus(): string | undefined {
    return this.#paymentWithMinus;
  }

  /** Whether some payment to the card has no minus. */
  get hasPlainPayment(): boolean {
    return this.#hasPlainPayment;
  }

  /**
   * Refuses a file in which all payments to the card have a minus. Some texts, such as `Autopay`, may name either a payment to the card or
   * an expense. A row with such a text and a minus counts as a payment to the card only if at most half of the amounts have a minus.
   * @throws StatementError if there are payments to the card, and all of them have a minus
   */
  requireBankSigns(remedy = minusRemedy): void {
    const possible = this.#plain >= this.#minus ? this.#possiblePaymentWithMinus : undefined;
    const example = this.#paymentWithMinus ?? possible;
    if (example !== undefined && !this.#hasPlainPayment) throw reversedSignsError(example, remedy);
  }

  /** @throws StatementError if the card has rows, no row has a minus, and no row is a payment to the card */
  requireMinus(): void {
    if (this.#plain === 0 || this.#minus > 0 || this.#hasPlainPayment) return;
    throw new StatementError(
      'No amount of the card has a minus, so its rows may be expenses or incomes.',
      'Use --minus income if amounts without a minus are expenses, or --minus expense if they are incomes.',
      { minusMeans: 'income' },
    );
  }

  /**
   * @throws StatementError if some amounts have a minus, at least half of the amounts have no minus, and no row without a minus is a
   *   payment to the card
   */
  requireMostlyMinus(remedy = minusRemedy): void {
    if (this.#minus === 0 || this.#plain < this.#minus || this.#hasPlainPayment) return;
    throw new StatementError(
      `A minus may mean money in, as on some card statements: ${this.#plain} of ${this.#plain + this.#minus} amounts of the card have no minus.`,
      remedy,
      { minusMeans: 'income' },
    );
  }
}
