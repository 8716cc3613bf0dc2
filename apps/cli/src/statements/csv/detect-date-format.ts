import { compileDateFormat, type DateReader } from './date-format.js';

export type DetectedDateFormat =
  | { readonly outcome: 'found'; readonly format: string }
  | { readonly outcome: 'ambiguous'; readonly formats: readonly [string, string]; readonly example: string }
  | { readonly outcome: 'none' };

/**
 * Finds the one date format of a whole file: `see` every date cell, then ask `decide`.
 *
 * The format that reads most cells wins; cells that nothing reads are failures of their own rows and have no vote.
 * Day and month may not be guessed from the first rows: `03/04` reads both ways, and only a `13` somewhere tells. So
 * where another format reads as many cells and differs on one, or where some cell only reads the other way round, the
 * answer is `ambiguous`, and a person has to say. Two-digit years at the front and months before days with points are
 * not tried: no bank seen writes them, and they would make every `22.02.18` ambiguous.
 */
export class DateFormatDetector {
  readonly #candidates = candidateFormats.map((format) => ({ format, read: readerOf(format), cells: 0 }));
  readonly #pairs: ComparedPair[] = swappedPairs.map(([first, second]) => ({ first, second, onlyBy: new Map() }));

  readonly #watched: DateReader | undefined;
  /** Whether any cell is a date in some format. */
  hasDates = false;
  /** Whether the watched format reads any cell. */
  watchedReadsAny = false;
  /** Whether some cell is a date, and none in the watched format. */
  contradictsWatched = false;

  /** @param watched a format to compare with the dates, besides those that are tried anyway */
  constructor(watched?: string | undefined) {
    this.#watched = watched === undefined ? undefined : compileDateFormat(watched);
  }

  see(cell: string): void {
    const readings = this.#candidates.map((candidate) => candidate.read(cell));
    const isDate = readings.some((reading) => reading !== undefined);
    const isWatched = this.#watched?.(cell) !== undefined;
    if (isDate) this.hasDates = true;
    if (isWatched) this.watchedReadsAny = true;
    else if (isDate) this.contradictsWatched = true;
    for (const [index, candidate] of this.#candidates.entries()) {
      if (readings[index] !== undefined) candidate.cells += 1;
    }
    for (const pair of this.#pairs) {
      const [first, second] = [readings[pair.first], readings[pair.second]];
      if (first === second) continue;
      if (first !== undefined && second !== undefined) pair.differs = cell;
      else pair.onlyBy.set(first === undefined ? pair.second : pair.first, cell);
    }
  }

  decide(): DetectedDateFormat {
    const winner = this.#candidates.reduce((best, next) => (next.cells > best.cells ? next : best));
    if (winner.cells === 0) return { outcome: 'none' };
    const index = this.#candidates.indexOf(winner);
    const pair = this.#pairs.find(({ first, second }) => first === index || second === index);
    if (pair === undefined) return { outcome: 'found', format: winner.format };
    const rivalIndex = pair.first === index ? pair.second : pair.first;
    const rival = this.#candidates[rivalIndex];
    const example = pair.onlyBy.get(rivalIndex) ?? (rival?.cells === winner.cells ? pair.differs : undefined);
    if (rival === undefined || example === undefined) return { outcome: 'found', format: winner.format };
    return { outcome: 'ambiguous', formats: [winner.format, rival.format], example };
  }
}

/** Two formats of one shape, with a cell that they read differently and cells that only one of them reads. */
interface ComparedPair {
  readonly first: number;
  readonly second: number;
  differs?: string;
  readonly onlyBy: Map<number, string>;
}

const candidateFormats = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'YYYY.MM.DD.',
  'YYYYMMDD',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'MM-DD-YYYY',
  'DD-MM-YYYY',
  'MM/DD/YY',
  'DD/MM/YY',
  'MM-DD-YY',
  'DD-MM-YY',
  'DD.MM.YYYY',
  'DD.MM.YY',
  'DD-MMM-YYYY',
  'DD MMM YYYY',
  'DD/MMM/YYYY',
  'DD-MMM-YY',
  'DD MMM YY',
  'MMM DD, YYYY',
  'MMM DD YYYY',
] as const;

/** Formats that read the same shape with day and month exchanged. */
const swappedPairs: readonly (readonly [number, number])[] = candidateFormats.flatMap((format, index) => {
  const swapped = candidateFormats.indexOf(format.replace(/^MM(.)DD/, 'DD$1MM') as (typeof candidateFormats)[number]);
  return format.startsWith('MM') && !format.startsWith('MMM') ? [[index, swapped] as const] : [];
});

function readerOf(format: string): DateReader {
  const reader = compileDateFormat(format);
  if (reader === undefined) throw new RangeError(`Not a date format: ${format}`);
  return reader;
}
