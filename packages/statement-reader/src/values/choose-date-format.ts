import { StatementError } from '../statement-error.js';
import { compileDateFormat, explainAmbiguousMonth } from './dates.js';
import type { DateFormatDetector, DateSource, DetectedDateFormat } from './detect-date-format.js';
import { areOfNepaliCalendar, areYearsOfEra, describeCalendar, isOfBuddhistCalendar, mayUseEras } from './eras.js';

/** The date format of a file, with a note and advice for the user. */
export interface ChosenDateFormat {
  readonly dateFormat: string;
  readonly dateFormatNote: string | undefined;
  readonly dateAdvice: string | undefined;
}

/**
 * Chooses the date format of a file. Uses the first of these formats that exists: the requested format; the saved format, if the dates do
 * not contradict it; the detected format. If the dates fit two formats and the saved format decides, the note names the other format,
 * because the bank may have changed its format.
 *
 * A day above 12, in the date column or in another column of dates, shows the order of day and month. A decimal comma or the language of
 * the headers does not show this order, because banks of the same language write dates in both orders.
 *
 * @param request.dates the detector, to which all dates of the file were added. Its `watched` format is the requested format or, if none is
 *   requested, the saved format
 * @throws StatementError in three cases: the requested format is invalid; the years seem to be of the Nepali calendar (such as 2082 for
 *   2026); or neither a requested nor a saved format decides, and no format can be detected. No format can be detected if the dates are
 *   ambiguous, the file mixes two formats, the years may be of an era (such as 8 for 2026) or of the Buddhist calendar (such as 69), or the
 *   column has values but no date
 */
export function chooseDateFormat(request: {
  readonly dates: DateFormatDetector;
  readonly requested: string | undefined;
  readonly saved: string | undefined;
  readonly dateColumn: string;
}): ChosenDateFormat {
  const { dates, requested, saved } = request;
  const detected = dates.decide();
  requireNoNepaliYear(request);
  if (requested !== undefined) {
    const advice =
      dates.hasDates && !dates.watchedReadsAny ? adviseFormat(checkFormat(requested), detected) : undefined;
    return chosen(
      checkFormat(requested),
      advice === undefined ? {} : { advice, note: 'no date of the file has this format' },
    );
  }
  if (saved === undefined || compileDateFormat(saved) === undefined) return chooseDetected(detected, request);
  if (dates.contradictsWatched) {
    const { dateFormat } = chooseDetected(detected, request);
    return chosen(dateFormat, { note: `the dates contradict the saved ${saved}` });
  }
  if (detected.outcome !== 'ambiguous') return chosen(saved);
  const other = detected.formats.find((format) => format !== saved);
  return chosen(saved, { note: `as saved; the dates of this file can also be read as ${other}` });
}

function chosen(dateFormat: string, remarks: { note?: string; advice?: string } = {}): ChosenDateFormat {
  return { dateFormat, dateFormatNote: remarks.note, dateAdvice: remarks.advice };
}

function adviseFormat(requested: string, detected: DetectedDateFormat): string {
  const finding = `No date of the file is written as ${requested}`;
  if (detected.outcome === 'none') return `${finding}.`;
  const fitting = detected.outcome === 'found' ? detected.format : detected.formats.join(' or ');
  return `${finding}; --date-format ${fitting} would fit.`;
}

function checkFormat(format: string): string {
  if (compileDateFormat(format) !== undefined) return format;
  throw new StatementError(
    `--date-format "${format}" does not name year, month and day once each.`,
    'Write it in tokens, such as MM/DD/YYYY, D.M.YY or DD-MMM-YYYY.',
  );
}

const notes: Readonly<Record<DateSource, string>> = {
  column: 'according to another column of dates',
  period: 'according to the period above the headers',
};

function chooseDetected(
  detected: DetectedDateFormat,
  request: Pick<Parameters<typeof chooseDateFormat>[0], 'dates' | 'dateColumn'>,
): ChosenDateFormat {
  const { shortYears } = request.dates;
  requireNoBuddhistYear(detected, { example: shortYears.example, header: request.dateColumn });
  if (detected.outcome === 'found') {
    if (mayUseEras(request.dateColumn) && areYearsOfEra(detected.format, shortYears)) {
      throw new StatementError(
        `The dates in the column "${request.dateColumn}" may have years of an era, for example "${shortYears.example}".`,
        `If the years are Gregorian and in the order ${detected.format}, use --date-format ${detected.format}. Otherwise, replace the dates in the file by Gregorian dates, such as 2026-01-13.`,
        { dateFormat: detected.format },
      );
    }
    const { format, decidedBy } = detected;
    return chosen(format, decidedBy === undefined ? {} : { note: notes[decidedBy] });
  }
  if (detected.outcome === 'none') {
    const { unreadable } = request.dates;
    // A file without dates needs no format.
    if (unreadable === undefined) return chosen('YYYY-MM-DD');
    const ambiguity = explainAmbiguousMonth(unreadable);
    if (ambiguity !== undefined) {
      throw new StatementError(
        `The date "${unreadable}" is ambiguous: ${ambiguity}.`,
        'In the file, replace the names of the months by numbers.',
      );
    }
    throw new StatementError(
      `No value in the column "${request.dateColumn}" is a date in a known format. The column has, for example, "${unreadable}".`,
      remedyOf(unreadable, request.dateColumn),
    );
  }
  const [first, second] = detected.formats;
  if (detected.isMixed) {
    throw new StatementError(
      `The file mixes dates written as ${first} with dates written as ${second}, such as "${detected.example}".`,
      `Export the statement again, and do not open it in a spreadsheet program before the import. --date-format ${first} or --date-format ${second} reads each date that fits it, even if the date was written in the other format, so some days may be wrong. All other dates fail.`,
      { dateFormat: first },
    );
  }
  const choice = `Choose one with ${detected.formats.map((format) => `--date-format ${format}`).join(' or ')}.`;
  const hasShortYear = detected.formats.some((format) => !format.includes('YYYY'));
  throw new StatementError(
    `The date "${detected.example}" can be read as ${detected.formats.join(' and as ')}.`,
    hasShortYear ? adviseEras(choice, request.dateColumn) : choice,
    { dateFormat: first },
  );
}

/** Refuses dates with years of two digits if these are probably years of the Buddhist calendar, such as 69 for 2026. */
function requireNoBuddhistYear(
  detected: DetectedDateFormat,
  { example, header }: { readonly example: string; readonly header: string },
): void {
  const formats =
    detected.outcome === 'found' ? [detected.format] : detected.outcome === 'none' ? [] : detected.formats;
  if (!formats.some((format) => isOfBuddhistCalendar(example, { format, header }))) return;
  throw new StatementError(
    `The dates in the column "${header}" seem to have years of the Buddhist calendar with two digits, for example "${example}".`,
    'In the file, write these years with four digits, such as 2569 for 2026.',
  );
}

/** Refuses dates whose years are probably of the Nepali calendar. The server would refuse them too, because they are in the future. */
function requireNoNepaliYear({
  dates,
  dateColumn,
}: Pick<Parameters<typeof chooseDateFormat>[0], 'dates' | 'dateColumn'>) {
  const { earliest } = dates;
  if (earliest === undefined || !areOfNepaliCalendar(earliest)) return;
  throw new StatementError(
    `The dates in the column "${dateColumn}" seem to have years of the Nepali calendar (Bikram Sambat): the earliest is ${earliest}.`,
    'Replace the dates in the file by Gregorian dates, such as 2026-01-13, or name another column with --date-column.',
  );
}

function adviseEras(remedy: string, dateColumn: string): string {
  if (!mayUseEras(dateColumn)) return remedy;
  return `${remedy} If the years are of an era, such as 8 for 2026, replace the dates in the file by Gregorian dates, such as 2026-01-13.`;
}

function remedyOf(unreadable: string, dateColumn: string): string {
  if (isSerialNumber(unreadable)) {
    return 'Such a number is how a spreadsheet program stores a date. In that program, format the column as dates and export the file again, or name another column with --date-column.';
  }
  if (withoutYear.test(unreadable)) return 'The dates have no year. Write the year into each date of the file.';
  const calendar = describeCalendar(unreadable);
  if (calendar !== undefined) {
    return `${calendar} Replace the dates in the file by Gregorian dates, such as 2026-01-13, or name another column with --date-column.`;
  }
  if (isUnixTime(unreadable)) {
    return 'Such a number may be the time since 1970, in seconds or milliseconds. Replace the dates in the file by dates such as 2026-01-13, or name another column with --date-column.';
  }
  return adviseEras('Name the column with --date-column, or set its format with --date-format.', dateColumn);
}

/** Matches a day and a month without a year, such as `'01/02` or `16 Sep`. */
const withoutYear = /^'?(\d{1,2}[./-]\d{1,2}\.?|\d{1,2}\.?[ -]\p{L}{3,9}\.?|\p{L}{3,9}\.? \d{1,2})'?$/u;

/** Returns whether a text may be the number of seconds or milliseconds since 1970. Only times of the years 2001 to 2033 count. */
function isUnixTime(text: string): boolean {
  return /^1\d{9}(\d{3})?([.,]\d+)?$/.test(text);
}

/** Returns whether a text may be the number of days since 1900, as spreadsheets store dates. Only days of the years 1954 to 2064 count. */
function isSerialNumber(text: string): boolean {
  const days = /^\d{5}(?=$|[.,]\d+$)/.exec(text)?.[0];
  return days !== undefined && Number(days) >= 20_000 && Number(days) <= 60_000;
}
