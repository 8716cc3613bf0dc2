import { isCalendarDate } from '@centavo/contracts/calls';
import { readMonthName } from './dates.js';

/** The first and the last day of a statement, such as `2026-06-01` and `2026-06-30`. */
export type StatementPeriod = readonly [first: string, last: string];

/**
 * Finds the period of a statement in the lines above its headers: in one line, such as `Periodo: 01/06/2026 - 30/06/2026` and
 * `June 1, 2026 to June 30, 2026`, or in two lines, such as `Desde: 01/06/2026` and `Hasta: 30/06/2026`. The period is at most about a
 * year long. The order of day and month in its dates must be certain: one of them has a day above 12, or both have the year at the front or
 * the name of the month.
 */
export class PeriodSearch {
  readonly #periods = new Map<string, StatementPeriod>();
  #firstDate: string | undefined;

  addLine(line: string): void {
    if (line.length > lineLengthMax) return;
    const dates = line.match(datePattern) ?? [];
    const [date = ''] = dates;
    if (dates.length === 2) this.#add(dates);
    else if (dates.length === 1 && firstDayLabel.test(line)) this.#firstDate = date;
    else if (dates.length === 1 && lastDayLabel.test(line) && this.#firstDate !== undefined)
      this.#add([this.#firstDate, date]);
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
    const [period] = periods;
    if (period === undefined || periods.length > 1) return;
    const days = (Date.parse(period[1]) - Date.parse(period[0])) / 86_400_000;
    if (days >= 0 && days <= daysMax) this.#periods.set(period.join(), period);
  }
}

const lineLengthMax = 200;
const daysMax = 400;
const numericDate = '\\d{1,2}([./-])\\d{1,2}\\1\\d{4}|\\d{4}([./-])\\d{1,2}\\2\\d{1,2}';
/** A comma may have split the line into cells, so that two spaces follow the day. */
const namedDate = '\\p{L}{3,12}\\.? \\d{1,2},? {1,2}\\d{4}|\\d{1,2}\\.? (?:de )?\\p{L}{3,12}\\.?,? (?:de )?\\d{4}';
const datePattern = new RegExp(`(?<![\\d\\p{L}./-])(?:${numericDate}|${namedDate})(?![\\d/-])`, 'gu');
/** Matches the label of a line with only the first day: `Desde`, `Start date` and `Fecha inicial`. */
const firstDayLabel =
  /^\W*(?:(?:date|data|fecha|datum|period)\W+)?(?:from|start|desde|inicial|inicio|von|du|dal|dalla|van|od|de)(?!\p{L})/iu;
const lastDayLabel =
  /^\W*(?:(?:date|data|fecha|datum|period)\W+)?(?:to|until|end|hasta|final|fin|bis|au|al|tot|do|até)(?!\p{L})/iu;

const orders = ['dayFirst', 'monthFirst', 'certain'] as const;

function readDay(text: string, order: (typeof orders)[number]): string | undefined {
  const [first = '', second = '', third = ''] = text.split(/[./-]/);
  const isNumeric = third !== '' && !/\p{L}/u.test(text);
  const isCertain = !isNumeric || first.length === 4;
  if (isCertain !== (order === 'certain')) return undefined;
  if (!isNumeric) return readNamedDay(text);
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
