import { isCalendarDate } from '@centavo/contracts/calls';
import { isPlainAscii, toAsciiDigits, withoutDirectionMarks } from './characters.js';

/** Parses a date of a statement: returns `YYYY-MM-DD`, or undefined if the text is not a real date in the parser's format. */
export type DateReader = (text: string) => string | undefined;

/**
 * Returns a parser for dates in a format of these tokens: `YYYY` or `YY`; `MMM` (the name of a month), `MM` or `M`; `DD` or `D`. All other
 * characters are literal, as in `MM/DD/YYYY`, `D.M.YY`, `DD-MMM-YYYY`, `YYYY.MM.DD.`.
 *
 * The parser accepts a missing leading zero. It also accepts an apostrophe before the date: some banks write the apostrophe so that a
 * spreadsheet program does not convert the date. The parser ignores a weekday before the date and a time after the date, and never converts
 * the day to another time zone. The two-digit years 70 to 99 mean 1970 to 1999, and 00 to 69 mean 2000 to 2069. In a format with
 * separators, the year 2443 and all later years are read as years of the Buddhist calendar: `01/10/2568` is 2025-10-01. In
 * `09/16/2020 as of 09/15/2020`, as Schwab and Fidelity write it, the parser reads the first date, the day of the booking. The second date
 * is the day on which the booking takes effect.
 * @returns undefined if the format does not name year, month and day once each
 */
export function compileDateFormat(format: string): DateReader | undefined {
  const order: ('year' | 'month' | 'day')[] = [];
  const isSeparated = /[^YMD]/i.test(format.trim());
  const hasName = /MMM/i.test(format);
  const pattern = format
    .trim()
    .toUpperCase()
    .replace(/YYYY|YY|MMM|MM|M|DD|D|[^YMD]+/g, (token) => {
      const known = tokens[token];
      if (known === undefined) return separatorPattern(token);
      order.push(known.part);
      // Without separators, only the first number may lack its leading zero: `1112026` as `DDMMYYYY` is 1 November, not 11 January.
      if (!isSeparated && order.length > 1 && /^(MM|DD)$/.test(token)) return '(\\d{2})';
      return hasName && known.part === 'day' ? `${known.pattern}(?:st|nd|rd|th|er|º|\\.)?` : known.pattern;
    });
  if ([...order].sort().join() !== 'day,month,year') return undefined;
  // A date without separators may have a time without separators, as in `20240131235959`.
  const time = isSeparated ? timePattern : `(?:${timePattern}|\\d{4}(?:\\d{2})?${ofxZonePattern}?)`;
  const point = hasName ? '\\.?' : '';
  const whole = new RegExp(`^'?${weekdayPattern}${pattern}${point}${time}?${asOfPattern}?$`, 'iu');
  const [year, month, day] = (['year', 'month', 'day'] as const).map((part) => order.indexOf(part) + 1) as [
    number,
    number,
    number,
  ];
  return (text) => {
    const date = plainSpelling(text).trim();
    if (!isSeparated && unixMilliseconds.test(date)) return undefined;
    const parts = whole.exec(date);
    if (parts === null || (hasName && ambiguousMonth.test(text))) return undefined;
    return calendarDate(readYear(parts[year] ?? '', isSeparated), readMonth(parts[month] ?? ''), Number(parts[day]));
  };
}

/** Replaces the digits of other scripts, and full-width digits and punctuation (`２０２６／０１／１３`), by their ASCII forms. */
function plainSpelling(text: string): string {
  if (isPlainAscii(text)) return text;
  const halfWidth = text.replace(/[！-～]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0));
  return toAsciiDigits(withoutDirectionMarks(halfWidth));
}

/** Removes the time after a date. The parsers that `compileDateFormat` returns ignore this time. */
export function withoutTime(text: string): string {
  return text.length > 10 ? text.replace(timeAtEnd, '') : text;
}

/** Matches a time in milliseconds since 1970. Without this check, `1232000123456` could be read as 1/23/2000, 12:34:56. */
const unixMilliseconds = /^1\d{12}$/;

// İşbank writes `05/03/2026-11:22:33`.
// Neteller writes `30-05-2026 / 10:11`.
const timePattern =
  '(?:(?:T|,?\\s+)\\d{1,2}[:.]\\d{2}.*|\\s+/\\s+\\d{1,2}:\\d{2}.*|-\\d{2}:\\d{2}:\\d{2}|Z|[+-]\\d{2}:\\d{2})';
/** The optional milliseconds and the optional time zone of an OFX time, as in `20091224120000.000[0:GMT]`. */
const ofxZonePattern = '(?:(?:\\.\\d{1,3})?(?:\\[[^\\]]*\\])?)';
/** Matches ` as of 09/15/2020` in `09/16/2020 as of 09/15/2020`. */
const asOfPattern = '(?:\\s+as of\\s.*)';
const timeAtEnd = /(?<=\d\.?)(?:T|,?\s+(?:\/\s+)?|-)\d{1,2}:\d{2}.*$/iu;

/**
 * The English weekdays and their abbreviations, and the abbreviations of German, Dutch, French and Spanish weekdays. No other word is
 * allowed before the date: `Pending 2026-01-13` is not a date.
 */
const weekdayPattern =
  '(?:(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom)\\.?,?\\s+)?';

const tokens: Readonly<Record<string, { part: 'year' | 'month' | 'day'; pattern: string }>> = {
  YYYY: { part: 'year', pattern: '(\\d{4})' },
  YY: { part: 'year', pattern: '(\\d{2})' },
  // Thai names contain dots and marks, as in `ก.ย.` and `มี.ค.`.
  MMM: { part: 'month', pattern: '(\\p{L}{3,12}|[\\p{Script=Thai}.]{4,12})\\.?' },
  MM: { part: 'month', pattern: '(\\d{1,2})' },
  M: { part: 'month', pattern: '(\\d{1,2})' },
  DD: { part: 'day', pattern: '(\\d{1,2})' },
  D: { part: 'day', pattern: '(\\d{1,2})' },
};

/** Returns the pattern of the characters between two parts of a date. A space also matches ` de `, as in `1 de enero de 2026`. */
function separatorPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, '\\s+(?:de\\s+)?');
}

/**
 * Returns the Gregorian year. A Thai bank may write the year of the Buddhist calendar, which is 543 higher. In a date without separators
 * such a year is not converted, because other numbers of eight digits could then look like dates.
 */
function readYear(text: string, isSeparated: boolean): number {
  const year = Number(text);
  if (text.length === 4) return isSeparated && year >= yearMin + buddhistOffset ? year - buddhistOffset : year;
  return year < 70 ? 2000 + year : 1900 + year;
}

const buddhistOffset = 543;

function readMonth(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (readMonthName(text) ?? 0);
}

/** The first and the last accepted year. Without these limits, other numbers could be read as dates. */
const [yearMin, yearMax] = [1900, 2199];

function calendarDate(year: number, month: number, day: number): string | undefined {
  if (year < yearMin || year > yearMax) return undefined;
  const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

/**
 * Returns the month, 1 to 12, of a full or shortened name in the languages of banks: `Dec`, `Sept.`, `Januar`, `févr.`,
 * `ene`, `grudnia`, `янв`. Returns undefined if no month or several months match the name.
 */
export function readMonthName(text: string): number | undefined {
  const name = canonicalName(text);
  const english = englishNames.findIndex((month) => month.startsWith(name)) + 1;
  if (english > 0 && name.length >= 3) return english;
  names ??= collectNames();
  const exact = names.get(name);
  if (exact !== undefined) return exact.size === 1 ? [...exact][0] : undefined;
  if (name.length < 3) return undefined;
  beginnings ??= new Set([...names.keys()].map((known) => known.slice(0, 3)));
  // Most words of a statement do not begin like the name of a month, and the search below is slow.
  if (!beginnings.has(name.slice(0, 3))) return undefined;
  const begun = new Set([...names].flatMap(([known, months]) => (known.startsWith(name) ? [...months] : [])));
  return begun.size === 1 ? [...begun][0] : undefined;
}

const englishNames = 'january february march april may june july august september october november december'.split(' ');

/**
 * Returns the part of an error message that explains an ambiguous month: its name means one month in Croatian, and another in Polish or
 * Czech. `lip` is June in Croatian and July in Polish, `srp` is July in Croatian and August in Czech, and `listopad` is October in Croatian
 * and November in Polish and Czech. `15 listopada 2025` is read as Polish. With a dot, `15. listopada 2025` may be Croatian, so it is
 * ambiguous.
 *
 * @returns undefined if the date has no such name
 */
export function explainAmbiguousMonth(text: string): string | undefined {
  const name = ambiguousMonth.exec(text)?.[0];
  return name === undefined ? undefined : `"${name}" means another month in Croatian than in Polish or Czech`;
}

const ambiguousMonth = /(?<!\p{L})(?:lip|srp|lis(?:t(?:o(?:p(?:ad?)?)?)?)?)(?!\p{L})|(?<=\d\.\s*)listopada(?!\p{L})/iu;

/**
 * Languages whose names of months do not contradict each other. Croatian is left out: its `lipanj` and `srpanj` are June and
 * July, but the Polish `lipiec` and the Czech `srpen` are July and August.
 */
const languages = 'en de fr es it pt ca nl af sv nb da fi et lv lt pl cs sk sl sr bg hu ro tr ru uk el id ms th'.split(
  ' ',
);

/** Maps each name of a month to the months that it may mean; undefined before the first use. */
let names: Map<string, Set<number>> | undefined;
/** The first three letters of each name in `names`. */
let beginnings: ReadonlySet<string> | undefined;

/**
 * Collects the names of the months in all `languages`. This function takes milliseconds, so it runs only once, for the first name that is
 * not English.
 */
function collectNames(): Map<string, Set<number>> {
  const collected = new Map<string, Set<number>>();
  const add = (name: string, month: number) => {
    const known = collected.get(canonicalName(name)) ?? new Set();
    collected.set(canonicalName(name), known.add(month));
  };
  for (const language of languages) {
    for (const width of ['long', 'short'] as const) {
      // In some languages, the month after a day is in the genitive, as in `5 stycznia`.
      const alone = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' });
      const beside = new Intl.DateTimeFormat(language, { month: width, day: 'numeric', timeZone: 'UTC' });
      for (let month = 1; month <= 12; month += 1) {
        const date = new Date(Date.UTC(2024, month - 1, 15));
        for (const format of [alone, beside]) {
          const name = format.formatToParts(date).find(({ type }) => type === 'month')?.value ?? '';
          if (/\p{L}/u.test(name)) add(name, month);
        }
      }
    }
  }
  return collected;
}

/** Returns a name in lower case, without accents and dots. The vowels of Thai stay: `ม.ค.` is January, `มี.ค.` is March. */
function canonicalName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f.]/g, '')
    .trim()
    .toLowerCase();
}

/** A format that is tried on the dates of every file, and its parser. */
export interface DateCandidate {
  readonly format: string;
  readonly read: DateReader;
}

/**
 * Formats that begin with the month and have dots, such as `MM.DD.YY`, are left out. No known bank writes them, and with
 * them every `02.03.18` would be ambiguous.
 */
const formats = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'YYYY:MM:DD',
  'YYYY.MM.DD.',
  'YYYY. MM. DD.',
  'YYYYMMDD',
  'YYYY年MM月DD日',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'MM-DD-YYYY',
  'DD-MM-YYYY',
  'MMDDYYYY',
  'DDMMYYYY',
  'MM/DD/YY',
  'DD/MM/YY',
  'MM-DD-YY',
  'DD-MM-YY',
  'DD.MM.YYYY',
  'DD.MM.YYYY.',
  'DD. MM. YYYY',
  'DD.MM.YY',
  'YY/MM/DD',
  'YY-MM-DD',
  'YY.MM.DD',
  'DD-MMM-YYYY',
  'DD MMM YYYY',
  'DD MMM, YYYY',
  'DD/MMM/YYYY',
  'DD.MMM.YYYY',
  'DDMMMYYYY',
  'DD-MMM-YY',
  'DD MMM YY',
  'DD/MMM/YY',
  'YYYY-MMM-DD',
  'MMM DD, YYYY',
  'MMM DD YYYY',
  'MMM-DD-YYYY',
] as const;

type Format = (typeof formats)[number];

export const dateCandidates: readonly DateCandidate[] = formats.map((format) => {
  const read = compileDateFormat(format);
  if (read === undefined) throw new RangeError(`Not a date format: ${format}`);
  return { format, read };
});

/**
 * Pairs of indexes in `dateCandidates`. The two formats of a pair differ only in the order of day and month. The first format has the month
 * before the day.
 */
export const swappedPairs: readonly (readonly [number, number])[] = formats.flatMap((format, index) => {
  const swapped = formats.indexOf(format.replace(/^MM(.?)DD/, 'DD$1MM') as Format);
  return /^MM(?!M)/.test(format) ? [[index, swapped] as const] : [];
});

/** Indexes, in `dateCandidates`, of the formats in which all parts are numbers and the year is at the end. */
export const yearLastIndexes: ReadonlySet<number> = new Set(
  formats.flatMap((format, index) => (/^(DD|MM)/.test(format) && !format.includes('MMM') ? [index] : [])),
);

/**
 * For each separator of dates with a two-digit year: the indexes, in `dateCandidates`, of the formats with the year at the end, and of the
 * format with the year at the front. `isUsuallyAtEnd` means that most banks that use this separator put the year at the end.
 */
export const yearPairs: readonly { atEnd: readonly number[]; atFront: number; isUsuallyAtEnd: boolean }[] = [
  {
    atEnd: [formats.indexOf('DD/MM/YY'), formats.indexOf('MM/DD/YY')],
    atFront: formats.indexOf('YY/MM/DD'),
    isUsuallyAtEnd: false,
  },
  {
    atEnd: [formats.indexOf('DD-MM-YY'), formats.indexOf('MM-DD-YY')],
    atFront: formats.indexOf('YY-MM-DD'),
    isUsuallyAtEnd: false,
  },
  { atEnd: [formats.indexOf('DD.MM.YY')], atFront: formats.indexOf('YY.MM.DD'), isUsuallyAtEnd: true },
];
