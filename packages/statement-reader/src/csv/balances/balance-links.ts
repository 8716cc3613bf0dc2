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
 * The unmatched balances of all chains. If all balances agree with the amounts and the file has no gaps, the only unmatched balances are
 * the opening and the closing balance of each chain.
 */
export class BalanceLinks {
  readonly #unmatched = new Map<string, UnmatchedBalance>();
  readonly #ends = new Map<string, ChainEnds>();
  #unmatchedBefore = 0;
  #isTooLong = false;

  add(row: LinkedRow, before: string): void {
    if (this.#isTooLong) return;
    const after = addDecimals([row.balance]);
    this.#change(row, { balance: before, by: 1 });
    this.#change(row, { balance: after, by: -1 });
    this.#addToEnds(row, { before, after });
    if (this.#unmatched.size > unmatchedBalancesMax) this.#isTooLong = true;
  }

  /**
   * The number of rows for which the balance before the row is not the balance after another row; infinite if there are more than
   * `unmatchedBalancesMax` unmatched balances.
   */
  get unmatchedCount(): number {
    return this.#isTooLong ? Number.POSITIVE_INFINITY : this.#unmatchedBefore;
  }

  /**
   * The opening balances that cannot be one: they are before a row that leaves the balance unchanged, and this row is neither on the oldest
   * day nor the first or the last row of the chain in the file. Only chains with one opening balance count: the others contradict their
   * amounts anyway.
   */
  get misplacedOpenings(): readonly LinkedRow[] {
    const openings = [...this.#unmatched.values()].filter(({ count }) => count > 0);
    return openings.filter(({ chain, balance, count }) => {
      const ends = this.#ends.get(chain);
      const isOnly = count === 1 && !openings.some((other) => other.chain === chain && other.balance !== balance);
      const isEnd = ends?.oldestBefore.has(balance) || ends?.firstBefore === balance || ends?.lastBefore === balance;
      return !this.#isTooLong && isOnly && !isEnd && ends?.unchangedBefore.has(balance) === true;
    });
  }

  /** The chains whose only unmatched balances are the opening and the closing balance, with the days of these balances. */
  get completeChains(): ReadonlyMap<string, ChainDays> {
    const unmatchedOf = new Map<string, UnmatchedBalance[]>();
    if (this.#isTooLong) return new Map();
    for (const balance of this.#unmatched.values()) {
      const known = unmatchedOf.get(balance.chain);
      if (known === undefined) unmatchedOf.set(balance.chain, [balance]);
      else known.push(balance);
    }
    const complete = [...unmatchedOf].filter(
      ([, balances]) => balances.length === 2 && Math.abs(balances[0]?.count ?? 0) === 1,
    );
    return new Map(
      complete.map(([chain, balances]) => {
        const [first = '', last = ''] = balances.map(({ occurredOn }) => occurredOn).toSorted();
        return [chain, { first, last }];
      }),
    );
  }

  /**
   * Whether, in some chain, the opening balance belongs to a row of the newest day, and the closing balance to a row of the oldest day.
   * This distinguishes a column with the balance before each row from a column with the balance of a debt. Both fit the amounts only if
   * expenses and incomes are swapped. With this swap, only the column with the balance before each row begins at its newest row.
   */
  get goesBackInTime(): boolean {
    const unmatched = [...this.#unmatched.values()];
    return unmatched.some(
      (opening) =>
        opening.count === 1 &&
        unmatched.filter(({ chain }) => chain === opening.chain).length === 2 &&
        unmatched.some(
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
    const unmatched = [...this.#unmatched.values()].toSorted((one, other) => one.line - other.line);
    const broken = unmatched.find(
      ({ chain }) => unmatched.filter((other) => other.chain === chain && other.count > 0).length > 1,
    );
    const ofChain = unmatched.filter(({ chain }) => chain === broken?.chain);
    const [befores, afters] = [ofChain.filter(({ count }) => count > 0), ofChain.filter(({ count }) => count < 0)];
    const [first, last] = [ofChain[0]?.occurredOn ?? '', ofChain.at(-1)?.occurredOn ?? ''];
    const isOldestFirst = first === last ? (befores[0]?.line ?? 0) <= (afters[0]?.line ?? 0) : first < last;
    // Skips the opening balance, which is before the oldest row, and the closing balance, which is after the newest row.
    const before = isOldestFirst ? befores[1] : befores.at(-2);
    const after = isOldestFirst ? afters[0] : afters.at(-1);
    const [misplaced] = this.misplacedOpenings;
    if (misplaced !== undefined) {
      const needed = describeAmount(misplaced.balance, misplaced.currencyCode);
      return `the balance before line ${misplaced.line} must be ${needed}, but no row has this balance`;
    }
    if (before === undefined || after === undefined) return undefined;
    const [needed, found] = [before, after].map(({ balance, currencyCode }) => describeAmount(balance, currencyCode));
    return `the balance before line ${before.line} must be ${needed}, but the balance after line ${after.line} is ${found}`;
  }

  #addToEnds({ chain, occurredOn }: LinkedRow, { before, after }: { before: string; after: string }): void {
    let ends = this.#ends.get(chain);
    if (ends === undefined) {
      ends = {
        oldestDay: occurredOn,
        oldestBefore: new Set(),
        oldestAfter: new Set(),
        newestDay: occurredOn,
        newestBefore: new Set(),
        firstBefore: before,
        lastBefore: before,
        lastAfter: undefined,
        unchangedBefore: new Set(),
      };
      this.#ends.set(chain, ends);
    }
    if (after === ends.lastAfter && ends.unchangedBefore.size < unmatchedBalancesMax) {
      ends.unchangedBefore.add(ends.lastBefore).add(before);
    }
    [ends.lastBefore, ends.lastAfter] = [before, after];
    if (occurredOn < ends.oldestDay) {
      [ends.oldestDay, ends.oldestBefore, ends.oldestAfter] = [occurredOn, new Set(), new Set()];
    }
    if (occurredOn > ends.newestDay) [ends.newestDay, ends.newestBefore] = [occurredOn, new Set()];
    if (occurredOn === ends.oldestDay && ends.oldestAfter.size < unmatchedBalancesMax) {
      ends.oldestBefore.add(before);
      ends.oldestAfter.add(after);
    }
    if (occurredOn === ends.newestDay && ends.newestBefore.size < unmatchedBalancesMax) ends.newestBefore.add(before);
  }

  #change(row: LinkedRow, { balance, by }: { balance: string; by: 1 | -1 }): void {
    const { chain, line, occurredOn, currencyCode } = row;
    const key = `${chain}\n${balance}`;
    const known = this.#unmatched.get(key);
    const countBefore = known?.count ?? 0;
    const count = countBefore + by;
    this.#unmatchedBefore += Math.max(0, count) - Math.max(0, countBefore);
    if (count === 0) this.#unmatched.delete(key);
    else if (known === undefined) this.#unmatched.set(key, { chain, balance, line, occurredOn, currencyCode, count });
    else known.count = count;
  }
}

/** The maximum number of unmatched balances, to limit the memory for a file whose balances do not fit its amounts. */
const unmatchedBalancesMax = 10_000;

/**
 * A balance without a counterpart. One of these is true:
 *
 * - It is the balance before a row, and not the balance after another row.
 * - It is the balance after a row, and not the balance before another row.
 */
interface UnmatchedBalance extends LinkedRow {
  /** The number of rows that have this balance before them, minus the number of rows that have it after them. Never zero. */
  count: number;
}

/** The balances of the rows at the ends of a chain: of its oldest and its newest day, and of its first and its last row in the file. */
interface ChainEnds {
  oldestDay: string;
  oldestBefore: Set<string>;
  oldestAfter: Set<string>;
  newestDay: string;
  newestBefore: Set<string>;
  readonly firstBefore: string;
  lastBefore: string;
  lastAfter: string | undefined;
  /** The balances before rows that have the same balance after them as the row above or below. */
  readonly unchangedBefore: Set<string>;
}
