import { UsageError } from '../../errors.js';
import { compileDateFormat } from './date-format.js';
import type { DateFormatDetector, DetectedDateFormat } from './detect-date-format.js';

/** The date format of a file, and what has to be said about it. */
export interface SettledDateFormat {
  readonly dateFormat: string;
  readonly dateFormatNote: string | undefined;
  readonly dateAdvice: string | undefined;
}

/**
 * Settles the date format of a file: the wish of a flag; else the saved one where the dates do not contradict it; else
 * what the dates say. A saved format that decides between two readings says so, because the bank may have changed.
 *
 * @param request.dates has seen every date of the file, and watched the wished format, else the saved one
 * @param request.hasDecimalComma no country that writes one puts the month first
 * @throws UsageError (exit 2) for a wish that is no format, where the dates leave two readings open, and where nothing
 *   in the date column is a date
 */
export function settleDateFormat(request: {
  readonly dates: DateFormatDetector;
  readonly wished: string | undefined;
  readonly saved: string | undefined;
  readonly hasDecimalComma: boolean;
  readonly dateColumn: string;
}): SettledDateFormat {
  const { dates, wished, saved } = request;
  const detected = dates.decide();
  if (wished !== undefined) {
    const advice = dates.hasDates && !dates.watchedReadsAny ? adviseFormat(checkFormat(wished), detected) : undefined;
    return settled(checkFormat(wished), advice === undefined ? {} : { advice, note: 'which no date of the file is' });
  }
  if (saved === undefined || compileDateFormat(saved) === undefined) return settleDetected(detected, request);
  if (dates.contradictsWatched) {
    const { dateFormat } = settleDetected(detected, request);
    return settled(dateFormat, { note: `the dates contradict the saved ${saved}` });
  }
  if (detected.outcome !== 'ambiguous') return settled(saved);
  const other = detected.formats.find((format) => format !== saved);
  return settled(saved, { note: `as saved; the dates of this file also read as ${other}` });
}

function settled(dateFormat: string, told: { note?: string; advice?: string } = {}): SettledDateFormat {
  return { dateFormat, dateFormatNote: told.note, dateAdvice: told.advice };
}

function adviseFormat(wished: string, detected: DetectedDateFormat): string {
  const told = `No date of the file is written as ${wished}`;
  if (detected.outcome === 'none') return `${told}.`;
  const fitting = detected.outcome === 'found' ? detected.format : detected.formats.join(' or ');
  return `${told}; --date-format ${fitting} would fit.`;
}

function checkFormat(format: string): string {
  if (compileDateFormat(format) !== undefined) return format;
  throw new UsageError(
    `--date-format "${format}" does not name year, month and day once each.`,
    'Write it in tokens, such as MM/DD/YYYY, D.M.YY or DD-MMM-YYYY.',
  );
}

function settleDetected(
  detected: DetectedDateFormat,
  request: Pick<Parameters<typeof settleDateFormat>[0], 'dates' | 'hasDecimalComma' | 'dateColumn'>,
): SettledDateFormat {
  if (detected.outcome === 'found') {
    return settled(detected.format, detected.byWitness === true ? { note: 'another column of dates tells' } : {});
  }
  if (detected.outcome === 'none') {
    const { unreadable } = request.dates;
    // Without one date in the file, no row will need the format.
    if (unreadable === undefined) return settled('YYYY-MM-DD');
    throw new UsageError(
      `Nothing in the column "${request.dateColumn}" is a date of a known format: "${unreadable}".`,
      'Name the column with --date-column, or say how it is written with --date-format.',
    );
  }
  const [first, second] = detected.formats;
  const dayFirst = detected.formats.find((format) => /^DD.?MM/.test(format));
  const isSwap = detected.formats.some((format) => format.startsWith('MM'));
  if (request.hasDecimalComma && isSwap && !detected.isMixed && dayFirst !== undefined) {
    return settled(dayFirst, { note: 'as where amounts have a decimal comma' });
  }
  if (detected.isMixed) {
    throw new UsageError(
      `The file mixes dates written as ${first} with dates written as ${second}, such as "${detected.example}".`,
      `Say which with --date-format ${first} or --date-format ${second}; rows written the other way will fail.`,
    );
  }
  throw new UsageError(
    `The date "${detected.example}" can be read as ${first} and as ${second}.`,
    `Say which with --date-format ${first} or --date-format ${second}.`,
  );
}
