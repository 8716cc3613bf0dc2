import { addDecimals } from '../../totals.js';
import type { Period } from '../../values/periods.js';
import type { FoundBalance, TotalMention } from '../plan/balance-search.js';
import type { BalanceLines } from '../plan/plan.js';
import type { CsvRow } from '../row/row.js';

/** A row that names or mentions a balance. */
interface Candidate {
  readonly line: number;
  readonly text: string;
  /** The amount of the row, read as if the row were a transaction; negative for an expense. */
  readonly amount: string;
  readonly balance: string | undefined;
  /** Whether a cell consists of the name of a balance. If false, a cell only mentions a balance. */
  readonly isNamed: boolean;
  /** Whether the row has no text except the name of a specific balance, such as the opening balance. */
  readonly isPlain: boolean;
  /** The nearest row above that may be a payment. */
  readonly above: CsvRow | undefined;
}

/**
 * Finds the rows that are balances or totals, and not transactions. A row that names a balance is left out if one of these is true:
 *
 * - Its amount is zero.
 * - Its amount equals the balance in the same row, and the nearest payment above or below has the same balance.
 * - The rows between this row and another balance add up to the difference of the two balances.
 * - The row has no text except the name of a specific balance, such as the opening balance. The row is above the first payment or below
 *   the last payment, and its amount fits. In a file without a balance column, the amount fits if the row, read as a transaction, is an
 *   income. In a file with a balance column, the amount must be the balance before or after the nearest payment.
 *
 * A row that only mentions a balance may be a payment, for example to the merchant "New Balance". Such a row is left out only if the second
 * condition in the list above is true. It is in doubt, and therefore fails, if it could be the balance at the beginning or the end of the
 * file. It is also in doubt if the rows between it and another balance add up to the difference of the two balances.
 *
 * A row that names a total is a total only if its amount is the sum of at least two rows above it. The sum may be that of all rows, of all
 * expenses or of all incomes. The sum begins after the nearest balance or the nearest total above the row. If no balance is above the row,
 * the sum may also begin at the first row of the file. A sum of one row is enough if the row names a turnover (the sum of all debits or
 * credits), a monthly total or the total of all expenses, because no merchant has such a name. A total of zero needs no proof.
 *
 * A row that only mentions a total may be a total, such as "Total Food", or a payment to a merchant, such as "Total Energies". Such a row
 * is in doubt if its amount is the sum of at least two rows, as above. One row is enough if the only text of the row names an amount to
 * pay, such as "Rechnungsbetrag", and no such row above it is a payment. But if the balance of the row differs from the balance in the row
 * above, it moved money and is a payment.
 *
 * A row whose only text is a period, such as "March", is in doubt if its amount is the sum of the rows since the last total of the same
 * kind of period, for example the total of February. This applies only if at least one such sum in the file has two rows or more. But
 * here too, the row is a payment if its balance differs from the balance in the row above.
 *
 * @param rows all rows of the file; rows that name a balance or a total have the outcome `failure`
 * @param file.findMention returns the first cell that mentions a balance; undefined if there is none
 */
export async function findBalanceLines(
  rows: AsyncIterable<CsvRow>,
  file: {
    readonly hasBalanceColumn: boolean;
    readonly findMention: (cells: readonly string[]) => string | undefined;
    readonly findTotalMention: (cells: readonly string[]) => TotalMention | undefined;
    /** Returns the period that a row names; undefined if the row has another text or names no period. */
    readonly findPeriod: (cells: readonly string[]) => { readonly text: string; readonly period: Period } | undefined;
  },
): Promise<BalanceLines> {
  const leftOut = new Map<number, string>();
  const inDoubt = new Map<number, Pick<FoundBalance, 'text' | 'kind'>>();
  /** Counts only rows that name a balance as balances. */
  const betweenNamed = new SumBetweenBalances();
  /** Also counts rows that only mention a balance as balances. */
  const betweenAll = new SumBetweenBalances();
  let sumsSinceBalance = new SideSums();
  let sumsSinceTotal = new SideSums();
  const periods = new PeriodTotals();
  /** Whether a row above names an amount to pay and is read as a payment. The next such row may be an equal payment. */
  let hasPaidAmount = false;
  let above: CsvRow | undefined;
  // Possible balances since the last payment. They can be judged only when the next payment is known.
  let candidates: Candidate[] = [];
  const leaveOut = ({ line, text }: Candidate) => {
    if (leftOut.size < linesMax) leftOut.set(line, `it is a balance ("${text}")`);
  };
  const decideCandidates = (below: CsvRow | undefined) => {
    for (const candidate of candidates) {
      const verdict = candidate.isNamed
        ? isLeftOut(candidate, { ...file, below, candidates }) && 'left out'
        : judgeMention(candidate, below);
      if (verdict === 'left out') leaveOut(candidate);
      else if (verdict === 'in doubt') inDoubt.set(candidate.line, { text: candidate.text, kind: 'balance' });
    }
    candidates = [];
  };
  const isSum = (amount: string, rowsMin: number) =>
    sumsSinceBalance.isTotal(amount, { rowsMin }) || sumsSinceTotal.isTotal(amount, { rowsMin });
  for await (const row of rows) {
    if (row.row.outcome === 'skipped') continue;
    if (row.totalLine !== undefined) {
      const { text, amount, isPlain } = row.totalLine;
      const isTotal = !changesBalance(row, above) && (unsigned(amount) === '0' || isSum(amount, isPlain ? 1 : 2));
      if (isTotal && leftOut.size < linesMax) leftOut.set(row.row.line, `it is a total ("${text}")`);
      sumsSinceTotal = new SideSums();
      continue;
    }
    const isMoved = changesBalance(row, above);
    const total = isMoved ? undefined : file.findTotalMention(row.cells);
    const amount = signedAmount(row);
    if (total !== undefined && amount !== undefined && isSum(amount, hasPaidAmount ? 2 : total.rowsMin)) {
      if (inDoubt.size < linesMax) inDoubt.set(row.row.line, { text: total.text, kind: 'total' });
      sumsSinceTotal = new SideSums();
      continue;
    }
    hasPaidAmount ||= total?.rowsMin === 1;
    const period = isMoved || amount === undefined ? undefined : file.findPeriod(row.cells);
    if (periods.add(row, { ...period, amount }) === 'total') continue;
    const candidate = toCandidate(row, { above, mention: file.findMention(row.cells) });
    const isNamed = candidate?.isNamed === true;
    if (isNamed) [sumsSinceBalance, sumsSinceTotal] = [new SideSums(), new SideSums()];
    else {
      sumsSinceBalance.add(row);
      sumsSinceTotal.add(row);
    }
    // A row that only mentions a balance may also be a payment.
    if (!isNamed) {
      decideCandidates(row);
      above = row;
    }
    if (candidate !== undefined && candidates.length < candidatesMax) candidates.push(candidate);
    for (const proven of isNamed ? betweenNamed.addBalance(candidate) : betweenNamed.addPayment(row)) {
      leaveOut(proven);
    }
    for (const proven of candidate === undefined ? betweenAll.addPayment(row) : betweenAll.addBalance(candidate)) {
      if (inDoubt.size < linesMax) inDoubt.set(proven.line, { text: proven.text, kind: 'balance' });
    }
  }
  decideCandidates(undefined);
  for (const [line, text] of periods.totals) inDoubt.set(line, { text, kind: 'total' });
  return { leftOut, inDoubt };
}

/** The maximum number of consecutive possible balances that are stored, to limit the memory. A statement has few of them. */
const candidatesMax = 20;
/**
 * The maximum size of two lists, to limit the memory: the rows that are left out, and the rows that are in doubt. Further rows that
 * name a balance or a total fail. Further rows that only mention a balance or a total are read as transactions.
 */
const linesMax = 100_000;

function toCandidate(
  { row, balanceLine, balance }: CsvRow,
  { above, mention }: { above: CsvRow | undefined; mention: string | undefined },
): Candidate | undefined {
  const shared = { line: row.line, balance, above };
  if (balanceLine !== undefined) return { ...shared, ...balanceLine, isNamed: true };
  const amount = signedAmount({ row });
  if (mention === undefined || amount === undefined) return undefined;
  return { ...shared, text: mention, amount, isNamed: false, isPlain: false };
}

/** Returns the amount of a transaction, negative for an expense; undefined for other rows. */
function signedAmount({ row }: Pick<CsvRow, 'row'>): string | undefined {
  if (row.outcome !== 'transaction') return undefined;
  const { direction, amountDecimal } = row.transaction;
  return direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
}

/** Returns whether a row moved money: its balance differs from the balance of the row above. */
function changesBalance({ balance }: CsvRow, above: CsvRow | undefined): boolean {
  return balance !== undefined && above?.balance !== undefined && balance !== above.balance;
}

function isLeftOut(
  candidate: Candidate,
  file: {
    readonly hasBalanceColumn: boolean;
    readonly below: CsvRow | undefined;
    readonly candidates: readonly Candidate[];
  },
): boolean {
  const { amount, balance, isPlain, above } = candidate;
  const { below, candidates } = file;
  if (unsigned(amount) === '0' || isUnchanged(candidate, below)) return true;
  if (!isPlain || (above !== undefined && below !== undefined)) return false;
  if (!file.hasBalanceColumn) return !amount.startsWith('-');
  if (balance !== undefined && unsigned(balance) !== unsigned(amount)) return false;
  const neighbor = above ?? below;
  // If there is no payment, the opening and the closing balance are equal.
  if (neighbor === undefined) return candidates.length > 1 && candidates.every((other) => other.amount === amount);
  return balancesAround(neighbor).includes(unsigned(amount));
}

/** Returns whether a row that only mentions a balance is left out or in doubt; undefined if it is a payment. */
function judgeMention(candidate: Candidate, below: CsvRow | undefined): 'left out' | 'in doubt' | undefined {
  const { amount, balance, above } = candidate;
  if (balance === undefined || unsigned(balance) !== unsigned(amount)) return undefined;
  if (isUnchanged(candidate, below)) return 'left out';
  const isAtEnd = above === undefined || below === undefined;
  const isCounted = [above, below].some(
    (row) => row?.balance !== undefined && addDecimals([row.balance, amount]) === addDecimals([balance]),
  );
  return isAtEnd && !isCounted ? 'in doubt' : undefined;
}

/** Returns whether the amount of a row equals its balance and the balance of the row above or below it. */
function isUnchanged({ amount, balance, above }: Candidate, below: CsvRow | undefined): boolean {
  if (balance === undefined || unsigned(balance) !== unsigned(amount)) return false;
  return [above, below].some(
    (row) => row?.balance !== undefined && addDecimals([row.balance, negate(balance)]) === '0',
  );
}

/** Returns the balance after a transaction and the two possible balances before it (one for each direction), all unsigned. */
function balancesAround({ row, balance }: CsvRow): readonly string[] {
  if (balance === undefined || row.outcome !== 'transaction') return [];
  const { amountDecimal } = row.transaction;
  return ['0', amountDecimal, `-${amountDecimal}`].map((moved) => unsigned(addDecimals([balance, moved])));
}

/** Adds up the expenses and the incomes, to check totals. */
class SideSums {
  readonly #sums = { expense: '0', income: '0' };
  readonly #counts = { expense: 0, income: 0 };
  #isKnown = true;

  add({ row }: CsvRow): void {
    if (row.outcome !== 'transaction') this.#isKnown = false;
    else {
      const { direction, amountDecimal } = row.transaction;
      this.#sums[direction] = addDecimals([this.#sums[direction], amountDecimal]);
      this.#counts[direction] += 1;
    }
  }

  /** Returns whether an amount is the sum of all expenses, of all incomes or of all rows, and at least `rowsMin` rows are in this sum. */
  isTotal(amount: string, { rowsMin }: { readonly rowsMin: number }): boolean {
    const { expense, income } = this.#sums;
    const total = unsigned(amount);
    const isSumOf = (direction: 'expense' | 'income') =>
      this.#counts[direction] >= rowsMin && total === unsigned(this.#sums[direction]);
    const isNet =
      this.#counts.expense + this.#counts.income >= rowsMin &&
      total === unsigned(addDecimals([income, negate(expense)]));
    return this.#isKnown && (isSumOf('expense') || isSumOf('income') || isNet);
  }
}

/** Finds the rows that name a period and whose amount is the sum of the rows since the last total of the same kind of period. */
class PeriodTotals {
  readonly #sums: Record<Period, SideSums> = {
    week: new SideSums(),
    month: new SideSums(),
    quarter: new SideSums(),
    year: new SideSums(),
  };
  /** Maps the line of each possible total to its text. */
  readonly #found = new Map<number, string>();
  #isProven = false;

  /**
   * Adds a row. Returns `total` if the row names a period and its amount is the sum of at least two rows since the last total of this kind
   * of period. If the sum has only one row, returns undefined, because the added row may be a payment.
   */
  add(
    row: CsvRow,
    {
      text = '',
      period,
      amount = '',
    }: { readonly text?: string; readonly period?: Period; readonly amount: string | undefined },
  ): 'total' | undefined {
    const isTotal = (rowsMin: number) => period !== undefined && this.#sums[period].isTotal(amount, { rowsMin });
    const isOfSeveral = isTotal(2);
    if (period === undefined || !isTotal(1)) {
      for (const sums of Object.values(this.#sums)) sums.add(row);
      return undefined;
    }
    this.#sums[period] = new SideSums();
    this.#isProven ||= isOfSeveral;
    if (this.#found.size < linesMax) this.#found.set(row.row.line, text);
    return isOfSeveral ? 'total' : undefined;
  }

  /** The line and the text of each total; empty if no total is the sum of at least two rows. */
  get totals(): ReadonlyMap<number, string> {
    return this.#isProven ? this.#found : new Map();
  }
}

/**
 * Adds up the payments between two balances. Both balances are proven if the sum is their difference. The sign of the difference does not
 * matter, because the first row of the file may be the oldest or the newest.
 */
class SumBetweenBalances {
  /** The last balance, and equal balances directly above it. */
  #last: Candidate[] = [];
  #isLastProven = false;
  #sum = '0';
  #count = 0;
  #chain: string | undefined;
  #isKnown = true;

  /**
   * Adds a row between balances. Returns an empty list, because only the next balance completes the proof. If a row between
   * two balances cannot be read, or if the rows between them have different accounts or currencies, the sum proves nothing.
   */
  addPayment({ row }: CsvRow): readonly Candidate[] {
    if (this.#last.length === 0) return [];
    this.#count += 1;
    if (row.outcome !== 'transaction') this.#isKnown = false;
    else {
      const { direction, amountDecimal, accountName, currencyCode } = row.transaction;
      const chain = JSON.stringify([accountName, currencyCode]);
      if (this.#chain !== undefined && this.#chain !== chain) this.#isKnown = false;
      this.#chain = chain;
      this.#sum = addDecimals([this.#sum, direction === 'expense' ? `-${amountDecimal}` : amountDecimal]);
    }
    return [];
  }

  /**
   * Adds a balance. The sum since the previous balance may prove both balances. A balance is also proven if it is directly below an equal
   * balance that is proven. If the balances are proven, returns this balance, the previous one, and the equal balances directly above
   * the previous one. If not, returns an empty list.
   */
  addBalance(balance: Candidate): readonly Candidate[] {
    const last = this.#last;
    const moved = last[0] === undefined ? '' : addDecimals([balance.amount, negate(last[0].amount)]);
    const isRepeated = this.#count === 0 && moved === '0';
    const isSum = this.#count > 0 && this.#isKnown && (moved === this.#sum || moved === negate(this.#sum));
    this.#isLastProven = isSum || (isRepeated && this.#isLastProven);
    this.#last = isRepeated ? [...last, balance].slice(-candidatesMax) : [balance];
    this.#sum = '0';
    this.#count = 0;
    this.#chain = undefined;
    this.#isKnown = true;
    return this.#isLastProven ? [...last, balance] : [];
  }
}

function unsigned(amount: string): string {
  return addDecimals([amount]).replace('-', '');
}

function negate(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
