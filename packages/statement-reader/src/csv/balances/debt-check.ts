import type { Question } from '../../statement.js';
import { addDecimals } from '../../totals.js';
import { isPaymentToCard, isReceivedByCard, isReceivedPayment } from '../../values/received-payments.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import type { CsvRow } from '../row/row.js';
import { namesDebt } from '../table/header-names.js';
import { namesRefund } from '../words/refunds.js';

/**
 * Finds out whether the balance column of a file may show the amount owed (a debt, as on a card statement) instead of the money in the
 * account. This matters only if nothing but the balance shows the direction of the rows. If the balance is that of a debt, the directions
 * of all rows are wrong.
 */
export class DebtCheck {
  readonly #hasHeaders: boolean;
  /** The header of the balance, if it names a debt. */
  readonly #debtHeader: string | undefined;
  #expenseCount = 0;
  #incomeCount = 0;
  /** Text for a message: the first expense that names a refund or a received payment. */
  #contradiction: string | undefined;
  /** Text for a message: the first expense whose text may name either a payment to a card or an expense. */
  #possiblePayment: string | undefined;

  /** Whether an income names a refund or a received payment. This proves that the directions are right. */
  #isProven = false;
  #expensePayment: string | undefined;

  /** @param balanceHeader the header of the balance column; empty if there is none */
  constructor({ hasHeaders, balanceHeader }: { readonly hasHeaders: boolean; readonly balanceHeader: string }) {
    this.#hasHeaders = hasHeaders;
    this.#debtHeader = namesDebt(balanceHeader) ? balanceHeader.trim() : undefined;
  }

  add({ row }: Pick<CsvRow, 'row'>): void {
    if (row.outcome !== 'transaction') return;
    const { direction, description, merchantName } = row.transaction;
    const text = description ?? merchantName ?? '';
    const isIncome = isReceivedPayment(text) || namesRefund(text);
    if (direction === 'income') {
      this.#incomeCount += 1;
      this.#isProven ||= isIncome;
      return;
    }
    this.#expenseCount += 1;
    if (isPaymentToCard(text)) this.#expensePayment ??= text;
    const found = `line ${row.line} ("${text}") would be an expense`;
    if (isIncome) this.#contradiction ??= found;
    else if (isReceivedByCard(text)) this.#possiblePayment ??= found;
  }

  /**
   * The text of the first expense that would be a payment to the card on the statement of a credit card; undefined if there is none, or if
   * an income names a refund or a received payment.
   */
  get expensePayment(): string | undefined {
    return this.#isProven ? undefined : this.#expensePayment;
  }

  /** Returns a question if only the balance distinguishes debits and credits, and the balance may be that of a debt. */
  findQuestion({
    roles,
    areSidesUnknown,
  }: Pick<InterpretationFacts, 'roles' | 'areSidesUnknown'>): Question | undefined {
    const reason = areSidesUnknown ? this.#findReason() : undefined;
    if (reason === undefined) return undefined;
    const { debit = '', credit = '' } = roles;
    return {
      message: `Only the balance shows which of the columns "${debit}" and "${credit}" is money out. It may be the balance of a debt: ${reason}.`,
      remedy: `If it is a debt, swap the columns: --debit-column "${credit}" --credit-column "${debit}". If it is money in an account, use --debit-column "${debit}" --credit-column "${credit}".`,
      requiresOption: true,
    };
  }

  /**
   * Returns the reason why the balance may be that of a debt; undefined if there is none. The reason may be the header of the balance, or
   * the text of a row. In a file without headers, it may also be that there are more incomes than expenses. In most files, most rows are
   * expenses. But if the balance is that of a debt, each expense increases the balance and therefore looks like an income.
   */
  #findReason(): string | undefined {
    const [expenses, incomes] = [this.#expenseCount, this.#incomeCount];
    if (this.#isProven) return undefined;
    if (this.#debtHeader !== undefined) return `its header is "${this.#debtHeader}"`;
    if (this.#contradiction !== undefined || this.#hasHeaders || incomes <= expenses) return this.#contradiction;
    return this.#possiblePayment ?? `${incomes} of ${expenses + incomes} rows would be incomes`;
  }
}

/**
 * Finds out whether an amount with a minus pays exactly the balance before the oldest row, as the payment of a card bill does. The balance
 * column may then show a debt. A payment with a minus reduces a debt, so such a column agrees with the signs although a minus is income.
 */
export class PaidDebtCheck {
  #first: EndRow | undefined;
  #last: EndRow | undefined;
  readonly #expenses = new Set<string>();

  add({ row, balance }: CsvRow): void {
    if (row.outcome !== 'transaction' || balance === undefined) return;
    const { direction, amountDecimal, occurredOn } = row.transaction;
    const isExpense = direction === 'expense';
    this.#last = { day: occurredOn, before: addDecimals([balance, isExpense ? amountDecimal : `-${amountDecimal}`]) };
    this.#first ??= this.#last;
    if (isExpense && this.#expenses.size < expensesMax) this.#expenses.add(addDecimals([amountDecimal]));
  }

  /** Whether there is such an amount. False if the first and the last row have the same day, because the oldest row is then unknown. */
  get isPaid(): boolean {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined || first.day === last.day) return false;
    const oldest = first.day < last.day ? first : last;
    return this.#expenses.has(oldest.before);
  }
}

interface EndRow {
  readonly day: string;
  /** The balance before the row. */
  readonly before: string;
}

/** The maximum number of stored amounts, to limit the memory. On a card statement, they are the payments to the card, which are few. */
const expensesMax = 1000;
