const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * The earliest date that a record may have.
 * @source docs/contract.md, section 1
 */
export const earliestDate = '1900-01-01';

/**
 * The maximum number of days from the current date, in the tracker's time zone, to the date of a movement.
 * @source docs/contract.md, section 1
 */
export const daysAheadMax = 366;

/** Returns whether `text` is a date `YYYY-MM-DD` of the proleptic Gregorian calendar. */
export function isCalendarDate(text: string): boolean {
  const match = datePattern.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const dayMax = month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0);
  return day >= 1 && day <= dayMax;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Adds a number of days, which may be negative, to a date. The date and the result have the format `YYYY-MM-DD`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
