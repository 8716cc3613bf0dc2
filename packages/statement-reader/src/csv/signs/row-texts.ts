import type { StatementDirection } from '../../statement.js';
import { StatementError } from '../../statement-error.js';
import type { AmountSign } from '../../values/amounts.js';
import type { Findings } from '../plan.js';
import { canonicalStatus } from '../rows/cells.js';

/** Finds rows whose text says that they are pending, because the file has no column for it. */
export class PendingTexts {
  #rowCount = 0;
  #first: { readonly line: number; readonly text: string; readonly word: string } | undefined;

  /** @param final the statuses that the user called final */
  add(line: number, texts: readonly string[], final: ReadonlySet<string>): void {
    for (const text of texts) {
      const word = canonicalStatus(pendingText.exec(text)?.find((part, index) => index > 0 && part) ?? '');
      if (word === '' || final.has(word)) continue;
      this.#rowCount += 1;
      this.#first ??= { line, text, word };
      return;
    }
  }

  get finding(): Findings['pendingTexts'] {
    return this.#first === undefined ? undefined : { ...this.#first, rowCount: this.#rowCount };
  }
}

const pendingWord =
  'pending|vorgemerkt|vormerkung|pendiente|en attente|in attesa|in behandeling|gereserveerd|oczekuj[ąa]ca|reserverad|reservert|reserveret|ожидает|в обработке';
/** The word before a separator, in brackets, or behind a dash: "Pending Ltd" is a merchant. */
const pendingText = new RegExp(
  `^\\W{0,3}(${pendingWord})\\s*[-:–—|*/]|[([](${pendingWord})[)\\]]|\\s[-–—|*/]\\s*(${pendingWord})$`,
  'iu',
);

/**
 * Finds card statements with reversed signs: purchases without a sign, and a minus before payments of the card holder.
 * Read like a bank statement, every purchase would be income. So such a file is refused until the user says what its
 * minus means.
 */
export class SignConventionCheck {
  readonly #isOfCard: boolean;
  #minus = 0;
  #other = 0;
  /** The text of a row that can only be income, and has a minus. */
  #reversed: string | undefined;
  /** Whether some row has the sign of a bank statement beyond doubt. */
  #followsBanks = false;
  /** The text of a row whose code contradicts its sign. */
  #contradicted: string | undefined;

  /** @param file.isOfCard whether its headers are those of a card */
  constructor({ isOfCard }: { isOfCard: boolean }) {
    this.#isOfCard = isOfCard;
  }

  /**
   * @param row.text its description and merchant
   * @param row.direction the direction that its code means, even if that column is not used
   */
  add(row: { sign: AmountSign | undefined; text: string; direction: StatementDirection | undefined }): void {
    if (row.sign === undefined) return;
    const isMinus = row.sign === 'minus';
    if (isMinus) this.#minus += 1;
    else this.#other += 1;
    if (row.direction !== undefined) {
      if (isMinus === (row.direction === 'expense')) this.#followsBanks = true;
      else this.#contradicted ??= row.text;
      return;
    }
    // Skips the text of rows that cannot decide.
    if (isMinus && this.#reversed === undefined && paymentReceived.test(row.text)) this.#reversed = row.text;
    if (!isMinus && !this.#followsBanks && paymentReceived.test(row.text)) this.#followsBanks = true;
  }

  /** The text of a payment to a card that has a minus, unless the signs are those of a bank beyond doubt. */
  get paymentWithMinus(): string | undefined {
    return this.#followsBanks ? undefined : this.#reversed;
  }

  /** @throws StatementError if signs contradict the texts or codes of their rows */
  requireBankConvention(): void {
    if (this.#minus === 0 || this.#other === 0 || this.#followsBanks) return;
    const example = this.#contradicted ?? (this.#isOfCard || this.#other >= this.#minus ? this.#reversed : undefined);
    if (example === undefined) return;
    throw new StatementError(
      `A minus may be money in here, as some card statements write it: see the sign of "${example}".`,
      'Say what a minus is with --minus income or --minus expense.',
      { minusMeans: 'income' },
    );
  }
}

/** The names that card issuers give to a payment that they received. */
const paymentReceived =
  /(payment|pymt).*(thank|received)|thank ?you|autopay|automatic payment|pagamento recebido|pago recibido|su pago|gracias|paiement re[çc]u|merci|zahlung erhalten|zahlungseingang|betaling ontvangen|betalning mottagen|pagamento ricevuto|wpłata własna|spłata/i;
