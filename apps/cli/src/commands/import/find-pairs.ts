import type { IdentifiedRow } from './identify-rows.js';

/** One row of a pair, or of several that might be, as a person is shown it. */
export interface PairSide {
  readonly index: number;
  readonly line: number;
  readonly day: string;
  readonly account: string;
}

/** Which rows of a file become transfers. */
export interface PairPlan {
  /** The partner of each paired row, by their places in the file. */
  readonly partners: ReadonlyMap<number, number>;
  readonly pairs: readonly { readonly amount: string; readonly from: PairSide; readonly to: PairSide }[];
  /** Rows that fit several others, or one that does, with the lines of those. */
  readonly ambiguous: readonly {
    readonly amount: string;
    readonly type: 'expense' | 'income';
    readonly row: PairSide;
    readonly lines: readonly number[];
  }[];
}

/**
 * Finds opposite rows of two own accounts with the same amount and currency: `add` every row of a file, then ask
 * `decide`. It keeps some numbers of each row, not the row.
 *
 * A pair is made where each is the only one that fits the other. The nearest of several is not taken: two equal
 * payments in one week would be crossed sooner or later. So a decision depends on nothing but the rows within reach,
 * and is the same each time the file is read.
 */
export class PairFinder {
  readonly #accounts: string[] = [];
  readonly #accountNumbers = new Map<string, number>();
  readonly #lastOfAmount = new Map<string, number>();
  // One number a row in each: objects would take some ten times the memory of a million rows.
  readonly #before: number[] = [];
  readonly #indexes: number[] = [];
  readonly #lines: number[] = [];
  readonly #days: number[] = [];
  /** Number of the account, doubled, and one more for income. */
  readonly #sides: number[] = [];

  add({ index, line, transaction, target }: IdentifiedRow): void {
    const amount = `${transaction.amountDecimal} ${target.currencyCode ?? ''}`.trim();
    const place = this.#indexes.length;
    this.#before.push(this.#lastOfAmount.get(amount) ?? -1);
    this.#lastOfAmount.set(amount, place);
    this.#indexes.push(index);
    this.#lines.push(line);
    this.#days.push(Date.parse(transaction.occurredOn) / dayMs);
    this.#sides.push(this.#numberOf(target) * 2 + (transaction.direction === 'income' ? 1 : 0));
  }

  decide(windowDays: number): PairPlan {
    const partners = new Map<number, number>();
    const pairs: PairPlan['pairs'][number][] = [];
    const ambiguous: PairPlan['ambiguous'][number][] = [];
    if (this.#accounts.length > 1) {
      for (const [amount, last] of this.#lastOfAmount) {
        const fits = this.#findFits(last, windowDays);
        for (const [row, others] of fits) {
          const other = others.length === 1 ? others[0] : undefined;
          const isPair = other !== undefined && fits.get(other)?.length === 1;
          const isIncome = (this.#sides[row] ?? 0) % 2 === 1;
          if (!isPair) {
            const lines = others.map((candidate) => this.#lines[candidate] ?? 0);
            const type = isIncome ? 'income' : 'expense';
            ambiguous.push({ amount, type, row: this.#sideAt(row), lines: lines.sort((one, two) => one - two) });
          } else if (!isIncome) {
            const [from, to] = [this.#sideAt(row), this.#sideAt(other)];
            partners.set(from.index, to.index).set(to.index, from.index);
            pairs.push({ amount, from, to });
          }
        }
      }
    }
    pairs.sort((one, other) => one.from.index - other.from.index);
    ambiguous.sort((one, other) => one.row.index - other.row.index);
    return { partners, pairs, ambiguous };
  }

  /** The rows of one amount that have any others to fit, with some of those: more than a few tell nobody more. */
  #findFits(last: number, windowDays: number): ReadonlyMap<number, readonly number[]> {
    const bySide = new Map<number, number[]>();
    for (let row = last; row !== -1; row = this.#before[row] ?? -1) {
      const side = this.#sides[row] ?? 0;
      const rows = bySide.get(side);
      if (rows === undefined) bySide.set(side, [row]);
      else rows.push(row);
    }
    const fits = new Map<number, readonly number[]>();
    if (bySide.size < 2) return fits;
    const day = (row: number | undefined) => this.#days[row ?? -1] ?? Number.NaN;
    for (const rows of bySide.values()) rows.sort((one, other) => day(one) - day(other));
    for (const [side, rows] of bySide) {
      const opposite = [...bySide].filter(([other]) => other % 2 !== side % 2 && other >> 1 !== side >> 1);
      for (const row of rows) {
        const others = opposite.flatMap(([, candidates]) => {
          const first = firstFrom(candidates, (candidate) => day(candidate) >= day(row) - windowDays);
          return candidates
            .slice(first, first + fitsMax)
            .filter((candidate) => day(candidate) <= day(row) + windowDays);
        });
        if (others.length > 0) fits.set(row, others.slice(0, fitsMax));
      }
    }
    return fits;
  }

  #sideAt(row: number): PairSide {
    return {
      index: this.#indexes[row] ?? 0,
      line: this.#lines[row] ?? 0,
      day: new Date((this.#days[row] ?? 0) * dayMs).toISOString().slice(0, 10),
      account: this.#accounts[(this.#sides[row] ?? 0) >> 1] ?? '',
    };
  }

  #numberOf({ id, name }: IdentifiedRow['target']): number {
    const key = id ?? `new ${name}`;
    const known = this.#accountNumbers.get(key);
    if (known !== undefined) return known;
    this.#accounts.push(name);
    this.#accountNumbers.set(key, this.#accounts.length - 1);
    return this.#accounts.length - 1;
  }
}

const dayMs = 86_400_000;
const fitsMax = 5;

/** The place of the first that `isFar` says yes to, in a list in which all behind it do too. */
function firstFrom(rows: readonly number[], isFar: (row: number | undefined) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isFar(rows[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
