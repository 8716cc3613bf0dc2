import type { IdentifiedRow } from './identify-rows.js';
import { firstFrom, PairRows, type PairSide } from './pair-rows.js';

/** Which rows of a file become transfers. */
export interface PairPlan {
  /** The partner of a paired row, by their places in the file; undefined for every other row. */
  partnerOf(index: number): number | undefined;
  readonly pairCount: number;
  /** In the order of the file, made one by one. */
  pairs(): Iterable<{ readonly amount: string; readonly from: PairSide; readonly to: PairSide }>;
  readonly ambiguousCount: number;
  /** Rows that fit several others, or one that does, with the lines of some of those: more than a few tell nobody more. */
  ambiguous(): Iterable<{
    readonly amount: string;
    readonly type: 'expense' | 'income';
    readonly row: PairSide;
    readonly lines: readonly number[];
  }>;
}

const noPairs: PairPlan = {
  partnerOf: () => undefined,
  pairCount: 0,
  pairs: () => [],
  ambiguousCount: 0,
  ambiguous: () => [],
};

/**
 * Finds opposite rows of two own accounts with the same amount and currency: `add` every row of a file, then ask
 * `decide`.
 *
 * A pair is made where each is the only one that fits the other. The nearest of several is not taken: two equal
 * payments in one week would be crossed sooner or later. Halves of a transfer that the file itself joins need no search:
 * each is the other's, or nobody's. So a decision depends on nothing but the rows within reach,
 * and is the same each time the file is read.
 */
export class PairFinder {
  readonly #rows = new PairRows();
  /** The places of rows that the file itself calls halves of one transfer. */
  readonly #groups = new Map<string, number[]>();

  add(row: IdentifiedRow): void {
    const { transferGroupId } = row.transaction;
    if (transferGroupId !== undefined) {
      this.#groups.set(transferGroupId, [...(this.#groups.get(transferGroupId) ?? []), this.#rows.count]);
    }
    this.#rows.add(row);
  }

  decide(windowDays: number): PairPlan {
    const rows = this.#rows;
    if (!rows.hasSeveralAccounts) return noPairs;
    const joined = new Set([...this.#groups.values()].flat());
    const search = new FitSearch(rows, { windowDays, joined });
    // The only row that fits each, `none`, or `many`.
    const onlyFits = new Int32Array(rows.count).fill(none);
    search.forEachRow((place, fits) => {
      onlyFits[place] = fits.length === 1 ? (fits[0] ?? none) : many;
    });
    for (const [one, other, ...more] of this.#groups.values()) {
      if (one === undefined || other === undefined || more.length > 0) continue;
      if (!rows.areOpposite(rows.side(one), rows.side(other)) || rows.compareAmounts(one, other) !== 0) continue;
      onlyFits[one] = other;
      onlyFits[other] = one;
    }
    const partnerOf = (place: number) => {
      const other = onlyFits[place] ?? none;
      return other >= 0 && (onlyFits[other] ?? none) >= 0 ? other : undefined;
    };
    const outgoing = placesWhere(rows.count, (place) => !rows.isIncome(place) && partnerOf(place) !== undefined);
    const unclear = placesWhere(rows.count, (place) => onlyFits[place] !== none && partnerOf(place) === undefined);
    return {
      partnerOf: (index) => {
        const place = rows.find(index);
        const other = place === undefined ? undefined : partnerOf(place);
        return other === undefined ? undefined : rows.index(other);
      },
      pairCount: outgoing.length,
      *pairs() {
        for (const place of outgoing) {
          const to = rows.describe(partnerOf(place) ?? place);
          yield { amount: rows.amount(place), from: rows.describe(place), to };
        }
      },
      ambiguousCount: unclear.length,
      *ambiguous() {
        for (const place of unclear) {
          const lines = search.fitsOf(place).map((fit) => rows.line(fit));
          const type = rows.isIncome(place) ? 'income' : 'expense';
          yield { amount: rows.amount(place), type, row: rows.describe(place), lines: lines.sort((a, b) => a - b) };
        }
      },
    };
  }
}

const none = -1;
const many = -2;
const fitsMax = 5;

/** Some rows of one account, direction and amount, as a stretch of the sorted places. */
interface Run {
  readonly side: number;
  readonly start: number;
  readonly end: number;
}

/** Finds the rows that fit a row. All rows are sorted once: by amount, then side, then day. */
class FitSearch {
  readonly #rows: PairRows;
  readonly #windowDays: number;
  readonly #sorted: Uint32Array;

  /** @param options.joined places of rows that are not searched for */
  constructor(rows: PairRows, { windowDays, joined }: { windowDays: number; joined: ReadonlySet<number> }) {
    this.#rows = rows;
    this.#windowDays = windowDays;
    this.#sorted = placesWhere(rows.count, (place) => !joined.has(place)).sort(
      (one, other) =>
        rows.compareAmounts(one, other) ||
        rows.side(one) - rows.side(other) ||
        rows.day(one) - rows.day(other) ||
        one - other,
    );
  }

  /** Calls `act` for each row that any others fit, with some of those. */
  forEachRow(act: (place: number, fits: readonly number[]) => void): void {
    for (let start = 0; start < this.#sorted.length; ) {
      const runs = this.#runsFrom(start);
      const end = runs.at(-1)?.end ?? this.#sorted.length;
      for (const run of runs.length > 1 ? runs : []) {
        for (let rank = run.start; rank < run.end; rank += 1) {
          const place = this.#placeAt(rank);
          const fits = this.#fitsIn(runs, place);
          if (fits.length > 0) act(place, fits);
        }
      }
      start = end;
    }
  }

  fitsOf(place: number): readonly number[] {
    const first = firstFrom(this.#sorted.length, (rank) => this.#rows.compareAmounts(this.#placeAt(rank), place) >= 0);
    return this.#fitsIn(this.#runsFrom(first), place);
  }

  /** The runs of the amount that begins at a rank. */
  #runsFrom(first: number): readonly Run[] {
    const rows = this.#rows;
    const isSameAmount = (rank: number) => rows.compareAmounts(this.#placeAt(rank), this.#placeAt(first)) === 0;
    const runs: Run[] = [];
    for (let start = first; start < this.#sorted.length && isSameAmount(start); ) {
      const side = rows.side(this.#placeAt(start));
      let end = start + 1;
      while (end < this.#sorted.length && isSameAmount(end) && rows.side(this.#placeAt(end)) === side) end += 1;
      runs.push({ side, start, end });
      start = end;
    }
    return runs;
  }

  #fitsIn(runs: readonly Run[], place: number): readonly number[] {
    const rows = this.#rows;
    const [side, day] = [rows.side(place), rows.day(place)];
    const fits: number[] = [];
    for (const run of runs) {
      if (!rows.areOpposite(run.side, side)) continue;
      const isReached = (step: number) => rows.day(this.#placeAt(run.start + step)) >= day - this.#windowDays;
      for (let rank = run.start + firstFrom(run.end - run.start, isReached); rank < run.end; rank += 1) {
        const candidate = this.#placeAt(rank);
        if (rows.day(candidate) > day + this.#windowDays || fits.length === fitsMax) break;
        fits.push(candidate);
      }
    }
    return fits;
  }

  #placeAt(rank: number): number {
    return this.#sorted[rank] ?? 0;
  }
}

function placesWhere(count: number, isWanted: (place: number) => boolean): Uint32Array {
  const places = new Uint32Array(count);
  let found = 0;
  for (let place = 0; place < count; place += 1) {
    if (!isWanted(place)) continue;
    places[found] = place;
    found += 1;
  }
  return places.subarray(0, found);
}
