import {
  compileDateFormat,
  type DateCandidate,
  type DateReader,
  dateCandidates,
  swappedPairs,
  withoutTime,
  yearLastIndexes,
  yearPairs,
} from './dates.js';
import type { ShortYears } from './eras.js';
import { PeriodSearch } from './statement-period.js';

/** What decides the order of day and month: the dates of another column, such as the value date, or the period of the statement. */
export type DateSource = 'column' | 'period';

export type DetectedDateFormat =
  /** `decidedBy`: what decided the order of day and month, if the dates themselves did not. */
  | { readonly outcome: 'found'; readonly format: string; readonly decidedBy?: DateSource }
  /**
   * `isMixed`: the file seems to mix two formats. Some dates fit only one format and some only the other, or a spreadsheet program may
   * have converted some of the dates.
   */
  | {
      readonly outcome: 'ambiguous';
      readonly formats: readonly [string, string, ...string[]];
      readonly example: string;
      readonly isMixed: boolean;
    }
  | { readonly outcome: 'none' };

/**
 * Detects the one date format of a file: call `add` for every date cell, then `decide`.
 *
 * The format that matches the most cells wins. Cells that no format can read are ignored here; their rows fail later. The order of day and
 * month must not be guessed from the first rows: `03/04` fits both orders, and only a day above 12 decides. The result is `ambiguous` if
 * three conditions hold: the format with day and month swapped reads as many cells as the winning format; the two formats read some cell as
 * different days; and neither another column of dates nor the period of the statement decides. The period decides only if all dates
 * are in it with one order of day and month, and some date is far outside with the other. The result is also `ambiguous` if some cell fits
 * only the swapped format.
 *
 * A spreadsheet may convert the dates that fit its own order of day and month, and leave the others as texts. The converted dates then have
 * another format and a swapped day and month. For example, a spreadsheet that expects the month first converts `03/04/2026` (3 April) to
 * `2026-03-04`, and leaves `13/04/2026`. So the result is `ambiguous` if three conditions hold: no date in the winning format has a day
 * above 12; swapping day and month would change some of these dates; and some date in another format has a day above 12. This other format
 * must have only numbers, and the year at the end.
 *
 * The result is also `ambiguous` if leading zeros suggest such a conversion. For example, the month is `4` in `3/4/2026`, which fits both
 * orders, but `03` in `13/03/2026`, which fits only the winning order.
 *
 * A two-digit year may be at the front or at the end. If formats with the year at the front and formats with the year at the end match
 * equally many cells, the formats are compared by the span of the dates, because the dates of one statement are close together. The year at
 * the end is chosen if it gives a span that is shorter by more than a week. If not, the result is `ambiguous`.
 *
 * Most banks write dates with dots, such as `24.05.12`, with the year at the end. So if both positions of the year match equally many of
 * these dates, the year at the end is chosen. But if the order or the span of the dates suggests that the year is at the front, as in
 * Korea, the result is `ambiguous`.
 */
export class DateFormatDetector {
  readonly #tallies: readonly CandidateTally[] = dateCandidates.map((candidate) => ({
    ...candidate,
    cells: 0,
    first: undefined,
    last: undefined,
    lateDay: undefined,
    isSwappable: false,
  }));
  readonly #pairs: ComparedPair[] = swappedPairs.map(([first, second]) => ({
    first,
    second,
    onlyBy: new Map(),
    otherDates: new Set(),
    unpadded: [],
    padded: new Map(),
  }));
  /**
   * The distinct cells that are not evaluated yet, and how often each occurs. Each of them is evaluated once, and not once for each row.
   * This saves most of the work, because a file has many rows but few different days.
   */
  readonly #waiting = new Map<string, number>();
  readonly #orders: ReadonlyMap<number, DateOrder> = new Map(
    [...orderedPlaces].map((index) => [index, new DateOrder()]),
  );
  #previous = '';
  /** The distinct dates of other columns. */
  readonly #otherDates = new Set<string>();
  readonly #watched: DateReader | undefined;
  readonly #periods = new PeriodSearch();
  #hasDates = false;
  #watchedReadsAny = false;
  #contradictsWatched = false;
  #unreadable: string | undefined;
  /** A cell with a two-digit year, for the error message. */
  #yearExample = '';
  readonly #firstNumbers = new Set<number>();

  readonly #isYearUsuallyFirst: boolean;

  /**
   * @param watched the format that the user named or that was saved; `watchedReadsAny` and `contradictsWatched` refer to it
   * @param isYearUsuallyFirst whether the language of the file writes the year first, as Japanese and Chinese do; if true, dates with dots
   *   are decided like all other dates with a two-digit year
   */
  constructor(watched?: string | undefined, { isYearUsuallyFirst = false } = {}) {
    this.#isYearUsuallyFirst = isYearUsuallyFirst;
    this.#watched = watched === undefined ? undefined : compileDateFormat(watched);
  }

  add(cell: string): void {
    const date = withoutTime(cell);
    this.#waiting.set(date, (this.#waiting.get(date) ?? 0) + 1);
    if (this.#waiting.size >= waitingMax) this.#readWaiting();
    if (date === this.#previous) return;
    this.#previous = date;
    for (const [index, order] of this.#orders) order.add(dateCandidates[index]?.read(date));
  }

  /**
   * Adds a date of another column, such as the value date. This date can decide the order of day and month if the
   * date column cannot.
   */
  addOtherDate(cell: string): void {
    const date = withoutTime(cell);
    if (this.#otherDates.size >= waitingMax || this.#otherDates.has(date)) return;
    this.#otherDates.add(date);
    for (const pair of this.#pairs) {
      const [first, second] = [pair.first, pair.second].map((index) => dateCandidates[index]?.read(date));
      if (first === undefined && second !== undefined) pair.otherDates.add(pair.second);
      if (first !== undefined && second === undefined) pair.otherDates.add(pair.first);
    }
  }

  /** Adds a line above the headers. It may have the period of the statement (see {@link PeriodSearch}). */
  addLineAboveHeaders(line: string): void {
    this.#periods.addLine(line);
  }

  /** Whether any cell is a date in some format. */
  get hasDates(): boolean {
    this.#readWaiting();
    return this.#hasDates;
  }

  /** Whether any cell is a date in the watched format. */
  get watchedReadsAny(): boolean {
    this.#readWaiting();
    return this.#watchedReadsAny;
  }

  /** Whether some cell is a date in another format, but not in the watched format. */
  get contradictsWatched(): boolean {
    this.#readWaiting();
    return this.#contradictsWatched;
  }

  /** A cell that no format reads; undefined if there is none. */
  get unreadable(): string | undefined {
    this.#readWaiting();
    return this.#unreadable;
  }

  /** The numbers at the beginning of the cells with a two-digit year, and one of these cells as an example. */
  get shortYears(): ShortYears {
    this.#readWaiting();
    return { firstNumbers: this.#firstNumbers, example: this.#yearExample };
  }

  /** The earliest day that a format with a four-digit year reads, as `2026-01-13`; undefined if there is none. */
  get earliest(): string | undefined {
    this.#readWaiting();
    const days = this.#tallies.flatMap(({ format, first }) => (format.includes('YYYY') && first ? [first] : []));
    return days.sort()[0];
  }

  decide(): DetectedDateFormat {
    this.#readWaiting();
    const clash = this.#decideYears();
    if (clash !== undefined) return clash;
    const winner = this.#tallies.reduce((best, next) => (next.cells > best.cells ? next : best));
    if (winner.cells === 0) return { outcome: 'none' };
    const converted = this.#findConverted(winner);
    if (converted !== undefined) return converted;
    const found = { outcome: 'found', format: winner.format } as const;
    const index = this.#tallies.indexOf(winner);
    const pair = this.#pairs.find(({ first, second }) => first === index || second === index);
    if (pair === undefined) return found;
    const rivalIndex = pair.first === index ? pair.second : pair.first;
    const rival = this.#tallies[rivalIndex];
    if (rival === undefined) return found;
    const formats = [winner.format, rival.format] as const;
    const contrary = pair.onlyBy.get(rivalIndex);
    if (contrary !== undefined) return { outcome: 'ambiguous', formats, example: contrary, isMixed: true };
    const unpadded = pair.unpadded.find((cell, place) => cell !== undefined && pair.padded.get(index)?.has(place));
    if (unpadded !== undefined) return { outcome: 'ambiguous', formats, example: unpadded, isMixed: true };
    if (rival.cells < winner.cells || pair.differs === undefined) return found;
    const ambiguous = { outcome: 'ambiguous', formats, example: pair.differs, isMixed: false } as const;
    const byPeriod = [winner, rival].find(
      (tally) => this.#isInPeriod(tally, nearDays) && !this.#isInPeriod(tally === winner ? rival : winner, farDays),
    );
    const [decided = -1, ...others] = pair.otherDates;
    const byColumn = others.length > 0 ? undefined : this.#tallies[decided];
    if (byColumn === undefined && byPeriod !== undefined && pair.otherDates.size === 0)
      return { outcome: 'found', format: byPeriod.format, decidedBy: 'period' };
    if (byColumn === undefined || (byPeriod !== undefined && byPeriod !== byColumn)) return ambiguous;
    return { outcome: 'found', format: byColumn.format, decidedBy: 'column' };
  }

  /** Returns whether all dates are in the period of the statement, or at most `days` days outside. */
  #isInPeriod({ first, last }: CandidateTally, days: number): boolean {
    const { period } = this.#periods;
    if (period === undefined || first === undefined || last === undefined) return false;
    const slackMs = days * 86_400_000;
    return Date.parse(first) >= Date.parse(period[0]) - slackMs && Date.parse(last) <= Date.parse(period[1]) + slackMs;
  }

  /**
   * Returns an ambiguous result if a spreadsheet may have converted the dates that the winning format reads, and left the other dates in
   * their original format.
   */
  #findConverted(winner: CandidateTally): DetectedDateFormat | undefined {
    if (winner.lateDay !== undefined || !winner.isSwappable) return undefined;
    const other = this.#tallies.find(
      ({ lateDay }, index) => lateDay !== undefined && yearLastIndexes.has(index) && winner.read(lateDay) === undefined,
    );
    if (other?.lateDay === undefined) return undefined;
    return { outcome: 'ambiguous', formats: [winner.format, other.format], example: other.lateDay, isMixed: true };
  }

  #readWaiting(): void {
    for (const [cell, times] of this.#waiting) this.#read(cell, times);
    this.#waiting.clear();
  }

  #read(cell: string, times: number): void {
    const readings = this.#tallies.map((tally) => tally.read(cell));
    const isDate = readings.some((interpretation) => interpretation !== undefined);
    const isWatched = this.#watched?.(cell) !== undefined;
    if (isDate) this.#hasDates = true;
    if (isWatched) this.#watchedReadsAny = true;
    else if (isDate) this.#contradictsWatched = true;
    else this.#unreadable ??= cell;
    for (const [index, tally] of this.#tallies.entries()) {
      const date = readings[index];
      if (date === undefined) continue;
      tally.cells += times;
      if (tally.first === undefined || date < tally.first) tally.first = date;
      if (tally.last === undefined || date > tally.last) tally.last = date;
      const [month, day] = date.split('-').slice(1).map(Number) as [number, number];
      if (day > monthsMax) tally.lateDay ??= cell;
      else if (day !== month) tally.isSwappable = true;
    }
    for (const pair of this.#pairs) {
      const [first, second] = [readings[pair.first], readings[pair.second]];
      if (first === second) continue;
      const numbers = cell.split(/\D+/).slice(0, 2);
      if (first !== undefined && second !== undefined) {
        pair.differs = cell;
        for (const [place, text] of numbers.entries()) if (text.length === 1) pair.unpadded[place] = cell;
      } else {
        const reader = first === undefined ? pair.second : pair.first;
        pair.onlyBy.set(reader, cell);
        const padded = numbers.flatMap((text, place) => (/^0\d/.test(text) ? [place] : []));
        pair.padded.set(reader, new Set([...(pair.padded.get(reader) ?? []), ...padded]));
      }
    }
    if (readings.some((interpretation, index) => interpretation !== undefined && shortYearIndexes.has(index))) {
      this.#yearExample = cell;
      this.#firstNumbers.add(Number(/\d+/.exec(cell)?.[0]));
    }
  }

  /**
   * Discards each format with a two-digit year at the front, unless it reads more cells than every format with the same separator and the
   * year at the end. Returns an ambiguous result if the two positions of the year match equally many cells and neither the dates nor their
   * separator decide between the positions.
   */
  #decideYears(): DetectedDateFormat | undefined {
    for (const pair of yearPairs) {
      const atFront = this.#tallies[pair.atFront];
      const atEnd = pair.atEnd.map((index) => this.#tallies[index]).filter((tally) => tally !== undefined);
      const most = Math.max(...atEnd.map(({ cells }) => cells));
      if (atFront === undefined || atFront.cells === 0 || atFront.cells > most) continue;
      const likely = atEnd.filter(({ cells }) => cells === most);
      const spanDays = Math.max(...likely.map(countDays));
      const isCloser = spanDays + closerDaysMin < countDays(atFront);
      const isUsuallyAtEnd = pair.isUsuallyAtEnd && !this.#isYearUsuallyFirst;
      const isOpen = isUsuallyAtEnd ? this.#mayBeAtFront(pair, spanDays) : !isCloser;
      const [first, ...others] = likely;
      if (first !== undefined && atFront.cells === most && isOpen) {
        const formats = [first.format, atFront.format, ...others.map(({ format }) => format)] as const;
        return { outcome: 'ambiguous', formats, example: this.#yearExample, isMixed: false };
      }
      atFront.cells = 0;
    }
    return undefined;
  }

  /**
   * Returns whether the year may be at the front, although it usually is at the end. If the dates are sorted only with the year at the
   * front, returns true. If they are sorted only with the year at the end, returns false. In all other cases, returns whether the dates
   * span more than three years with the year at the end, and much less with the year at the front.
   */
  #mayBeAtFront({ atEnd, atFront }: YearPair, spanDays: number): boolean {
    const isSorted = (index: number) => this.#orders.get(index)?.isSorted === true;
    const [isSortedAtEnd, isSortedAtFront] = [atEnd.some(isSorted), isSorted(atFront)];
    if (isSortedAtEnd !== isSortedAtFront) return isSortedAtFront;
    const tally = this.#tallies[atFront];
    return tally !== undefined && spanDays > longDaysMin && spanDays > longerRatioMin * countDays(tally);
  }
}

/**
 * The span of the dates decides for the year at the end only if it is shorter by more than this number of days. A smaller difference can
 * come from the different lengths of months.
 */
const closerDaysMin = 7;

/** The span of dates, in days, that makes a year at the end doubtful: statements rarely cover more than three years. */
const longDaysMin = 3 * 366;
/** The year at the end is doubtful only if its span is also more than this many times as long as with the year at the front. */
const longerRatioMin = 10;

/** Returns the number of days between the first and the last date that a format reads. */
function countDays({ first, last }: CandidateTally): number {
  return first === undefined || last === undefined ? 0 : (Date.parse(last) - Date.parse(first)) / 86_400_000;
}

/** A bank may list a booking that is this number of days outside the period of the statement. */
const nearDays = 3;
/** With the wrong order of day and month, some date must be more than this number of days outside: the line may name another period. */
const farDays = 45;

/** The number of months. A number above 12 can be a day, but not a month. */
const monthsMax = 12;

/** The maximum number of distinct cells in each of the two collections `#waiting` and `#otherDates`. */
const waitingMax = 4096;

/** Indexes, in `dateCandidates`, of the formats with a year of two digits. */
const shortYearIndexes: ReadonlySet<number> = new Set(
  dateCandidates.flatMap(({ format }, index) => (format.includes('YYYY') ? [] : [index])),
);

type YearPair = (typeof yearPairs)[number];

/** Indexes, in `dateCandidates`, of the formats for which the detector observes whether the dates are sorted. */
const orderedPlaces: ReadonlySet<number> = new Set(
  yearPairs.filter(({ isUsuallyAtEnd }) => isUsuallyAtEnd).flatMap(({ atEnd, atFront }) => [...atEnd, atFront]),
);

/** Observes whether dates are sorted, in ascending or descending order. */
class DateOrder {
  #last: string | undefined;
  #rises = false;
  #falls = false;

  add(date: string | undefined): void {
    if (date === undefined) return;
    if (this.#last !== undefined && date > this.#last) this.#rises = true;
    if (this.#last !== undefined && date < this.#last) this.#falls = true;
    this.#last = date;
  }

  get isSorted(): boolean {
    return !(this.#rises && this.#falls);
  }
}

interface CandidateTally extends DateCandidate {
  cells: number;
  first: string | undefined;
  last: string | undefined;
  /** A cell with a day above 12. */
  lateDay: string | undefined;
  /** Whether some cell has a day up to 12 that differs from the month. */
  isSwappable: boolean;
}

/** Two formats that differ only in the order of day and month, and the facts that can decide between them. */
interface ComparedPair {
  /** The index, in `dateCandidates`, of the format with the month before the day. */
  readonly first: number;
  /** The index of the format with the day before the month. */
  readonly second: number;
  /** A cell that the two formats read as different dates. */
  differs?: string;
  /** Maps the index of a format to a cell that only this format of the pair reads. */
  readonly onlyBy: Map<number, string>;
  /** Contains the index of a format if another column has a date that this format can read and the other format of the pair cannot. */
  readonly otherDates: Set<number>;
  /**
   * At index 0: a cell that the two formats read as different dates, and whose first number has only one digit. At index 1: such a cell
   * whose second number has only one digit.
   */
  readonly unpadded: (string | undefined)[];
  /** For each format of the pair: the positions (0 or 1) of numbers that have a leading zero in some cell that only this format reads. */
  readonly padded: Map<number, ReadonlySet<number>>;
}
