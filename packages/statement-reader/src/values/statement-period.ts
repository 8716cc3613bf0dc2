import { isCalendarDate } from '@centavo/contracts/calls';
import { explainAmbiguousMonth, readMonthName } from './dates.js';

/** The first and the last day of a statement, such as `2026-06-01` and `2026-06-30`. */
export type StatementPeriod = readonly [first: string, last: string];

/**
 * Finds the period of a statement in the lines above its headers: in one line, such as `Periodo: 01/06/2026 - 30/06/2026` and
 * `Transactions from June 1, 2026 to June 30, 2026`, or in two consecutive lines, such as `Desde: 01/06/2026` and `Hasta: 30/06/2026`.
 *
 * Other lines may have two dates, too, such as `Interest earned 6 April 2025 to 5 April 2026`. So all words of the line must be known as
 * words that describe a period, and the line must have no other numbers. The period must be at most about a year long. The order of day
 * and month in its dates must be certain: one of them has a day above 12, or both have the year at the front or the name of the month.
 */
export class PeriodSearch {
  /** The different periods of the lines. A period is undefined if it is too long, or if the order of its day and month is not certain. */
  readonly #periods = new Map<string, StatementPeriod | undefined>();
  /** The date of the previous line, if that line has only the first day of a period. */
  #firstDate: string | undefined;

  /** Adds the next line that is not empty. */
  addLine(line: string): void {
    const firstDate = this.#firstDate;
    this.#firstDate = undefined;
    if (line.length > lineLengthMax) return;
    const dates = line.match(datePattern) ?? [];
    const label = line.replace(datePattern, ' ').toLowerCase();
    const words = label.match(/\p{L}+/gu) ?? [];
    if (/\d/.test(label) || !words.every((word) => periodWords.has(word))) return;
    const [date = ''] = dates;
    const hasSeparator = words.length > 0 || /[-–—~～]/.test(label);
    if (dates.length === 2 && hasSeparator) this.#add(dates);
    else if (dates.length === 1 && words.some((word) => firstDayWords.has(word))) this.#firstDate = date;
    else if (dates.length === 1 && words.some((word) => lastDayWords.has(word)) && firstDate !== undefined)
      this.#add([firstDate, date]);
  }

  /** The period; undefined if the lines name none, or several. */
  get period(): StatementPeriod | undefined {
    const [period, ...others] = this.#periods.values();
    return others.length === 0 ? period : undefined;
  }

  #add(dates: readonly string[]): void {
    const periods = orders
      .map((order) => dates.map((date) => readDay(date, order)))
      .filter((days): days is [string, string] => days.every((day) => day !== undefined));
    const [period, ...others] = periods;
    const days = period === undefined ? -1 : (Date.parse(period[1]) - Date.parse(period[0])) / 86_400_000;
    const isCertain = period !== undefined && others.length === 0 && days >= 0 && days <= daysMax;
    if (isCertain) this.#periods.set(period.join(), period);
    else this.#periods.set(dates.join(), undefined);
  }
}

const lineLengthMax = 200;
const daysMax = 400;
const numericDate = '\\d{1,2}([./-])\\d{1,2}\\1\\d{4}|\\d{4}([./-])\\d{1,2}\\2\\d{1,2}';
/** A comma may have split the line into cells, so that two spaces follow the day. */
const namedDate = '\\p{L}{3,12}\\.? \\d{1,2},? {1,2}\\d{4}|\\d{1,2}\\.? (?:de )?\\p{L}{3,12}\\.?,? (?:de )?\\d{4}';
const datePattern = new RegExp(`(?<![\\d\\p{L}./-])(?:${numericDate}|${namedDate})(?![\\d/-])`, 'gu');

/** The words of a line with only the first day of a period, such as `Desde`, `Start date` and `Fecha inicial`. */
const firstDayWords = new Set(
  'from start desde inicial inicio início von du dal dalla del van od с 开始 開始'.split(' '),
);
/** The words of a line with only the last day. */
const lastDayWords = new Set(
  'to until through thru end hasta final fin bis au al alla tot do até a по 至 结束 結束'.split(' '),
);
/** The words of a line with a period: English, Spanish, Portuguese, Italian, German, French, Dutch, Polish, and a few others. */
const periodWords = new Set([
  ...firstDayWords,
  ...lastDayWords,
  ...'account activity and between date dates for of period range statement the transaction transactions'.split(' '),
  ...'cuenta de el entre extracto fecha la movimientos operaciones periodo período rango y'.split(' '),
  ...'conta da data e extrato intervalo lançamentos movimentos'.split(' '),
  ...'conto di dati elenco estratto lista movimenti operazioni'.split(' '),
  ...'buchungszeitraum datum kontoauszug kontoumsätze umsätze vom zeitraum zum'.split(' '),
  ...'compte dates des et le opérations période relevé'.split(' '),
  ...'m periode rekeningoverzicht t tm transacties'.split(' '),
  ...'historia okres operacji rachunku wyciąg za zestawienie'.split(' '),
  ...'dönem dönemi fra från obdobie období perioada s till til 期間 照会期間 期间 起止日期 период за'.split(' '),
]);

const orders = ['dayFirst', 'monthFirst', 'certain'] as const;

function readDay(text: string, order: (typeof orders)[number]): string | undefined {
  const [first = '', second = '', third = ''] = text.split(/[./-]/);
  const isNumeric = third !== '' && !/\p{L}/u.test(text);
  const isCertain = !isNumeric || first.length === 4;
  if (isCertain !== (order === 'certain')) return undefined;
  if (!isNumeric) return explainAmbiguousMonth(text) === undefined ? readNamedDay(text) : undefined;
  if (isCertain) return toDay(first, second, third);
  return order === 'dayFirst' ? toDay(third, second, first) : toDay(third, first, second);
}

function readNamedDay(text: string): string | undefined {
  const [name = ''] = text.match(/\p{L}{3,12}/u) ?? [];
  const [day = '', year = ''] = text.match(/\d+/g) ?? [];
  return toDay(year, String(readMonthName(name) ?? ''), day);
}

function toDay(year: string, month: string, day: string): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}
