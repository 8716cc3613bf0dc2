/** Reads a date of a statement: `YYYY-MM-DD`, or undefined when the text is not a real date of this format. */
export type DateReader = (text: string) => string | undefined;

/**
 * A reader for dates written as `format` says, in tokens: `YYYY YY`, `MMM` (a month's English name) `MM M`, `DD D`;
 * everything else stands for itself, as in `MM/DD/YYYY`, `D.M.YY`, `DD-MMM-YYYY`, `YYYY.MM.DD.`.
 *
 * A missing leading zero is accepted, a time after the date is ignored, and dates that no calendar has are refused.
 * Two-digit years are 1970–2069: statements are of the past and of money that exists.
 *
 * @returns undefined when the format does not name year, month and day once each
 */
export function compileDateFormat(format: string): DateReader | undefined {
  const order: ('year' | 'month' | 'day')[] = [];
  const pattern = format
    .trim()
    .toUpperCase()
    .replace(/YYYY|YY|MMM|MM|M|DD|D|[^YMD]+/g, (token) => {
      const known = tokens[token];
      if (known === undefined) return escapePattern(token);
      order.push(known.part);
      return known.pattern;
    });
  if ([...order].sort().join() !== 'day,month,year') return undefined;
  const whole = new RegExp(`^${pattern}(?:[T ]+\\d{1,2}:\\d{2}.*)?$`, 'i');
  return (text) => {
    const parts = whole.exec(text.trim())?.slice(1);
    if (parts === undefined) return undefined;
    const partOf = (part: 'year' | 'month' | 'day') => parts[order.indexOf(part)] ?? '';
    return calendarDate(readYear(partOf('year')), readMonth(partOf('month')), Number(partOf('day')));
  };
}

const tokens: Readonly<Record<string, { part: 'year' | 'month' | 'day'; pattern: string }>> = {
  YYYY: { part: 'year', pattern: '(\\d{4})' },
  YY: { part: 'year', pattern: '(\\d{2})' },
  MMM: { part: 'month', pattern: '([a-z]{3,9})\\.?' },
  MM: { part: 'month', pattern: '(\\d{1,2})' },
  M: { part: 'month', pattern: '(\\d{1,2})' },
  DD: { part: 'day', pattern: '(\\d{1,2})' },
  D: { part: 'day', pattern: '(\\d{1,2})' },
};

const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

function readYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

function readMonth(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  return monthNames.findIndex((name) => name.startsWith(text.toLowerCase())) + 1;
}

function calendarDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(year, month - 1, day);
  if (month < 1 || month > 12 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.toISOString().slice(0, 10);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
