import { addDecimals, describeAmount } from '../../totals.js';
import { parseAmount } from '../../values/amounts.js';
import type { CsvPlan } from '../plan.js';
import { isAmountCell, isDateCell, plainCell } from '../rows/cells.js';
import type { CsvRow } from '../rows/row.js';
import { type ClosingLine, isClosingBalanceText } from './closing-lines.js';
import type { BalanceFinding } from './running-balance.js';

/** A closing balance that differs from the balance column. */
export interface ClosingContradiction {
  readonly line: number;
  /** The closing balance that the line contains. */
  readonly closing: string;
  /** The balance after the newest row. */
  readonly expected: string;
}

/**
 * Compares the closing balance below the rows with the balance column. The rows of the newest day may be in any order, so the closing
 * balance agrees if it is the balance of one of them, or of the first or the last row. Signs are ignored, because the balance of a debt may
 * have no minus.
 */
export class ClosingBalanceCheck {
  readonly #plan: CsvPlan;
  readonly #lineNumbers: ReadonlySet<number>;
  readonly #currencies = new Set<string | null>();
  readonly #accounts = new Set<string | null>();
  #first: CsvRow | undefined;
  #last: CsvRow | undefined;
  #firstDay = '';
  #lastDay = '';
  #newestDay = '';
  #ofNewestDay: CsvRow[] = [];

  constructor(plan: CsvPlan) {
    this.#plan = plan;
    this.#lineNumbers = new Set(plan.findings.closingLines.map(({ line }) => line));
  }

  add(row: CsvRow): void {
    if (this.#lineNumbers.size === 0 || row.balance === undefined || this.#lineNumbers.has(row.row.line)) return;
    this.#first ??= row;
    this.#last = row;
    if (row.row.outcome !== 'transaction') return;
    const { occurredOn, currencyCode, accountName } = row.row.transaction;
    if (this.#currencies.size < 2) this.#currencies.add(currencyCode);
    if (this.#accounts.size < 2) this.#accounts.add(accountName);
    if (this.#firstDay === '') this.#firstDay = occurredOn;
    this.#lastDay = occurredOn;
    if (occurredOn > this.#newestDay) [this.#newestDay, this.#ofNewestDay] = [occurredOn, []];
    if (occurredOn === this.#newestDay && this.#ofNewestDay.length < rowsMax) this.#ofNewestDay.push(row);
  }

  /**
   * Returns the closing balance if it differs from the balance column; otherwise undefined. Compares nothing if the balance column does not
   * follow the amounts, if the rows have several accounts or currencies, or if the file has several different closing balances.
   */
  find(finding: BalanceFinding | undefined): ClosingContradiction | undefined {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined || finding?.kind === 'unrelated') return undefined;
    if (this.#currencies.size !== 1 || this.#accounts.size !== 1) return undefined;
    if (this.#plan.findings.ownAccounts !== undefined) return undefined;
    const [closing, ...others] = this.#plan.findings.closingLines.map((line) => ({
      line: line.line,
      amount: this.#amountOf(line),
    }));
    if (closing?.amount === undefined || others.some(({ amount }) => amount !== closing.amount)) return undefined;
    // If `finding` is undefined, the column may contain the balance before each row instead of the balance after it.
    const balances = [first, last, ...this.#ofNewestDay].flatMap((row) => [
      ...(finding?.isBefore === true ? [] : [row.balance ?? '']),
      ...(finding === undefined || finding.isBefore === true ? [balanceAfter(row)] : []),
    ]);
    if (balances.some((balance) => unsigned(balance) === unsigned(closing.amount ?? ''))) return undefined;
    const [currencyCode = null] = this.#currencies;
    const newest = this.#firstDay > this.#lastDay ? first : last;
    return {
      line: closing.line,
      closing: describeAmount(closing.amount, currencyCode),
      expected: describeAmount(
        finding?.isBefore === true ? balanceAfter(newest) : addDecimals([newest.balance ?? '0']),
        currencyCode,
      ),
    };
  }

  /** Returns the amount of a line in the balance column; if there is none, its only amount; undefined if it has several amounts. */
  #amountOf({ cells }: ClosingLine): string | undefined {
    const own = this.#read(cells[this.#plan.columns.balancePosition ?? -1] ?? '');
    if (own !== undefined) return own;
    const amounts = cells.filter((cell) => isAmountCell(cell) && !isDateCell(cell)).map((cell) => this.#read(cell));
    const inText = cells.filter(isClosingBalanceText).map((cell) => this.#read(amountAtEnd.exec(cell)?.[0] ?? ''));
    const [only, ...others] = new Set([...amounts, ...inText].filter((amount) => amount !== undefined));
    return others.length === 0 ? only : undefined;
  }

  #read(cell: string): string | undefined {
    const parsed = parseAmount(plainCell(cell), this.#plan.formats.decimalSeparator);
    if (parsed === undefined) return undefined;
    return addDecimals([parsed.sign === 'minus' ? `-${parsed.amountDecimal}` : parsed.amountDecimal]);
  }
}

/** The maximum number of stored rows of the newest day, to limit the memory. */
const rowsMax = 1000;

/** Returns the balance after a row whose balance cell contains the balance before that row. */
function balanceAfter({ row, balance = '0' }: CsvRow): string {
  if (row.outcome !== 'transaction') return balance;
  const { direction, amountDecimal } = row.transaction;
  return addDecimals([balance, direction === 'expense' ? `-${amountDecimal}` : amountDecimal]);
}

function unsigned(amount: string): string {
  return addDecimals([amount]).replace('-', '');
}

/** Matches the amount of a cell such as `Saldo finale: 1.234,56 EUR`. */
const amountAtEnd = /(?<=[:\s])[+-]?\d[\d.,' ]*[.,]\d{2}(?: ?\p{L}{3})?$/u;
