import { isCalendarDate } from '@centavo/contracts/calls';

/**
 * Returns the first and the last day of the period that a line names, such as `Periodo: 01/06/2026 - 30/06/2026`, as `2026-06-01` and
 * `2026-06-30`. The line must have exactly two dates with a four-digit year, at most about a year apart. One of them must have a day above
 * 12, or both must have the year at the front, so that the order of their day and month is certain.
 */
export function readStatementPeriod(line: string): readonly [first: string, last: string] | undefined {
  if (line.length > lineLengthMax) return undefined;
  const dates = line.match(datePattern) ?? [];
  if (dates.length !== 2) return undefined;
  const periods = orders
    .map((order) => dates.map((date) => readDay(date, order)))
    .filter((days): days is [string, string] => days.every((day) => day !== undefined));
  const [period, ...others] = periods.filter(([first, last]) => {
    const days = (Date.parse(last) - Date.parse(first)) / 86_400_000;
    return days >= 0 && days <= daysMax;
  });
  return periods.length === 1 && others.length === 0 ? period : undefined;
}

const lineLengthMax = 200;
const daysMax = 400;
const datePattern = /(?<![\d./-])(?:\d{1,2}([./-])\d{1,2}\1\d{4}|\d{4}([./-])\d{1,2}\2\d{1,2})(?![\d/-])/g;
const orders = ['dayFirst', 'monthFirst', 'yearFirst'] as const;

function readDay(text: string, order: (typeof orders)[number]): string | undefined {
  const [first = '', second = '', third = ''] = text.split(/[./-]/);
  if ((first.length === 4) !== (order === 'yearFirst')) return undefined;
  const [year, month, day] =
    order === 'yearFirst'
      ? [first, second, third]
      : order === 'dayFirst'
        ? [third, second, first]
        : [third, first, second];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}
