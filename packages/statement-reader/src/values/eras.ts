import { compileDateFormat } from './dates.js';

/**
 * Returns whether the header of a date column is in Japanese or Chinese. A year of one or two digits may then count the years of a Japanese
 * era (8 is 2026), or of the Minguo calendar of Taiwan (99 is 2010).
 */
export function mayUseEras(header: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(header);
}

/** The dates of a file that have a year of two digits. */
export interface ShortYears {
  /** The numbers at the beginning of the dates. */
  readonly firstNumbers: ReadonlySet<number>;
  readonly example: string;
}

/**
 * Returns whether `format` may be a wrong guess: the dates match it, but may in fact begin with the year of an era. Returns false if the
 * format has a year of four digits or the name of a month. The other formats have a year of two digits:
 *
 * - If the format begins with the year, the result is true if a year is not from 20 to 29. Years from 20 to 29 are probably Gregorian.
 * - If the format does not begin with the year, the result is true if the dates begin with at most two different numbers. A file usually
 *   has more than two different days, but at most two different years. So if the first number has at most two values, it may be the year
 *   of an era. The rule is the same for a format that begins with the month.
 */
export function areYearsOfEra(format: string, { firstNumbers }: ShortYears): boolean {
  if (format.includes('YYYY') || format.includes('MMM')) return false;
  if (!format.startsWith('YY')) return firstNumbers.size <= 2;
  return [...firstNumbers].some((year) => year < 20 || year > 29);
}

/**
 * Returns whether a date has a year of two digits that is probably of the Buddhist calendar: the Gregorian year would be after 2042, or
 * before 2000 in a column with a Thai header. For example, `69` is 2569 of the Buddhist calendar, which is 2026.
 */
export function isOfBuddhistCalendar(date: string, { format, header }: { format: string; header: string }): boolean {
  if (format.includes('YYYY')) return false;
  const read = compileDateFormat(format)?.(date);
  if (read === undefined) return false;
  return read > '2043' || (read < '2000' && /\p{Script=Thai}/u.test(header));
}

/**
 * Returns whether the dates of a file probably have years of the Nepali calendar, because the earliest is decades in the future. The
 * years from 2070 to 2089 of this calendar began in 2013 to 2032.
 */
export function areOfNepaliCalendar(earliest: string): boolean {
  return earliest >= '2070' && earliest < '2090';
}

/**
 * Returns a sentence that names the calendar that a date may use: the Persian calendar, a Japanese era or the Minguo calendar. Returns
 * undefined if the date has the form of none of these.
 */
export function describeCalendar(date: string): string | undefined {
  // NFKC replaces a full-width character by its normal form, and a one-character era name such as `㋿` by `令和`.
  const text = date.normalize('NFKC').trim();
  if (persianYear.test(text)) return 'The year may be of the Persian calendar.';
  if (japaneseEra.test(text)) return 'The year may be of a Japanese era.';
  if (taiwaneseYear.test(text)) return 'The year may be of the Minguo calendar (Taiwan).';
  if (yearOfUnknownEra.test(text)) return 'The year may be of a Japanese era, or of the Minguo calendar (Taiwan).';
  return undefined;
}

/** Matches a date with a year of the Persian calendar, such as `1404/07/13` for 2025-10-05. */
const persianYear = /^1[34]\d\d[./-]\d{1,2}[./-]\d{1,2}(?!\d)/;

/** Matches a date with a year of a Japanese era, such as `R8.01.13` or `令和8年1月13日` for 2026-01-13. The first year of an era may be `元`. */
const japaneseEra =
  /^(?:[RHSTM]|令和?|平成?|昭和?|大正?|明治?)\s?(?:(?:\d{1,2}|元)\s?[./年-]\s?\d{1,2}\s?[./月-]\s?\d{1,2}|\d{6})(?!\d)/i;

/**
 * Matches a date in the Minguo calendar of Taiwan, whose years are the Gregorian years minus 1911: `115/01/02`, `1150102` or `民國115年1月2日`
 * for 2026-01-02.
 */
const taiwaneseYear =
  /^(?:(?:中華)?民[國国]\s?\d{1,3}|1\d\d)(?:\s?[./年-]\s?\d{1,2}\s?[./月-]\s?\d{1,2}|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?!\d)/;

/** Matches a date with a short year and the characters for year, month and day, such as `8年1月13日`. */
const yearOfUnknownEra = /^\d{1,2}\s?年\s?\d{1,2}\s?月\s?\d{1,2}/;
