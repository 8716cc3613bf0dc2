import { type OpenedStatement, RepeatedIds } from '@centavo/statement-reader';
import { type ResolvedRow, type RowDestinations, resolveRows } from '../rows.js';
import { lowerBound, PairCandidates, type PairRow } from './pair-candidates.js';

/** The pairs of rows that become transfers, and the rows without a clear partner. */
export interface PairMatches {
  /** Returns the index of the other row of the pair, or undefined if the row is not in a pair. */
  partnerOf(index: number): number | undefined;
  readonly pairCount: number;
  /** Yields the pairs in the order of their outgoing rows in the file. */
  pairs(): Iterable<{ readonly amount: string; readonly from: PairRow; readonly to: PairRow }>;
  readonly ambiguousCount: number;
  /**
   * Yields the rows without a clear partner. Either several rows fit the row (see `PairMatcher`), or the only row that fits
   * it also fits other rows. `lines` are the line numbers of at most five rows that fit the row.
   */
  ambiguous(): Iterable<{
    readonly amount: string;
    readonly type: 'expense' | 'income';
    readonly row: PairRow;
    readonly lines: readonly number[];
  }>;
}

/** The pairs of a file, the number of its rows that are already in transfers, and the rows that may occur several times. */
export interface PairPlan extends PairMatches {
  /** The number of rows that are one side of a recorded transfer. */
  readonly transferredCount: number;
  /**
   * Returns whether a row may occur several times in the file, so that the import must count its occurrences. `firstKey` is the idempotency
   * key of its first occurrence. True if it is not known.
   */
  mayRepeat(firstKey: string): boolean;
}

/** The plan of an import without `--pair-transfers`. */
export const noPairs: PairPlan = {
  partnerOf: () => undefined,
  pairCount: 0,
  pairs: () => [],
  ambiguousCount: 0,
  ambiguous: () => [],
  transferredCount: 0,
  mayRepeat: () => true,
};

/** Returns the pairs of rows that become transfers. Reads all rows of the statement. */
export async function planPairs(
  statement: OpenedStatement,
  { destinations, windowDays }: { destinations: RowDestinations; windowDays: number },
): Promise<PairPlan> {
  const matcher = new PairMatcher();
  const keys = new RepeatedIds();
  let transferredCount = 0;
  let haveAllKeys = true;
  // Equal rows get different keys only if `resolveRows` counts them. Here it counts only rows of recorded transfers, to find their keys.
  // Counting all rows would take four times as much memory. So `keys` only finds which keys occur more than once.
  const isInTransfer = (firstKey: string) => destinations.transfers.hasKey(firstKey);
  for await (const row of resolveRows(statement.rows(), destinations, { mayRepeat: isInTransfer })) {
    if (row.outcome === 'recorded in a transfer') transferredCount += 1;
    if (row.outcome === 'resolved') matcher.add(row);
    // An account that does not exist yet has no id. So its rows have no keys, and any of them may equal another row.
    if ('key' in row && row.key === null) haveAllKeys = false;
    if ('key' in row && row.key !== null) keys.add(row.key);
  }
  const isRepeated = haveAllKeys ? keys.finish() : () => true;
  const mayRepeat = (firstKey: string) => isInTransfer(firstKey) || isRepeated(firstKey);
  return { ...matcher.match(windowDays), transferredCount, mayRepeat };
}

/**
 * Finds the pairs of rows that are the two sides of a transfer. Call `add` for every row, then `match`.
 *
 * Two rows fit each other if one is an expense and one an income, their accounts differ, their amount and currency are
 * equal, and their days are at most `windowDays` days apart. Two rows are a pair if each row is the only row that fits the
 * other. If several rows fit, the row with the nearest day is not chosen, because this choice could mix up the rows of two
 * equal transfers in one week. Rows that are more than `windowDays` days before or after two rows cannot change whether these two are a
 * pair.
 *
 * The file itself may assign rows to transfers (`transferGroupId`). The search ignores these rows. Two of them are a pair
 * if the file assigns exactly these two rows to the same transfer, and the two rows have opposite directions, different
 * accounts, and the same amount and currency.
 */
export class PairMatcher {
  readonly #rows = new PairCandidates();
  /** The positions of rows, by the transfer group to which the file assigns them. */
  readonly #groups = new Map<string, number[]>();

  add(row: ResolvedRow): void {
    const { transferGroupId } = row.transaction;
    if (transferGroupId !== undefined) {
      this.#groups.set(transferGroupId, [...(this.#groups.get(transferGroupId) ?? []), this.#rows.count]);
    }
    this.#rows.add(row);
  }

  match(windowDays: number): PairMatches {
    const rows = this.#rows;
    if (!rows.hasSeveralAccounts) return noPairs;
    const grouped = new Set([...this.#groups.values()].flat());
    const search = new PairSearch(rows, { windowDays, excluded: grouped });
    // For each row: the position of the only row that fits it, `none` if no row fits, or `several`.
    const onlyFits = new Int32Array(rows.count).fill(none);
    search.forEachRow((position, fits) => {
      onlyFits[position] = fits.length === 1 ? (fits[0] ?? none) : several;
    });
    for (const [one, other, ...more] of this.#groups.values()) {
      if (one === undefined || other === undefined || more.length > 0) continue;
      if (!rows.areOpposite(rows.side(one), rows.side(other)) || rows.compareAmounts(one, other) !== 0) continue;
      onlyFits[one] = other;
      onlyFits[other] = one;
    }
    // If the only row that fits `other` is not this row, `other` fits several rows, because it fits this row too.
    const partnerOf = (position: number) => {
      const other = onlyFits[position] ?? none;
      return other >= 0 && (onlyFits[other] ?? none) >= 0 ? other : undefined;
    };
    const outgoing = filterPositions(rows.count, (position) => {
      return !rows.isIncome(position) && partnerOf(position) !== undefined;
    });
    const unmatched = filterPositions(rows.count, (position) => {
      return onlyFits[position] !== none && partnerOf(position) === undefined;
    });
    return {
      partnerOf: (index) => {
        const position = rows.find(index);
        const other = position === undefined ? undefined : partnerOf(position);
        return other === undefined ? undefined : rows.index(other);
      },
      pairCount: outgoing.length,
      *pairs() {
        for (const position of outgoing) {
          const to = rows.describe(partnerOf(position) ?? position);
          yield { amount: rows.amount(position), from: rows.describe(position), to };
        }
      },
      ambiguousCount: unmatched.length,
      *ambiguous() {
        for (const position of unmatched) {
          const lines = search.fitsOf(position).map((fit) => rows.line(fit));
          const type = rows.isIncome(position) ? 'income' : 'expense';
          yield {
            amount: rows.amount(position),
            type,
            row: rows.describe(position),
            lines: lines.sort((a, b) => a - b),
          };
        }
      },
    };
  }
}

const none = -1;
const several = -2;
const fitsMax = 5;

/**
 * Consecutive rows of the sorted list that have the same account, direction, amount and currency. `start` is the rank (the position in
 * the sorted list) of the first row. `end` is the rank after that of the last row.
 */
interface Run {
  readonly side: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the rows that can form a pair with a row. The rows are sorted once: by amount and currency, then by account and
 * direction, then by day.
 */
class PairSearch {
  readonly #rows: PairCandidates;
  readonly #windowDays: number;
  readonly #sorted: Uint32Array;

  constructor(rows: PairCandidates, { windowDays, excluded }: { windowDays: number; excluded: ReadonlySet<number> }) {
    this.#rows = rows;
    this.#windowDays = windowDays;
    this.#sorted = filterPositions(rows.count, (position) => !excluded.has(position)).sort(
      (one, other) =>
        rows.compareAmounts(one, other) ||
        rows.side(one) - rows.side(other) ||
        rows.day(one) - rows.day(other) ||
        one - other,
    );
  }

  /** Calls `act` for each row that fits at least one other row. `fits` contains at most five of these other rows. */
  forEachRow(act: (position: number, fits: readonly number[]) => void): void {
    for (let start = 0; start < this.#sorted.length; ) {
      const runs = this.#runsFrom(start);
      const end = runs.at(-1)?.end ?? this.#sorted.length;
      for (const run of runs.length > 1 ? runs : []) {
        for (let rank = run.start; rank < run.end; rank += 1) {
          const position = this.#positionAt(rank);
          const fits = this.#fitsIn(runs, position);
          if (fits.length > 0) act(position, fits);
        }
      }
      start = end;
    }
  }

  fitsOf(position: number): readonly number[] {
    const rows = this.#rows;
    const first = lowerBound(this.#sorted.length, (rank) => {
      return rows.compareAmounts(this.#positionAt(rank), position) >= 0;
    });
    return this.#fitsIn(this.#runsFrom(first), position);
  }

  /** Returns the runs of one amount and currency. `first` is the rank of the first row with this amount and currency. */
  #runsFrom(first: number): readonly Run[] {
    const rows = this.#rows;
    const isSameAmount = (rank: number) => rows.compareAmounts(this.#positionAt(rank), this.#positionAt(first)) === 0;
    const runs: Run[] = [];
    for (let start = first; start < this.#sorted.length && isSameAmount(start); ) {
      const side = rows.side(this.#positionAt(start));
      let end = start + 1;
      while (end < this.#sorted.length && isSameAmount(end) && rows.side(this.#positionAt(end)) === side) end += 1;
      runs.push({ side, start, end });
      start = end;
    }
    return runs;
  }

  #fitsIn(runs: readonly Run[], position: number): readonly number[] {
    const rows = this.#rows;
    const [side, day] = [rows.side(position), rows.day(position)];
    const fits: number[] = [];
    for (const run of runs) {
      if (!rows.areOpposite(run.side, side)) continue;
      const isLateEnough = (step: number) => rows.day(this.#positionAt(run.start + step)) >= day - this.#windowDays;
      for (let rank = run.start + lowerBound(run.end - run.start, isLateEnough); rank < run.end; rank += 1) {
        const candidate = this.#positionAt(rank);
        if (rows.day(candidate) > day + this.#windowDays || fits.length === fitsMax) break;
        fits.push(candidate);
      }
    }
    return fits;
  }

  #positionAt(rank: number): number {
    return this.#sorted[rank] ?? 0;
  }
}

function filterPositions(count: number, isWanted: (position: number) => boolean): Uint32Array {
  const positions = new Uint32Array(count);
  let found = 0;
  for (let position = 0; position < count; position += 1) {
    if (!isWanted(position)) continue;
    positions[found] = position;
    found += 1;
  }
  return positions.subarray(0, found);
}
