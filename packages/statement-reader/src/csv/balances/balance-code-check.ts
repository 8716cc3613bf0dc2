import type { Question, StatementDirection } from '../../statement.js';
import { addDecimals } from '../../totals.js';
import type { CsvRow } from '../row/row.js';

/**
 * Finds out whether the debit/credit codes directly to the right of the balance belong to the balance instead of the amounts. Compares the
 * balances of consecutive rows under both assumptions, for both possible orders of the rows.
 */
export class BalanceCodeCheck {
  readonly #orders = [new CodeLinks(), new CodeLinks()] as const;
  readonly #codes = new Set<StatementDirection | undefined>();
  #above: CodedRow | undefined;
  readonly #header: string;

  /** @param header the header of the column with the codes */
  constructor(header: string) {
    this.#header = header;
  }

  /**
   * @param row.row a row whose balance has a minus if its code means that the account is overdrawn
   * @param row.code the direction of the code, if the code belongs to the amount
   */
  add(row: CodedRow): void {
    this.#codes.add(row.code);
    const [oldestFirst, newestFirst] = this.#orders;
    if (this.#above !== undefined) oldestFirst.add(row, this.#above);
    if (this.#above !== undefined) newestFirst.add(this.#above, row);
    this.#above = row;
  }

  /**
   * Whether the codes belong to the balance. This is the case if two conditions hold: in one order of the rows, each amount is the
   * difference of two balances with the signs that their codes give them; and in no order do the codes fit the amounts.
   */
  get belongToBalance(): boolean {
    return this.#contradictAmounts && !this.#orders.some((links) => links.fitsAmounts);
  }

  /**
   * Returns a question if the codes may belong to the balance or to the amounts: all codes are equal, the balances fit both assumptions,
   * and the direction of some row depends on the assumption.
   */
  findQuestion(): Question | undefined {
    const isOpen = this.#orders.some((links) => links.fitsBalance && links.fitsAmounts && links.differs);
    if (this.#contradictAmounts || !isOpen || this.#codes.size !== 1) return undefined;
    return {
      message: `The words of the column "${this.#header}" are the same in all rows, and may belong to the balance to its left instead of the amounts.`,
      remedy: `If they belong to the balance, use --direction-column "". If they belong to the amounts, use --direction-column "${this.#header}".`,
      requiresOption: true,
    };
  }

  get #contradictAmounts(): boolean {
    return this.#orders.some((links) => links.fitsBalance && links.contradictsCodes);
  }
}

interface CodedRow {
  readonly row: CsvRow;
  readonly code: StatementDirection | undefined;
}

/** The differences between the balances of consecutive rows, for one order of the rows. */
class CodeLinks {
  #total = 0;
  /** The number of differences that equal the amount of the newer row, if the codes belong to the balance. */
  #ofBalance = 0;
  /** The number of differences with the direction of the code, and with the opposite one, if the codes belong to the amount. */
  #same = 0;
  #opposite = 0;
  /** Whether the direction of some row depends on whether the codes belong to the balance or the amounts. */
  differs = false;

  add({ row: newer, code }: CodedRow, { row: older, code: olderCode }: CodedRow): void {
    if (newer.row.outcome !== 'transaction') return;
    this.#total += 1;
    if (newer.balance === undefined || older.balance === undefined) return;
    const { amountDecimal } = newer.row.transaction;
    const moved = subtract(newer.balance, older.balance);
    if (moved.replace('-', '') === amountDecimal) this.#ofBalance += 1;
    this.differs ||= moved.startsWith('-') !== (code === 'expense');
    const written = subtract(asWritten(newer.balance, code), asWritten(older.balance, olderCode));
    if (written.replace('-', '') !== amountDecimal || code === undefined) return;
    if (written.startsWith('-') === (code === 'expense')) this.#same += 1;
    else this.#opposite += 1;
  }

  get fitsBalance(): boolean {
    return this.#total > 0 && this.#ofBalance === this.#total;
  }

  /** Whether the codes fit the amounts. If all differences have the opposite direction, the balance may be that of a debt. */
  get fitsAmounts(): boolean {
    return this.#total > 0 && (this.#same === this.#total || this.#opposite === this.#total);
  }

  get contradictsCodes(): boolean {
    return this.#total > 1 && !this.fitsAmounts;
  }
}

/** Returns a balance as the file writes it, without the minus of its code. */
function asWritten(balance: string, code: StatementDirection | undefined): string {
  return code === 'expense' ? balance.replace('-', '') : balance;
}

function subtract(minuend: string, subtrahend: string): string {
  return addDecimals([minuend, subtrahend.startsWith('-') ? subtrahend.slice(1) : `-${subtrahend}`]);
}
