/**
 * Returns whether the header of a date column is in Japanese or Chinese. A year of one or two digits may then count the years of a Japanese
 * era (8 is 2026), or of the calendar of Taiwan (99 is 2010).
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
 * Returns whether the dates may have years of an era at the front, although they can be read in a format with a two-digit year. If the
 * format has the year at the front, a year from 2020 to 2029 is probably Gregorian. If it has the year at the end, the first number is a
 * day. The days of a file are usually more than two different numbers, but the years of a file are not.
 */
export function areYearsOfEra(format: string, { firstNumbers }: ShortYears): boolean {
  if (format.includes('YYYY') || format.includes('MMM')) return false;
  if (!format.startsWith('YY')) return firstNumbers.size <= 2;
  return [...firstNumbers].some((year) => year < 20 || year > 29);
}

/** Returns the clause that names the calendar of a date that is not Gregorian; undefined if the date has no such form. */
export function describeCalendar(date: string): string | undefined {
  // NFKC replaces a full-width character by its normal form, and the character of an era by its name.
  const text = date.normalize('NFKC').trim();
  if (persianYear.test(text)) return 'The year may be of the Persian calendar.';
  if (japaneseEra.test(text)) return 'The year may be of a Japanese era.';
  if (taiwaneseYear.test(text)) return 'The year may be of the calendar of Taiwan.';
  if (yearOfUnknownEra.test(text)) return 'The year may be of a Japanese era, or of the calendar of Taiwan.';
  return undefined;
}

/** Matches a date with a year of the Persian calendar, such as `1404/07/13` for 2025-10-05. */
const persianYear = /^1[34]\d\d[./-]\d{1,2}[./-]\d{1,2}(?!\d)/;

/** Matches a date with a year of a Japanese era, such as `R8.01.13` or `令和8年1月13日` for 2026-01-13. The first year may be `元`. */
const japaneseEra =
  /^(?:[RHSTM]|令和?|平成?|昭和?|大正?|明治?)\s?(?:(?:\d{1,2}|元)\s?[./年-]\s?\d{1,2}\s?[./月-]\s?\d{1,2}|\d{6})(?!\d)/i;

/** Matches a date with a year of Taiwan, which is 1911 lower: `115/01/02`, `1150102` or `民國115年1月2日` for 2026-01-02. */
const taiwaneseYear =
  /^(?:(?:中華)?民[國国]\s?\d{1,3}|1\d\d)(?:\s?[./年-]\s?\d{1,2}\s?[./月-]\s?\d{1,2}|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?!\d)/;

/** Matches a date with a short year and the characters for year, month and day, such as `8年1月13日`. */
const yearOfUnknownEra = /^\d{1,2}\s?年\s?\d{1,2}\s?月\s?\d{1,2}/;
