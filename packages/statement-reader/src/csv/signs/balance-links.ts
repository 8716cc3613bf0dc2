import { addDecimals, describeAmount } from '../../totals.js';

/** A row with the balance after it. The balance is a decimal string, with a minus below zero. */
export interface LinkedRow {
  readonly line: number;
  /** `YYYY-MM-DD`. */
  readonly occurredOn: string;
  /** Identifies the account and the currency of the row. Rows with the same value form a chain: they share one running balance. */
  readonly chain: string;
  readonly balance: string;
  readonly currencyCode: string | null;
}

/** The days of the oldest and the newest balance of a chain. */
export interface ChainDays {
  readonly first: string;
  readonly last: string;
}

/**
 * The open balances of all chains. If all balances agree with the amounts and the file has no gaps, the only open balances are the opening
 * and the closing balance of each chain.
 */
export class BalanceLinks {
  readonly #open = new Map<string, OpenBalance>();
  readonly #ends = new Map<string, ChainEnds>();
  #openBefore = 0;
  #isTooLong = false;

  add(row: LinkedRow, before: string): void {
    if (this.#isTooLong) return;
    const after = addDecimals([row.balance]);
    this.#change(row, { balance: before, by: 1 });
    this.#change(row, { balance: after, by: -1 });
    this.#addToEnds(row, { before, after });
    if (this.#open.size > openBalancesMax) this.#isTooLong = true;
  }

  /**
   * The number of rows for which the balance before the row is not the balance after another row; infinite if there are more than
   * `openBalancesMax` open balances.
   */
  get openCount(): number {
    return this.#isTooLong ? Number.POSITIVE_INFINITY : this.#openBefore;
  }

  /** The chains whose only open balances are the opening and the closing balance, with the days of these balances. */
  get completeChains(): ReadonlyMap<string, ChainDays> {
    const openOf = new Map<string, OpenBalance[]>();
    if (this.#isTooLong) return new Map();
    for (const open of this.#open.values()) {
      const known = openOf.get(open.chain);
      if (known === undefined) openOf.set(open.chain, [open]);
      else known.push(open);
    }
    const complete = [...openOf].filter(([, open]) => open.length === 2 && Math.abs(open[0]?.count ?? 0) === 1);
    return new Map(
      complete.map(([chain, open]) => {
        const [first = '', last = ''] = open.map(({ occurredOn }) => occurredOn).toSorted();
        return [chain, { first, last }];
      }),
    );
  }

  /**
   * Whether, in some chain, the opening balance belongs to a row of the newest day, and the closing balance to a row of the oldest day.
   * This distinguishes a column with the balance before each row from a column with the balance of a debt. Both fit the amounts if expenses
   * and incomes are swapped. But only if the column has the balance before each row, the opening balance then belongs to the newest row,
   * and the closing balance to the oldest row.
   */
  get goesBackInTime(): boolean {
    const open = [...this.#open.values()];
    return open.some(
      (opening) =>
        opening.count === 1 &&
        open.filter(({ chain }) => chain === opening.chain).length === 2 &&
        open.some(
          (closing) =>
            closing.chain === opening.chain &&
            closing.count === -1 &&
            opening.occurredOn > closing.occurredOn &&
            this.#ends.get(opening.chain)?.newestBefore.has(opening.balance) === true &&
            this.#ends.get(opening.chain)?.oldestAfter.has(closing.balance) === true,
        ),
    );
  }

  /** Text for a message: the first two balances that contradict each other, with their lines; undefined if there are none. */
  get contradiction(): string | undefined {
    const open = [...this.#open.values()].toSorted((one, other) => one.line - other.line);
    const broken = open.find(
      ({ chain }) => open.filter((other) => other.chain === chain && other.count > 0).length > 1,
    );
    const ofChain = open.filter(({ chain }) => chain === broken?.chain);
    const [befores, afters] = [ofChain.filter(({ count }) => count > 0), ofChain.filter(({ count }) => count < 0)];
    const [first, last] = [ofChain[0]?.occurredOn ?? '', ofChain.at(-1)?.occurredOn ?? ''];
    const isOldestFirst = first === last ? (befores[0]?.line ?? 0) <= (afters[0]?.line ?? 0) : first < last;
    // Skips the opening balance, which is before the oldest row, and the closing balance, which is after the newest row.
    const before = isOldestFirst ? befores[1] : befores.at(-2);
    const after = isOldestFirst ? afters[0] : afters.at(-1);
    if (before === undefined || after === undefined) return undefined;
    const [needed, found] = [before, after].map(({ balance, currencyCode }) => describeAmount(balance, currencyCode));
    return `the balance before line ${before.line} must be ${needed}, but the balance after line ${after.line} is ${found}`;
  }

  #addToEnds({ chain, occurredOn }: LinkedRow, { before, after }: { before: string; after: string }): void {
    let ends = this.#ends.get(chain);
    if (ends === undefined) {
      ends = { oldestDay: occurredOn, oldestAfter: new Set(), newestDay: occurredOn, newestBefore: new Set() };
      this.#ends.set(chain, ends);
    }
    if (occurredOn < ends.oldestDay) [ends.oldestDay, ends.oldestAfter] = [occurredOn, new Set()];
    if (occurredOn > ends.newestDay) [ends.newestDay, ends.newestBefore] = [occurredOn, new Set()];
    if (occurredOn === ends.oldestDay && ends.oldestAfter.size < openBalancesMax) ends.oldestAfter.add(after);
    if (occurredOn === ends.newestDay && ends.newestBefore.size < openBalancesMax) ends.newestBefore.add(before);
  }

  #change(row: LinkedRow, { balance, by }: { balance: string; by: 1 | -1 }): void {
    const { chain, line, occurredOn, currencyCode } = row;
    const key = `${chain}\n${balance}`;
    const known = this.#open.get(key);
    const countBefore = known?.count ?? 0;
    const count = countBefore + by;
    this.#openBefore += Math.max(0, count) - Math.max(0, countBefore);
    if (count === 0) this.#open.delete(key);
    else if (known === undefined) this.#open.set(key, { chain, balance, line, occurredOn, currencyCode, count });
    else known.count = count;
  }
}

/** The maximum number of open balances, to limit the memory for a file whose balances do not fit its amounts. */
const openBalancesMax = 10_000;

/**
 * A balance without a counterpart. One of these is true:
 *
 * - It is the balance before a row, and not the balance after another row.
 * - It is the balance after a row, and not the balance before another row.
 */
interface OpenBalance extends LinkedRow {
  /** The number of rows with this balance. Positive if this is the balance before the rows, negative if it is the balance after them. */
  count: number;
}

/** The balances after the rows of the oldest day of a chain, and before the rows of its newest day. */
interface ChainEnds {
  oldestDay: string;
  oldestAfter: Set<string>;
  newestDay: string;
  newestBefore: Set<string>;
}
