import { DateFormatDetector } from '../values/detect-date-format.js';

/**
 * Detects the date format of a file: call `add` for every date, then use `detector`. If no date has an apostrophe or a year of four
 * digits, the year may also be at the front, as in `26/01/13`. In this case, the rules for CSV files decide where the year is.
 */
export class QifDates {
  /** Receives every date as {@link plainQifDate} returns it, usually with a year of four digits. */
  readonly #full: DateFormatDetector;
  /** Receives every date, with a two-digit year unchanged. */
  readonly #short = new DateFormatDetector();
  readonly #requested: string | undefined;
  #hasFullYear = false;

  /** @param requested the format that the user named, as {@link plainQifDateFormat} returns it */
  constructor(requested: string | undefined) {
    this.#requested = requested;
    this.#full = new DateFormatDetector(requested);
  }

  add(text: string): void {
    this.#full.add(plainQifDate(text, this.#requested));
    const parts = splitDate(text);
    this.#short.add(parts === undefined ? text.trim() : parts.numbers.join(parts.separator));
    if (parts?.hasYearAtEnd ?? /^\d{4}/.test(text)) this.#hasFullYear = true;
  }

  /** The detector with all dates of the file. Convert its format with {@link plainQifDateFormat}. */
  get detector(): DateFormatDetector {
    return this.#requested !== undefined || this.#hasFullYear ? this.#full : this.#short;
  }
}

/**
 * Returns a QIF date with its full year and without spaces: `1/ 2'19` → `1/2/2019`, `12.31.99` → `12.31.1999`. Quicken
 * writes an apostrophe before years from 2000 on, but other programs do not. So a year of two digits without an apostrophe
 * is read as a year from 1970 to 2069. A text in another form, such as `2026-01-13`, is only trimmed.
 * @param format the format of the file; if it begins with a two-digit year, a date such as `26/ 1/13` loses only its spaces
 */
export function plainQifDate(text: string, format: string | undefined): string {
  const parts = splitDate(text);
  if (parts === undefined) return text.trim();
  const { separator, numbers, hasApostrophe, hasYearAtEnd } = parts;
  if (format !== undefined && yearAtFront.test(format) && !hasYearAtEnd) return numbers.join(separator);
  const [first, second, year] = numbers;
  return [first, second, fullYear(year, hasApostrophe)].join(separator);
}

/** Converts a date format in the same way as {@link plainQifDate}: `D/M'YY` → `D/M/YYYY`. */
export function plainQifDateFormat(format: string): string {
  const separator = /[/.-]/.exec(format)?.[0] ?? '/';
  const plain = format.replaceAll("'", separator);
  return yearAtFront.test(plain) ? plain : plain.replace(/(?<!y)yy(?!y)/i, 'YYYY');
}

/** Matches a format that begins with a two-digit year. */
const yearAtFront = /^\s*yy(?!y)/i;

/** Returns the parts of a date such as `1/ 2'19` or `26/01/13`; undefined for other texts, such as `2026-01-13`. */
function splitDate(text: string) {
  const parts = /^(\d{1,2})\s*([/.-])\s*(\d{1,2})\s*(['/.-])\s*(\d{1,4})$/.exec(text.trim());
  if (parts === null) return undefined;
  const [, first = '', separator = '', second = '', yearSeparator, third = ''] = parts;
  const hasApostrophe = yearSeparator === "'";
  const numbers = [first, second, third.padStart(2, '0')] as const;
  return { separator, numbers, hasApostrophe, hasYearAtEnd: hasApostrophe || third.length > 2 };
}

function fullYear(text: string, hasApostrophe: boolean): string {
  if (text.length > 2) return text;
  const year = Number(text);
  return String((hasApostrophe || year < 70 ? 2000 : 1900) + year);
}
