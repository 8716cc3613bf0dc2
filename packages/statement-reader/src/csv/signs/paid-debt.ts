import { addDecimals } from '../../totals.js';
import type { CsvRow } from '../rows/row.js';

/**
 * Finds out whether an amount with a minus pays exactly the balance before the oldest row, as the payment of a card bill does. The balance
 * column may then show a debt. Such a column agrees with the signs although a minus means an income.
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

/** The maximum number of stored amounts. A file with more amounts is rarely the statement of a card with few payments. */
const expensesMax = 1000;
