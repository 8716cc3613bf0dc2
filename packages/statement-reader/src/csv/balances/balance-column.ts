import type { StatementDirection, StatementRow } from '../../statement.js';
import { StatementError } from '../../statement-error.js';
import { addDecimals } from '../../totals.js';
import { isReceivedByCard, isReceivedPayment } from '../../values/received-payments.js';
import { explainsBalance, readValue } from '../columns/find-amount-columns.js';
import type { CsvRow } from '../row/row.js';
import { canonicalCode, type DirectionCodes } from '../signs/direction-codes.js';
import type { BalanceOrder, PlaceSignCounts } from '../signs/sign-convention.js';
import { isAmountCell, isCurrencyCode, isDateCell } from '../table/cells.js';
import { type CsvColumns, nameColumns, requirePositions } from '../table/columns.js';
import { findByHeader } from '../table/detect-columns-by-header.js';
import {
  availableBalanceHeaders,
  bookedBalanceHeaders,
  headerNamesBalance,
  headerWords,
  namesDebt,
} from '../table/header-names.js';
import { namesRefund } from '../words/refunds.js';

/**
 * Returns the position, from 0, of the column with the running balance. This is the column whose header is a known name of a balance.
 * Without such a header, it is the column in which the difference between consecutive rows most often equals the amount. More than half of
 * the differences, and at least two, must equal the amount of a row. If the header contains a word for a balance, one such difference is
 * enough.
 *
 * There are two exceptions to the known names. If the column with the known name contains only currency codes, and the column to its right
 * has no header, the balances are in the column to the right. If the known name is that of an available balance, the function prefers a
 * column with the booked balance, because pending rows change the available balance. At least one difference of the booked balances must
 * equal the amount of a row.
 *
 * The import does not record balances. It compares them with the amounts, and uses them to detect the decimal separator.
 *
 * @param file.rows the first rows below the headers
 * @param file.columns the columns that the import uses for other data than the balance
 * @returns undefined if there is no such column, if the import uses it for other data, or if several columns with different values fit
 *   equally well
 */
export function detectBalancePosition(file: {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly columns: CsvColumns;
}): number | undefined {
  const { headers, columns } = file;
  const positions = requirePositions(columns, headers);
  const used = new Set(Object.values(positions));
  const header = findByHeader(headers, new Set()).balance;
  const named = header === undefined ? -1 : nameColumns(headers).indexOf(header);
  const rows = file.rows.filter((cells) => cells.some(isDateCell) && cells.some(isAmountCell));
  if (named !== -1 && !isAvailable(headers[named])) {
    const position = hasOnlyCurrencies(rows, named) && headers[named + 1]?.trim() === '' ? named + 1 : named;
    return used.has(position) ? undefined : position;
  }
  const amountAt = (cells: readonly string[], position: number | undefined) =>
    position === undefined ? undefined : readValue(cells[position]?.trim() ?? '');
  const moves = rows.map((cells) =>
    positions.amount === undefined
      ? absolute((amountAt(cells, positions.credit) ?? 0n) - (amountAt(cells, positions.debit) ?? 0n))
      : absolute(amountAt(cells, positions.amount)),
  );
  const valuesAt = (position: number) => rows.map((cells) => amountAt(cells, position));
  if (named !== -1) {
    const booked = headers.findIndex((name) => bookedBalanceHeaders.has(headerWords(name)));
    const position = booked !== -1 && countAgreeing(valuesAt(booked), moves) > 0 ? booked : named;
    return used.has(position) ? undefined : position;
  }
  const found = headers.flatMap((name, position) => {
    if (used.has(position)) return [];
    const agreeing = countAgreeing(valuesAt(position), moves);
    const isBalance = headerNamesBalance(name) ? agreeing > 0 : agreeing > 1 && 2 * agreeing > rows.length - 1;
    return isBalance ? [{ position, agreeing }] : [];
  });
  const [best, ...others] = found.toSorted((one, other) => other.agreeing - one.agreeing);
  // Columns with equal values are not rivals: some banks write the booked and the available balance, which are equal if nothing is
  // pending.
  const hasRival = others.some(
    ({ position, agreeing }) =>
      agreeing === best?.agreeing && rows.some((cells) => amountAt(cells, position) !== amountAt(cells, best.position)),
  );
  return hasRival ? undefined : best?.position;
}

function isAvailable(header: string | undefined): boolean {
  return availableBalanceHeaders.has(headerWords(header ?? ''));
}

function hasOnlyCurrencies(rows: readonly (readonly string[])[], position: number): boolean {
  const filled = rows.map((cells) => cells[position]?.trim() ?? '').filter((cell) => cell !== '');
  return filled.length > 0 && filled.every(isCurrencyCode);
}

/**
 * Returns how many differences between consecutive balances equal the amount of the newer row. Counts for both orders of the rows
 * (oldest first, newest first), and returns the larger number.
 */
function countAgreeing(values: readonly (bigint | undefined)[], moves: readonly (bigint | undefined)[]): number {
  const differences = values.slice(1).map((value, row) => difference(value, values[row]));
  const count = (newerOffset: 0 | 1) =>
    differences.filter((moved, row) => moved !== undefined && moved === moves[row + newerOffset]).length;
  return Math.max(count(0), count(1));
}

function absolute(value: bigint | undefined): bigint | undefined {
  return value !== undefined && value < 0n ? -value : value;
}

function difference(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  return one === undefined || other === undefined ? undefined : absolute(one - other);
}

/** Returns whether a column is the running sum of another column, and therefore a balance. */
export function isRunningSum(
  header: string,
  file: { readonly headers: readonly string[]; readonly rows: readonly (readonly string[])[] },
): boolean {
  const rows = file.rows.filter((cells) => cells.some(isDateCell) && cells.some(isAmountCell));
  const columns = nameColumns(file.headers).map((name, index) => ({
    name,
    values: rows.map((cells) => readValue(cells[index]?.trim() ?? '')),
  }));
  const balances = columns.filter(({ name }) => name === header);
  // Columns of zeros are excluded, because every column that never changes would be the running sum of such a column.
  const moves = columns.filter(({ name, values }) => name !== header && values.some((value) => (value ?? 0n) !== 0n));
  return moves.some(({ values }) => explainsBalance(values, balances));
}

/**
 * Yields the rows. If a row does not show its direction, the balances decide: balance after = balance before ± amount. Such a row fails if
 * one of the two balances is missing, or its amount is not their difference. A row that shows its direction fails if the balances show the
 * opposite direction. It also fails if one of the two balances is missing and the debit/credit code of the row is doubtful, as described
 * at `describeContradictedCode`.
 *
 * @param order the order of the rows: with `oldest first`, the balance before a row is in the row above it; with `newest first`, it is in
 *   the row below it
 */
export async function* decideByBalance(
  rows: AsyncIterable<CsvRow>,
  { order, signCounts }: { readonly order: BalanceOrder; readonly signCounts: PlaceSignCounts },
): AsyncGenerator<CsvRow> {
  let above: CsvRow | undefined;
  for await (const row of rows) {
    if (order === 'oldest first') yield decide(row, above, signCounts);
    else if (above !== undefined) yield decide(above, row, signCounts);
    above = row;
  }
  if (order === 'newest first' && above !== undefined) yield decide(above, undefined, signCounts);
}

function decide(row: CsvRow, older: CsvRow | undefined, signCounts: PlaceSignCounts): CsvRow {
  if (row.row.outcome !== 'transaction') return row;
  const { line, transaction } = row.row;
  const failure = (reason: string): CsvRow => ({ ...row, row: { line, outcome: 'failure', reason }, fee: undefined });
  const before = older === undefined || !sharesBalance(row, older) ? undefined : older.balance;
  const question = row.undecided ?? describeContradictedCode(transaction.direction, signCounts);
  if (before === undefined || row.balance === undefined) {
    if (question === undefined) return row;
    const missing = before === undefined ? 'the previous balance is unknown' : 'it has no balance';
    return failure(`${question}, and ${missing}: record it manually`);
  }
  if (row.undecided === undefined) {
    const opposite = transaction.direction === 'expense' ? transaction.amountDecimal : `-${transaction.amountDecimal}`;
    return addDecimals([before, opposite]) === row.balance
      ? failure(`its columns say ${transaction.direction}, and the balance goes from ${before} to ${row.balance}`)
      : row;
  }
  const moved = addDecimals([row.balance, negate(before)]);
  const direction = directionOfChange(moved);
  if (moved.replace('-', '') !== transaction.amountDecimal) {
    return failure(`${row.undecided}, and the balance goes from ${before} to ${row.balance}`);
  }
  const merchantName = row.merchants?.[direction] ?? null;
  return { ...row, row: { ...row.row, transaction: { ...transaction, direction, merchantName } } };
}

/**
 * Returns the reason why a debit/credit code (a cell such as `D` or `C`) is doubtful: the signs of the amounts with a code for `direction`
 * are mixed. They are mixed if more than 10 % of these amounts have a minus, and more than 10 % have no minus. Returns undefined if they
 * are not mixed.
 */
function describeContradictedCode(direction: StatementDirection, signCounts: PlaceSignCounts): string | undefined {
  const { minus, plus, none } = signCounts[direction === 'expense' ? 'expense-code' : 'income-code'];
  const isUsual = 10 * Math.min(minus, plus + none) <= minus + plus + none;
  return isUsual ? undefined : `the signs of ${direction}s are mixed`;
}

/** Returns whether two rows have the same account and currency. Also returns true if one of them is not a transaction. */
function sharesBalance(one: CsvRow, other: CsvRow): boolean {
  if (one.row.outcome !== 'transaction' || other.row.outcome !== 'transaction') return true;
  const [first, second] = [one.row.transaction, other.row.transaction];
  return first.accountName === second.accountName && first.currencyCode === second.currencyCode;
}

/**
 * Returns the order of the rows, if the balances fit this order. The days of the first and the last row show the order. If these days are
 * equal, the order is the one that more balances fit. A balance fits if it is the previous balance plus or minus the amount. Returns
 * undefined if one of these is true:
 * - at most half of the balances fit the order;
 * - the balances are those of a debt;
 * - the first and the last row have the same day, and both orders fit equally.
 *
 * @throws StatementError if only the balances show the directions of the rows (`decidesAll`), and one of these is true: a balance does not
 *   fit, or the balances may be those of a debt
 */
export async function findBalanceOrder(
  rows: AsyncIterable<CsvRow>,
  { decidesAll, balanceHeader }: { readonly decidesAll: boolean; readonly balanceHeader: string },
): Promise<BalanceOrder | undefined> {
  const orders = { 'oldest first': new OrderCheck(), 'newest first': new OrderCheck() };
  const days: string[] = [];
  let above: CsvRow | undefined;
  for await (const row of rows) {
    if (row.row.outcome === 'transaction') days[days.length === 0 ? 0 : 1] = row.row.transaction.occurredOn;
    if (above !== undefined && sharesBalance(row, above)) {
      orders['oldest first'].add(row, above);
      orders['newest first'].add(above, row);
    }
    above = row;
  }
  const [first = '', last = first] = days;
  const [down, up] = [orders['oldest first'], orders['newest first']];
  if (down.agreeing === up.agreeing && first === last) return undefined;
  // Some columns have the balance before each row instead of after it. A difference of two such balances equals the amount of the
  // neighbouring row, as if the rows were in the opposite order. So the days decide the order, unless the first and the last day are
  // the same.
  const isDown = first === last ? down.agreeing > up.agreeing : first < last;
  const best = isDown ? down : up;
  if (2 * best.agreeing <= best.total) return undefined;
  // A debt grows with each expense, so its balance shows the opposite direction for nearly all rows.
  if (best.opposite > 4 * best.same) return undefined;
  if (decidesAll && best.contradiction !== undefined) {
    throw new StatementError(
      `No amount has a sign, and the balance column contradicts ${best.contradiction}.`,
      'Look for a missing row, a row that is in the file twice, or a wrong column. If all amounts are expenses, use --ignore-balance and --all-expenses. If all are incomes, use --ignore-balance and --all-incomes.',
    );
  }
  const debt = namesDebt(balanceHeader) ? `its header is "${balanceHeader.trim()}"` : best.describePossibleDebt();
  if (decidesAll && debt !== undefined) {
    throw new StatementError(
      `No amount has a sign, and the balance may be that of a debt: ${debt}.`,
      'Put the purchases and the payments into two files. Import them with --ignore-balance, and with --all-expenses or --all-incomes.',
    );
  }
  return isDown ? 'oldest first' : 'newest first';
}

/** Counts the rows whose amount is the difference of two consecutive balances, for one of the two possible orders of the rows. */
class OrderCheck {
  agreeing = 0;
  total = 0;
  /** The number of rows whose direction is known and agrees with the balance. */
  same = 0;
  /** The number of rows whose direction is known and contradicts the balance. */
  opposite = 0;
  contradiction: string | undefined;
  #rising = 0;
  #falling = 0;
  /**
   * Whether the balance becomes larger in a row whose text says that a payment was received, or names a refund. The balance of a debt
   * would become smaller in such a row.
   */
  #hasIncome = false;
  /** A row whose text says that a payment was received, or names a refund, although the balance becomes smaller. */
  #fallingPayment: string | undefined;
  /** A row in which the balance becomes smaller, and whose text may name either a payment to a card or an expense. */
  #possiblePayment: string | undefined;

  add(row: CsvRow, older: CsvRow): void {
    if (row.balance === undefined || older.balance === undefined) return;
    const moved = addDecimals([row.balance, negate(older.balance)]);
    // A row that is not a transaction, such as one with an amount of zero, proves nothing.
    const amount = amountOf(row.row);
    if (amount === undefined) return;
    this.total += 1;
    if (moved.replace('-', '') === amount) {
      this.agreeing += 1;
      if (row.undecided !== undefined) {
        this.#addUndecided(row, directionOfChange(moved));
      } else if (directionOf(row) === directionOfChange(moved)) this.same += 1;
      else this.opposite += 1;
    } else
      this.contradiction ??= `line ${row.row.line}: balance ${older.balance} before, amount ${amount}, balance ${row.balance} after`;
  }

  #addUndecided(row: CsvRow, change: StatementDirection): void {
    const text = textOf(row);
    if (change === 'income') {
      this.#rising += 1;
      this.#hasIncome ||= isReceivedPayment(text) || namesRefund(text);
      return;
    }
    this.#falling += 1;
    const found = `line ${row.row.line} ("${text}")`;
    if (isReceivedPayment(text) || namesRefund(text)) this.#fallingPayment ??= found;
    else if (isReceivedByCard(text)) this.#possiblePayment ??= found;
  }

  /**
   * Returns the reason why the balance may be that of a debt; undefined if there is none. The possible reasons are:
   * - The balance becomes smaller in a row whose text says that a payment was received, or names a refund.
   * - The balance becomes larger in most rows, and becomes smaller in a row that may be a payment to a card or an expense.
   * - There are at least two rows, and the balance becomes larger in all of them. No text says that a payment was received, or names a
   *   refund.
   */
  describePossibleDebt(): string | undefined {
    const found = this.#fallingPayment ?? (this.#rising > this.#falling ? this.#possiblePayment : undefined);
    if (found !== undefined) return `it becomes smaller in ${found}`;
    return this.#rising > 1 && this.#falling === 0 && !this.#hasIncome
      ? `it becomes larger in all ${this.#rising} rows`
      : undefined;
  }
}

function directionOfChange(moved: string): StatementDirection {
  return moved.startsWith('-') ? 'expense' : 'income';
}

function directionOf({ row }: CsvRow): StatementDirection | undefined {
  return row.outcome === 'transaction' ? row.transaction.direction : undefined;
}

function textOf({ row }: CsvRow): string {
  if (row.outcome !== 'transaction') return '';
  return row.transaction.description ?? row.transaction.merchantName ?? '';
}

function amountOf(row: StatementRow): string | undefined {
  return row.outcome === 'transaction' ? row.transaction.amountDecimal : undefined;
}

function negate(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/**
 * Returns a copy of `codes` with the two codes of a column added, one for expenses and one for incomes. The balance shows which rows are
 * expenses and which are incomes. Returns undefined unless all expenses have one code, and all incomes have another code.
 */
export async function addDirectionCodes(
  rows: AsyncIterable<CsvRow>,
  { position, codes }: { readonly position: number; readonly codes: DirectionCodes },
): Promise<DirectionCodes | undefined> {
  const found = { expense: new Set<string>(), income: new Set<string>() };
  for await (const { row, cells } of rows) {
    if (row.outcome === 'transaction') found[row.transaction.direction].add(canonicalCode(cells[position] ?? ''));
  }
  const [expense, income] = [[...found.expense], [...found.income]];
  if (expense.length !== 1 || income.length !== 1 || expense[0] === income[0]) return undefined;
  return { expense: new Set([...codes.expense, ...expense]), income: new Set([...codes.income, ...income]) };
}
