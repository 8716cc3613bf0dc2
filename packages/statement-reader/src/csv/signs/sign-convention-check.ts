import { minusRemedy, reversedSignsError } from '../../card-signs.js';
import type { StatementDirection } from '../../statement.js';
import { StatementError } from '../../statement-error.js';
import type { AmountSign } from '../../values/amounts.js';
import { isCertainlyReceived, isPaymentToCard, isReceivedByCard } from '../../values/received-payments.js';
import { showsBankSigns } from '../words/bank-texts.js';
import { isRefundToCard } from '../words/refunds.js';

/**
 * Detects card statements with reversed signs: purchases have no sign, and payments of the card holder have a minus. If
 * such a file is read like a bank statement, every purchase becomes an income. So such a file is refused until an option
 * sets the meaning of a minus, unless the account is a credit card and the rows prove the meaning.
 */
export class SignConventionCheck {
  readonly #isOfCard: boolean;
  readonly #isOfPlaid: boolean;
  /** The numbers of amounts with a minus, and without one. */
  #minus = 0;
  #other = 0;
  /** Whether some amount has a plus or a code for income. */
  #hasPlus = false;
  /** The text of a row that has a minus and may be a payment to a card. */
  #reversed: string | undefined;
  /** A description with a minus that, on the statement of a credit card, certainly names a payment to the card or a refund. */
  #incomeOfCard: string | undefined;
  /** The first of these descriptions that names a payment. */
  #paymentToCard: string | undefined;
  /** The number of these descriptions, if all amounts have a minus. */
  #incomeCountOfCard = 0;
  /** The first other text with a minus that names a reward, and the number of such texts, if all amounts have a minus. */
  #reward: string | undefined;
  #rewardCount = 0;
  /** The text of a row that has a minus and is certainly a payment received by the card issuer. */
  #reversedReceipt: string | undefined;
  /** The text of a refund with a minus. */
  #reversedRefund: string | undefined;
  /** The text of a wage, a dividend or received interest with a minus. */
  #reversedIncome: string | undefined;
  #hasPlainIncome = false;
  #hasPlainRefund = false;
  /** Whether a row without a minus names a cash-back bonus. */
  #hasPlainReward = false;
  /** Whether some row proves that the file has the signs of a bank statement. */
  #followsBanks = false;
  #showsBankSigns = false;
  /** The text of a row that has a code for an expense, but no minus. */
  #plainExpense: string | undefined;
  /** Whether the category of a row was read as its code. */
  #isCodedByCategory = false;
  /** Whether a row has neither a minus nor a code. */
  #hasPlainWithoutCode = false;
  /** The text of a row that has a code for an income, and a minus. */
  #codedIncome: string | undefined;

  /**
   * @param file.isOfCard whether the headers are those of a card statement
   * @param file.isOfPlaid whether the headers are those of an export of Plaid
   */
  constructor({ isOfCard, isOfPlaid }: { isOfCard: boolean; isOfPlaid: boolean }) {
    this.#isOfCard = isOfCard;
    this.#isOfPlaid = isOfPlaid;
  }

  /**
   * @param row.description the description of the row; empty if it has none
   * @param row.text the description and the merchant of the row
   * @param row.cells all cells of the row
   * @param row.direction the direction that the debit/credit code of the row means, even if the import does not use the direction column
   * @param row.ofCategory the direction that the category of the row means, if it is a word such as `Income`
   */
  add(row: {
    sign: AmountSign | undefined;
    description: string;
    text: string;
    category: string;
    cells: readonly string[];
    direction: StatementDirection | undefined;
    ofCategory: StatementDirection | undefined;
  }): void {
    if (row.sign === undefined) return;
    const isMinus = row.sign === 'minus';
    if (isMinus) this.#minus += 1;
    else this.#other += 1;
    this.#hasPlus ||= row.sign === 'plus';
    if (!this.#showsBankSigns && this.#minus + this.#other <= readTextsMax) {
      const { cells, category } = row;
      this.#showsBankSigns = showsBankSigns({ isMinus, cells, description: row.text, category });
    }
    const direction = row.direction ?? row.ofCategory;
    if (direction !== undefined) {
      this.#isCodedByCategory ||= row.direction === undefined;
      if (isMinus === (direction === 'expense')) this.#followsBanks = true;
      else if (isMinus) this.#codedIncome ??= row.text;
      else this.#plainExpense ??= row.text;
      return;
    }
    this.#hasPlainWithoutCode ||= !isMinus;
    // Tests the text only if the test can change the result.
    if (isMinus && (this.#incomeOfCard === undefined || this.#other === 0)) {
      if (isReceivedByCard(row.text)) this.#reversed ??= row.text;
      const isRare = this.#minus <= this.#other + rareCount;
      const text = row.description === '' ? row.text : row.description;
      const isPayment = isRare && isPaymentToCard(text);
      if (isPayment) this.#paymentToCard ??= text;
      if (isPayment || (isRare && isRefundToCard(text))) {
        this.#incomeOfCard ??= text;
        this.#incomeCountOfCard += 1;
      } else if (isRare && reward.test(text)) {
        this.#reward ??= text;
        this.#rewardCount += 1;
      }
    }
    if (!isMinus && !this.#followsBanks && isReceivedByCard(row.text)) this.#followsBanks = true;
    if (isMinus && this.#reversedReceipt === undefined && isCertainlyReceived(row.text))
      this.#reversedReceipt = row.text;
    if (isMinus && this.#reversedRefund === undefined && refund.test(row.text)) this.#reversedRefund = row.text;
    if (!isMinus && !this.#hasPlainRefund && refund.test(row.text)) this.#hasPlainRefund = true;
    if (!isMinus && !this.#hasPlainReward && reward.test(row.text)) this.#hasPlainReward = true;
    if (isMinus && this.#reversedIncome === undefined && income.test(row.text)) this.#reversedIncome = row.text;
    if (!isMinus && !this.#hasPlainIncome && income.test(row.text)) this.#hasPlainIncome = true;
  }

  /**
   * The text of a row that has a minus and may be a payment to a card. Undefined if there is no such row, or if some row proves that the
   * file has the signs of a bank statement.
   */
  get paymentWithMinus(): string | undefined {
    return this.#followsBanks ? undefined : this.#reversed;
  }

  /**
   * Whether a debit/credit code, a category or the text of a row shows that a minus is an expense. Words of bank accounts are searched only
   * in the first rows.
   */
  get showsBankSigns(): boolean {
    return this.#followsBanks || this.#showsBankSigns;
  }

  /**
   * Checks that the file has the signs of a bank statement, or finds the row that proves that a minus means income. A row proves this if
   * it has a minus, and all of these conditions hold:
   * - It is a payment to the card or a refund, and no code contradicts the sign of its row. Or its code means an income, all rows without a
   *   minus have a code for an expense, and no code agrees with the sign of its row. A category such as `Income` is a code here. Categories
   *   contradict the signs only if they do so in both directions.
   * - The account is a credit card.
   * - At least three amounts have no minus, and they are at least twice as many as those with a minus.
   * - No amount has a plus, and no refund, reward or income is without a minus.
   *
   * Does nothing if no amount has a minus. If all have one, other conditions apply (`#findReversedRowOfCard`).
   * @param options.isCreditCard returns whether the account is a credit card; called only if some row may prove that a minus means income
   * @param options.allIncomes whether the option `allIncomes` is set. A minus then never means income
   * @returns the text of the row that proves that a minus means income; undefined if the file has the signs of a bank statement, or
   *   if nothing contradicts them
   * @throws StatementError if one of these is true: the file is an export of Plaid; or the sign of some row contradicts its text or code,
   *   no row proves that the file has the signs of a bank statement, and no row proves that a minus means income. Most texts count only in
   *   the file of a card, or if at most half of the amounts have a minus
   */
  async findReversedRow({
    isCreditCard,
    allIncomes,
  }: {
    isCreditCard: () => Promise<boolean>;
    allIncomes: boolean;
  }): Promise<string | undefined> {
    if (this.#minus === 0) return undefined;
    if (this.#other === 0) return allIncomes ? undefined : this.#findReversedRowOfCard(isCreditCard);
    if (this.#isOfPlaid) {
      throw new StatementError('A minus probably means money in, as in the exports of Plaid.', minusRemedy, {
        minusMeans: 'income',
      });
    }
    if (this.#followsBanks) return undefined;
    const reversedRefund = this.#hasPlainRefund ? undefined : this.#reversedRefund;
    const reversedIncome = this.#hasPlainIncome ? undefined : this.#reversedIncome;
    const reversed =
      this.#isOfCard || this.#other >= this.#minus ? (this.#reversed ?? reversedRefund ?? reversedIncome) : undefined;
    const isOneSided = this.#codedIncome === undefined || this.#plainExpense === undefined;
    // One category may be that of a correction or a refund, so categories must contradict the signs in both directions.
    const contradicted = isOneSided && this.#isCodedByCategory ? undefined : (this.#codedIncome ?? this.#plainExpense);
    const hasPlainIncome = this.#hasPlainRefund || this.#hasPlainReward || this.#hasPlainIncome;
    const isMostlyPlain = this.#other >= Math.max(3, 2 * this.#minus);
    const areAllCoded = this.#plainExpense !== undefined && !this.#hasPlainWithoutCode;
    const coded = areAllCoded ? this.#codedIncome : undefined;
    const proof = contradicted === undefined ? this.#incomeOfCard : coded;
    const isProven = proof !== undefined && isMostlyPlain && !this.#hasPlus && !hasPlainIncome;
    if (isProven && !allIncomes && (await isCreditCard())) return proof;
    const example = contradicted ?? this.#reversedReceipt ?? reversed;
    if (example !== undefined) throw reversedSignsError(example);
    return undefined;
  }

  /**
   * Finds the row that proves that a minus means income, as {@link findReversedRow} does, in a file whose amounts all have a minus, such as
   * that of a card in a month without purchases. At least half of the rows must name payments to the card, refunds or rewards, and one of
   * them a payment. Without a payment, all rows must name refunds or rewards, and one of them a refund.
   * @throws StatementError if some rows of a credit card name incomes, but these conditions do not hold; if all rows name them, one of them a
   *   payment, and the account is no credit card
   */
  async #findReversedRowOfCard(isCreditCard: () => Promise<boolean>): Promise<string | undefined> {
    const example = this.#paymentToCard ?? this.#incomeOfCard ?? this.#reward;
    if (example === undefined || this.#followsBanks) return undefined;
    const incomeCount = this.#incomeCountOfCard + this.#rewardCount;
    const areAll = incomeCount === this.#minus;
    const areHalf = 2 * incomeCount >= this.#minus;
    const isCard = await isCreditCard();
    const isProven = (areAll && this.#incomeOfCard !== undefined) || (areHalf && this.#paymentToCard !== undefined);
    if (isCard && isProven) return example;
    if (isCard || (areAll && this.#paymentToCard !== undefined)) throw reversedSignsError(example);
    return undefined;
  }
}

/** If the amounts with a minus outnumber the others by more than this number, no row can prove reversed signs, so no text is tested. */
const rareCount = 100;

/** The number of rows whose texts are read for words of bank accounts. In a longer file, other checks decide. */
const readTextsMax = 10;

/** A bonus of the card. In a file with reversed signs, it has a minus. */
const reward = /(?<!\p{L})(cash ?back|rewards?)(?!\p{L})/iu;

/** Wages, dividends and received interest. Some apps, such as Rocket Money, write incomes with a minus. */
const income =
  /(?<!\p{L})(payroll|salary|wages|interest (paid|earned|received)|dividend|gehalt|lohn|salaire|nómina|stipendio|salário|wynagrodzenie|зарплата)(?!\p{L})/iu;

/**
 * Words for a refund. A minus probably means money in if only rows with a minus have such a word, and either the file is a card statement
 * or at most half of the rows have a minus.
 */
const refund =
  /(?<!\p{L})(refund|rückerstattung|gutschrift|remboursement|reembolso|estorno|devolución|devolução|statement credit|cash ?back bonus|rimborso|terugbetaling|zwrot|återbetalning|erstattung|retouren?|returns?)(?!\p{L})|^[（(【[]?退款/iu;
