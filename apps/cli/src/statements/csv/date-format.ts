import { readMonthName } from './month-names.js';

/** Reads a date of a statement: `YYYY-MM-DD`, or undefined when the text is not a real date of this format. */
export type DateReader = (text: string) => string | undefined;

/**
 * A reader for dates written as `format` says, in tokens: `YYYY YY`, `MMM` (a month's name, in the languages of banks)
 * `MM M`, `DD D`; everything else stands for itself, as in `MM/DD/YYYY`, `D.M.YY`, `DD-MMM-YYYY`, `YYYY.MM.DD.`.
 *
 * A missing leading zero is accepted, a weekday before the date and a time behind it are ignored (the day is the one
 * that is written, in whatever zone), and dates that no calendar has are refused. Two-digit years are 1970–2069:
 * statements are of the past and of money that exists.
 *
 * @returns undefined when the format does not name year, month and day once each
 */
export function compileDateFormat(format: string): DateReader | undefined {
  const order: ('year' | 'month' | 'day')[] = [];
  const hasName = /MMM/i.test(format);
  const pattern = format
    .trim()
    .toUpperCase()
    .replace(/YYYY|YY|MMM|MM|M|DD|D|[^YMD]+/g, (token) => {
      const known = tokens[token];
      if (known === undefined) return separatorPattern(token);
      order.push(known.part);
      return hasName && known.part === 'day' ? `${known.pattern}(?:st|nd|rd|th|er|º|\\.)?` : known.pattern;
    });
  if ([...order].sort().join() !== 'day,month,year') return undefined;
  // Without separators the time can have none either: 20240131235959.
  const time = /[^YMD]/i.test(format.trim()) ? timePattern : `(?:${timePattern}|\\d{4}(?:\\d{2})?)`;
  const whole = new RegExp(`^${weekdayPattern}${pattern}${time}?$`, 'iu');
  const [year, month, day] = (['year', 'month', 'day'] as const).map((part) => order.indexOf(part) + 1) as [
    number,
    number,
    number,
  ];
  return (text) => {
    const parts = whole.exec(text.trim());
    if (parts === null) return undefined;
    return calendarDate(readYear(parts[year] ?? ''), readMonth(parts[month] ?? ''), Number(parts[day]));
  };
}

/** The text without the time behind the date: what all readers ignore. */
export function withoutTime(text: string): string {
  return text.length > 10 ? text.replace(timeAtEnd, '') : text;
}

const timePattern = '(?:(?:T|,?\\s+)\\d{1,2}[:.]\\d{2}.*|Z|[+-]\\d{2}:\\d{2})';
const timeAtEnd = /(?<=\d)(?:T|,?\s+)\d{1,2}:\d{2}.*$/iu;

/** Names of days as banks shorten them; any word would let `Pending 2026-01-13` pass for a date. */
const weekdayPattern =
  '(?:(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom)\\.?,?\\s+)?';

const tokens: Readonly<Record<string, { part: 'year' | 'month' | 'day'; pattern: string }>> = {
  YYYY: { part: 'year', pattern: '(\\d{4})' },
  YY: { part: 'year', pattern: '(\\d{2})' },
  MMM: { part: 'month', pattern: '(\\p{L}{3,12})\\.?' },
  MM: { part: 'month', pattern: '(\\d{1,2})' },
  M: { part: 'month', pattern: '(\\d{1,2})' },
  DD: { part: 'day', pattern: '(\\d{1,2})' },
  D: { part: 'day', pattern: '(\\d{1,2})' },
};

/** `1 de enero de 2026` is written like `1 enero 2026`. */
function separatorPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, '\\s+(?:de\\s+)?');
}

function readYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

function readMonth(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (readMonthName(text) ?? 0);
}

/** Years beyond these are other numbers that look like dates. */
const [yearMin, yearMax] = [1900, 2199];
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function calendarDate(year: number, month: number, day: number): string | undefined {
  if (year < yearMin || year > yearMax || day < 1 || day > (daysOfMonth[month - 1] ?? 0)) return undefined;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2 && day === 29 && !isLeap) return undefined;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
