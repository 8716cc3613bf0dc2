import { type DateCandidate, dateCandidates, swappedPairs, yearPairs } from './date-candidates.js';
import { compileDateFormat, type DateReader, withoutTime } from './date-format.js';

export type DetectedDateFormat =
  /** `byWitness`: the file's other dates told day from month. */
  | { readonly outcome: 'found'; readonly format: string; readonly byWitness?: boolean }
  /** `isMixed`: some dates read in one format only and some only in the other, so neither can be right for all. */
  | {
      readonly outcome: 'ambiguous';
      readonly formats: readonly [string, string];
      readonly example: string;
      readonly isMixed: boolean;
    }
  | { readonly outcome: 'none' };

/**
 * Finds the one date format of a whole file: `see` every date cell, then ask `decide`.
 *
 * The format that reads most cells wins; cells that nothing reads are failures of their own rows and have no vote.
 * Day and month may not be guessed from the first rows: `03/04` reads both ways, and only a `13` somewhere tells. So
 * where another format reads as many cells and differs on one, or where some cell only reads the other way round, the
 * answer is `ambiguous`, and a person has to say. A two-digit year may stand at either end: it is taken for the end where
 * the dates then lie closer together, as those of one statement do.
 */
export class DateFormatDetector {
  readonly #tallies: readonly CandidateTally[] = dateCandidates.map((candidate) => ({
    ...candidate,
    cells: 0,
    first: undefined,
    last: undefined,
  }));
  readonly #pairs: ComparedPair[] = swappedPairs.map(([first, second]) => ({
    first,
    second,
    onlyBy: new Map(),
    witnessed: new Set(),
  }));
  /** Cells not judged yet, and how often each was seen: a file has few days and many rows. */
  readonly #waiting = new Map<string, number>();
  readonly #witnesses = new Set<string>();
  readonly #watched: DateReader | undefined;
  #hasDates = false;
  #watchedReadsAny = false;
  #contradictsWatched = false;
  #unreadable: string | undefined;
  /** A cell with a short year, for the question which end it stands at. */
  #yearExample = '';

  /** @param watched a format to compare with the dates, besides those that are tried anyway */
  constructor(watched?: string | undefined) {
    this.#watched = watched === undefined ? undefined : compileDateFormat(watched);
  }

  see(cell: string): void {
    const date = withoutTime(cell);
    this.#waiting.set(date, (this.#waiting.get(date) ?? 0) + 1);
    if (this.#waiting.size >= waitingMax) this.#judgeWaiting();
  }

  /** Lets a date of another column (the value date, say) tell day from month, where those of the column itself do not. */
  seeWitness(cell: string): void {
    const date = withoutTime(cell);
    if (this.#witnesses.size >= waitingMax || this.#witnesses.has(date)) return;
    this.#witnesses.add(date);
    for (const pair of this.#pairs) {
      const [first, second] = [pair.first, pair.second].map((index) => dateCandidates[index]?.read(date));
      if (first === undefined && second !== undefined) pair.witnessed.add(pair.second);
      if (first !== undefined && second === undefined) pair.witnessed.add(pair.first);
    }
  }

  /** Whether any cell is a date in some format. */
  get hasDates(): boolean {
    this.#judgeWaiting();
    return this.#hasDates;
  }

  /** Whether the watched format reads any cell. */
  get watchedReadsAny(): boolean {
    this.#judgeWaiting();
    return this.#watchedReadsAny;
  }

  /** Whether some cell is a date, and none in the watched format. */
  get contradictsWatched(): boolean {
    this.#judgeWaiting();
    return this.#contradictsWatched;
  }

  /** A cell that no format reads; undefined where there is none. */
  get unreadable(): string | undefined {
    this.#judgeWaiting();
    return this.#unreadable;
  }

  decide(): DetectedDateFormat {
    this.#judgeWaiting();
    const clash = this.#settleYears();
    if (clash !== undefined) return clash;
    const winner = this.#tallies.reduce((best, next) => (next.cells > best.cells ? next : best));
    if (winner.cells === 0) return { outcome: 'none' };
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
    if (rival.cells < winner.cells || pair.differs === undefined) return found;
    const [witnessed, ...others] = pair.witnessed;
    const told = witnessed === undefined || others.length > 0 ? undefined : this.#tallies[witnessed];
    return told === undefined
      ? { outcome: 'ambiguous', formats, example: pair.differs, isMixed: false }
      : { outcome: 'found', format: told.format, byWitness: true };
  }

  #judgeWaiting(): void {
    for (const [cell, times] of this.#waiting) this.#judge(cell, times);
    this.#waiting.clear();
  }

  #judge(cell: string, times: number): void {
    const readings = this.#tallies.map((tally) => tally.read(cell));
    const isDate = readings.some((reading) => reading !== undefined);
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
    }
    for (const pair of this.#pairs) {
      const [first, second] = [readings[pair.first], readings[pair.second]];
      if (first === second) continue;
      if (first !== undefined && second !== undefined) pair.differs = cell;
      else pair.onlyBy.set(first === undefined ? pair.second : pair.first, cell);
    }
    if (readings.some((reading, index) => reading !== undefined && yearPlaces.has(index))) this.#yearExample = cell;
  }

  /** Takes the reading with a short year at the front out of the race, unless it is as likely as the other. */
  #settleYears(): DetectedDateFormat | undefined {
    for (const pair of yearPairs) {
      const atFront = this.#tallies[pair.atFront];
      const atEnd = pair.atEnd.map((index) => this.#tallies[index]).filter((tally) => tally !== undefined);
      const most = Math.max(...atEnd.map(({ cells }) => cells));
      if (atFront === undefined || atFront.cells === 0 || atFront.cells > most) continue;
      const likely = atEnd.filter(({ cells }) => cells === most);
      const spanDays = Math.max(...likely.map(countDays));
      const isCloser = spanDays + closerDaysMin < countDays(atFront);
      if (likely[0] !== undefined && atFront.cells === most && !isCloser && !pair.isCertain) {
        const formats = [likely[0].format, atFront.format] as const;
        return { outcome: 'ambiguous', formats, example: this.#yearExample, isMixed: false };
      }
      atFront.cells = 0;
    }
    return undefined;
  }
}

/** So much closer together the dates of one reading have to be than those of the other: months differ by some days. */
const closerDaysMin = 7;

/** From the first to the last date of a reading. */
function countDays({ first, last }: CandidateTally): number {
  return first === undefined || last === undefined ? 0 : (Date.parse(last) - Date.parse(first)) / 86_400_000;
}

/** Distinct dates kept at once; a hundred years have some more. */
const waitingMax = 4096;

const yearPlaces: ReadonlySet<number> = new Set(yearPairs.flatMap(({ atEnd, atFront }) => [...atEnd, atFront]));

interface CandidateTally extends DateCandidate {
  cells: number;
  first: string | undefined;
  last: string | undefined;
}

/** Two formats of one shape, with a cell that they read differently and cells that only one of them reads. */
interface ComparedPair {
  readonly first: number;
  readonly second: number;
  differs?: string;
  readonly onlyBy: Map<number, string>;
  /** Which of them the file's other dates can only be. */
  readonly witnessed: Set<number>;
}
