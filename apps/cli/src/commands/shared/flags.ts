import { UsageError } from '../../errors.js';

/** Flags of a write. */
export interface WriteFlags {
  readonly dryRun?: boolean;
  readonly preview?: boolean;
  readonly idempotencyKey?: string;
}

/**
 * Returns the first and the last day of a month `YYYY-MM`.
 * @param flag the name of the flag whose value is the month, for the error message
 * @throws UsageError (exit 2) when the text is not a month
 */
export function daysOfMonth(flag: string, month: string): readonly [first: string, last: string] {
  const parts = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month);
  if (parts === null) throw new UsageError(`${flag} "${month}" is not a month.`, 'Use a month such as 2026-05.');
  // Day 0 of the next month is the last day of this month.
  const last = new Date(Date.UTC(Number(parts[1]), Number(parts[2]), 0)).getUTCDate();
  return [`${month}-01`, `${month}-${last}`];
}

/**
 * Returns the value of a flag as a number.
 * @throws UsageError (exit 2) when the text is not a whole number of at most nine digits
 */
export function requireWholeNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} "${text}" is not a whole number of at most nine digits.`);
}

/** Returns the earlier values of a repeatable flag together with the next value. */
export function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}
