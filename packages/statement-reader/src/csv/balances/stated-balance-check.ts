import { addDecimals, describeAmount } from '../../totals.js';
import { parseAmount } from '../../values/amounts.js';
import { compileDateFormat, dateCandidates } from '../../values/dates.js';
import type { BalanceFinding } from '../findings/balance-finding.js';
import { findStatedDay, isStatedBalanceText, type StatedBalance } from '../lines/stated-balances.js';
import { StatedContradiction } from '../lines/stated-contradiction.js';
import type { CsvPlan } from '../plan/plan.js';
import type { CsvRow } from '../row/row.js';
import { isWithoutSigns } from '../signs/sign-convention.js';
import { isAmountCell, isDateCell, plainCell } from '../table/cells.js';

/**
 * Compares the opening and closing balances that a file states with its balance column:
 *
 * - A closing balance must be the balance after the newest row.
 * - The balance of a day must also be the balance after the newest row, if the day is that of the newest row or a later day of the same
 *   month. After that month, the account may have further transactions.
 * - An opening balance must be the balance before the oldest row.
 *
 * The rows of a day may be in any order, so a balance agrees if it fits one of the rows of the newest or oldest day, or the first or the
 * last row. Signs are ignored, because the balance of a debt may have no minus. In a file without balances, the opening balance and the
 * rows must add up to the closing balance.
 */
export class StatedBalanceCheck {
  readonly #plan: CsvPlan;
  readonly #lines: readonly StatedBalance[];
  readonly #file: StatedBalanceFile;
  readonly #lineNumbers: ReadonlySet<number>;
  readonly #currencies = new Set<string | null>();
  readonly #accounts = new Set<string | null>();
  readonly #newest = new RowsOfDay((day, other) => day > other);
  readonly #oldest = new RowsOfDay((day, other) => day < other);
  #first: CsvRow | undefined;
  #last: CsvRow | undefined;
  #firstDay = '';
  #lastDay = '';
  #sum = '0';
  #hasFailure = false;

  constructor(plan: CsvPlan, file: StatedBalanceFile) {
    this.#plan = plan;
    this.#lines = file.statedBalances;
    this.#file = file;
    this.#lineNumbers = new Set(this.#lines.map(({ line }) => line));
  }

  add(row: CsvRow): void {
    if (this.#lines.length === 0 || this.#lineNumbers.has(row.row.line)) return;
    this.#hasFailure ||= row.row.outcome === 'failure' || row.fee?.outcome === 'failure';
    this.#sum = addDecimals([this.#sum, amountOf(row)]);
    if (row.row.outcome === 'transaction') {
      const { currencyCode, accountName } = row.row.transaction;
      if (this.#currencies.size < 2) this.#currencies.add(currencyCode);
      if (this.#accounts.size < 2) this.#accounts.add(accountName);
    }
    if (row.balance === undefined) return;
    this.#first ??= row;
    this.#last = row;
    if (row.row.outcome !== 'transaction') return;
    const { occurredOn } = row.row.transaction;
    if (this.#firstDay === '') this.#firstDay = occurredOn;
    this.#lastDay = occurredOn;
    this.#newest.add(row, occurredOn);
    this.#oldest.add(row, occurredOn);
  }

  /**
   * Returns the first stated balance that the rows contradict; undefined if there is none. Compares nothing if the balance column does not
   * follow the amounts, or if the rows have several accounts or currencies. Skips a kind of balance, such as the closing balance, if the
   * file states several different amounts for it.
   */
  find(finding: BalanceFinding | undefined): StatedContradiction | undefined {
    if (finding?.kind === 'unrelated' || this.#currencies.size !== 1 || this.#accounts.size !== 1) return undefined;
    if (this.#file.hasSeveralAccounts) return undefined;
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined) return this.#findWrongSum();
    const ends = { first, last };
    const dated = this.#lines.filter((line) => this.#isOfNewestDays(line));
    return (
      this.#compareClosing(
        this.#lines.filter(({ kind }) => kind === 'closing'),
        finding,
        ends,
      ) ??
      this.#compareClosing(dated, finding, ends) ??
      this.#compareOpening(finding, ends)
    );
  }

  #compareClosing(
    lines: readonly StatedBalance[],
    finding: BalanceFinding | undefined,
    { first, last }: EndRows,
  ): StatedContradiction | undefined {
    const closing = this.#onlyOf(lines);
    if (closing === undefined) return undefined;
    // If `finding` is undefined, the column may contain the balance before each row instead of the balance after it.
    const balances = [first, last, ...this.#newest.rows].flatMap((row) => [
      ...(finding?.isBefore === true ? [] : [row.balance ?? '']),
      ...(finding === undefined || finding.isBefore === true ? [addDecimals([row.balance ?? '0', amountOf(row)])] : []),
    ]);
    if (balances.some((balance) => unsigned(balance) === unsigned(closing.amount))) return undefined;
    const newest = this.#firstDay > this.#lastDay ? first : last;
    const moved = finding?.isBefore === true ? amountOf(newest) : '0';
    return this.#describe(closing, addDecimals([newest.balance ?? '0', moved]));
  }

  #compareOpening(finding: BalanceFinding | undefined, { first, last }: EndRows): StatedContradiction | undefined {
    const opening = this.#onlyOf(this.#lines.filter(({ kind }) => kind === 'opening'));
    const isKnown = finding === undefined || ['agrees', 'contradicts', 'reversed'].includes(finding.kind);
    if (opening === undefined || !isKnown || this.#hasFailure || this.#hasUnrecordedFees) return undefined;
    const balances = [first, last, ...this.#oldest.rows].flatMap((row) => [
      ...(finding === undefined || finding.isBefore === true ? [row.balance ?? '0'] : []),
      ...[amountOf(row), negate(amountOf(row))].map((moved) => addDecimals([row.balance ?? '0', moved])),
    ]);
    if (balances.some((balance) => unsigned(balance) === unsigned(opening.amount))) return undefined;
    const oldest = this.#firstDay > this.#lastDay ? last : first;
    const amount = amountOf(oldest);
    const moved = finding?.isBefore === true ? '0' : finding?.kind === 'reversed' ? amount : negate(amount);
    return this.#describe(opening, addDecimals([oldest.balance ?? '0', moved]));
  }

  /** Compares the sum of the rows with the opening and the closing balance. Both may be those of a debt, which grows with each expense. */
  #findWrongSum(): StatedContradiction | undefined {
    const { columns, signs } = this.#plan;
    const { amount, debit, credit } = columns.roles;
    const hasOneSide = amount === undefined && (debit === undefined || credit === undefined);
    const areDirectionsUnknown = isWithoutSigns(columns.roles, signs) && !signs.allExpenses;
    if (hasOneSide || areDirectionsUnknown || this.#hasFailure || this.#hasUnrecordedFees || this.#file.hasNotFinal)
      return undefined;
    const [opening, closing] = (['opening', 'closing'] as const).map((kind) =>
      this.#onlyOf(this.#lines.filter((line) => line.kind === kind)),
    );
    if (opening === undefined || closing === undefined) return undefined;
    const sums = [this.#sum, negate(this.#sum)].map((sum) => addDecimals([opening.amount, sum]));
    if (sums.some((sum) => unsigned(sum) === unsigned(closing.amount))) return undefined;
    return this.#describe(closing, sums[0] ?? '', opening.line);
  }

  get #hasUnrecordedFees(): boolean {
    return this.#plan.columns.roles.fee === undefined && this.#file.hasUnrecordedFees;
  }

  /** @param openingLine the line of the opening balance, if it and the rows do not add up to the closing balance */
  #describe({ kind, line, amount }: ReadBalance, expected: string, openingLine?: number): StatedContradiction {
    const [currencyCode = null] = this.#currencies;
    return new StatedContradiction({
      kind: openingLine === undefined ? kind : 'sum',
      line,
      stated: describeAmount(amount, currencyCode),
      expected: describeAmount(expected, currencyCode),
      openingLine,
    });
  }

  /** Returns the balance that all lines state; undefined if they state several balances, or a line has no clear amount. */
  #onlyOf(lines: readonly StatedBalance[]): ReadBalance | undefined {
    const [first, ...others] = lines.map((line) => ({
      kind: line.kind,
      line: line.line,
      amount: this.#amountOf(line),
    }));
    if (first?.amount === undefined || others.some(({ amount }) => amount !== first.amount)) return undefined;
    return { ...first, amount: first.amount };
  }

  /** Returns whether a balance of a day is that of the newest row, or of a later day of the same month. */
  #isOfNewestDays({ kind, cells }: StatedBalance): boolean {
    const text = kind === 'dated' ? cells.map(findStatedDay).find((found) => found !== undefined) : undefined;
    if (text === undefined) return false;
    const planned = compileDateFormat(this.#plan.formats.dateFormat)?.(text);
    const [day = '', ...others] = new Set(
      planned === undefined ? dateCandidates.map(({ read }) => read(text)) : [planned],
    );
    const days = [day, ...others].filter((found) => found !== undefined && found !== '');
    const newest = this.#newest.day;
    return days.length === 1 && (days[0] ?? '') >= newest && days[0]?.slice(0, 7) === newest.slice(0, 7);
  }

  /** Returns the amount of a line in the balance column; if there is none, its only amount; undefined if it has several amounts. */
  #amountOf({ cells, isAboveHeaders }: StatedBalance): string | undefined {
    const own = isAboveHeaders ? undefined : this.#read(cells[this.#plan.columns.balancePosition ?? -1] ?? '');
    if (own !== undefined) return own;
    const amounts = cells.filter((cell) => isAmountCell(cell) && !isDateCell(cell)).map((cell) => this.#read(cell));
    const atEnd = cells.filter(isStatedBalanceText).map((cell) => amountAtEnd.exec(cell)?.[0] ?? '');
    const inText = atEnd.filter((text) => !isDateCell(text)).map((text) => this.#read(text));
    const [only, ...others] = new Set([...amounts, ...inText].filter((amount) => amount !== undefined));
    return others.length === 0 ? only : undefined;
  }

  #read(cell: string): string | undefined {
    const parsed = parseAmount(plainCell(cell), this.#plan.formats.decimalSeparator);
    if (parsed === undefined) return undefined;
    return addDecimals([parsed.sign === 'minus' ? `-${parsed.amountDecimal}` : parsed.amountDecimal]);
  }
}

/** The facts from the first pass over the file that decide which balances are compared. */
interface StatedBalanceFile {
  readonly statedBalances: readonly StatedBalance[];
  /** Whether the rows name several accounts of the user. */
  readonly hasSeveralAccounts: boolean;
  readonly hasUnrecordedFees: boolean;
  /** Whether some row has a pending flag, or a status that is neither final nor unknown. */
  readonly hasNotFinal: boolean;
}

/** The first and the last row with a balance. */
interface EndRows {
  readonly first: CsvRow;
  readonly last: CsvRow;
}

interface ReadBalance extends Pick<StatedBalance, 'kind' | 'line'> {
  readonly amount: string;
}

/** The rows of the newest or the oldest day. */
class RowsOfDay {
  day = '';
  rows: CsvRow[] = [];
  readonly #isFurther: (day: string, other: string) => boolean;

  constructor(isFurther: (day: string, other: string) => boolean) {
    this.#isFurther = isFurther;
  }

  add(row: CsvRow, day: string): void {
    if (this.day === '' || this.#isFurther(day, this.day)) [this.day, this.rows] = [day, []];
    if (day === this.day && this.rows.length < rowsMax) this.rows.push(row);
  }
}

/** The maximum number of stored rows of a day, to limit the memory. */
const rowsMax = 1000;

/** Returns the sum of a row and its fee, negative for an expense; `"0"` if neither is a transaction. */
function amountOf({ row, fee }: CsvRow): string {
  const moves = [row, fee].flatMap((part) => (part?.outcome === 'transaction' ? [part.transaction] : []));
  return addDecimals(
    moves.map(({ direction, amountDecimal }) => (direction === 'expense' ? `-${amountDecimal}` : amountDecimal)),
  );
}

function unsigned(amount: string): string {
  return addDecimals([amount]).replace('-', '');
}

function negate(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Matches the amount of a cell such as `Saldo finale: 1.234,56 EUR`. */
const amountAtEnd = /(?<=[:\s])[+-]?\d[\d.,' ]*[.,]\d{2}(?: ?\p{L}{3})?$/u;
