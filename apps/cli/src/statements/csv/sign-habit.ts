import { UsageError } from '../../errors.js';
import type { AmountMark } from './parse-amount.js';

/**
 * Watches for card statements that turn the signs around: purchases plain, and a minus before what the holder has paid.
 * Read as a bank's, every purchase would be income, so such a file is not read until a person says what its minus means.
 */
export class SignHabit {
  #minus = 0;
  #other = 0;
  /** A row that can only be money in, and has a minus. */
  #turned: string | undefined;
  /** A row that can only be money in (or out), and has the sign of a bank statement. */
  #isUsual = false;
  #worded: string | undefined;

  /**
   * @param row.text its description and merchant
   * @param row.word what a word beside the amount says, also where that column was not trusted with the side
   */
  see(row: { mark: AmountMark | undefined; text: string; word: 'expense' | 'income' | undefined }): void {
    if (row.mark === undefined) return;
    const isMinus = row.mark === 'minus';
    if (isMinus) this.#minus += 1;
    else this.#other += 1;
    if (row.word !== undefined) {
      if (isMinus === (row.word === 'expense')) this.#isUsual = true;
      else this.#worded ??= row.text;
      return;
    }
    // Only the text of the few rows that could decide is read.
    if (isMinus && this.#turned === undefined && paymentReceived.test(row.text)) this.#turned = row.text;
    if (!isMinus && !this.#isUsual && paymentReceived.test(row.text)) this.#isUsual = true;
  }

  /** @throws UsageError (exit 2) where signs contradict what the rows say of themselves */
  requireUsual(): void {
    if (this.#minus === 0 || this.#other === 0 || this.#isUsual) return;
    const example = this.#worded ?? (this.#other >= this.#minus ? this.#turned : undefined);
    if (example === undefined) return;
    throw new UsageError(
      `A minus may be money in here, as some card statements write it: see the sign of "${example}".`,
      'Say what a minus is with --minus income or --minus expense.',
    );
  }
}

/** What a card issuer calls the payment that it has received. */
const paymentReceived =
  /(payment|pymt).*(thank|received)|thank ?you|autopay|automatic payment|pagamento recebido|pago recibido|su pago|gracias|paiement re[çc]u|merci|zahlung erhalten|zahlungseingang|betaling ontvangen|betalning mottagen|pagamento ricevuto|wpłata własna|spłata/i;
