/** A time series: sums of days, months or years, from the first to the last, with zero for periods without movements. */
export interface TimeCourse {
  readonly unit: 'day' | 'month' | 'year';
  readonly first: string;
  readonly last: string;
  readonly values: readonly bigint[];
}

/**
 * Converts sums by day or by month to a time series by day, month or year. Chooses the finest of these units for which the
 * series has at most `valuesMax` values, and no more values than a reader can distinguish. Returns undefined if the series
 * has at most one value, or if it has too many values even by year.
 *
 * @param days sums by day (`YYYY-MM-DD`) or by month (`YYYY-MM`)
 * @param valuesMax the maximum number of values
 */
export function chooseTimeCourse(days: ReadonlyMap<string, bigint>, valuesMax: number): TimeCourse | undefined {
  const dates = [...days.keys()].sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  for (const { unit, length, max } of units) {
    if (length > first.length) continue;
    const periods = periodsBetween(first.slice(0, length), last.slice(0, length), Math.min(max, valuesMax));
    if (periods === undefined) continue;
    if (periods.length < 2) return undefined;
    const sums = new Map<string, bigint>();
    for (const [date, value] of days) sums.set(date.slice(0, length), (sums.get(date.slice(0, length)) ?? 0n) + value);
    return {
      unit,
      first: periods[0] ?? '',
      last: periods.at(-1) ?? '',
      values: periods.map((period) => sums.get(period) ?? 0n),
    };
  }
  return undefined;
}

/**
 * The units, finest first. `length` is the length of the part of a date that identifies the day, month or year, such as 7 for
 * `2026-01`. `max` is the maximum number of values that a reader can distinguish.
 */
const units = [
  { unit: 'day', length: 10, max: 31 },
  { unit: 'month', length: 7, max: 60 },
  { unit: 'year', length: 4, max: 200 },
] as const;

/** Returns every month from the first `YYYY-MM` to the last; undefined if the two are more than a century apart. */
export function monthsBetween(first: string, last: string): readonly string[] | undefined {
  return periodsBetween(first, last, 1200);
}

/** Returns every day, month or year from the first to the last; undefined if there are more than `max`. */
function periodsBetween(first: string, last: string, max: number): readonly string[] | undefined {
  const periods = [first];
  for (let period = first; period !== last; periods.push(period)) {
    if (periods.length >= max) return undefined;
    period = nextPeriod(period);
  }
  return periods;
}

function nextPeriod(period: string): string {
  const [year = 0, month = 1, day = 1] = period.split('-').map(Number);
  const isYear = period.length === 4;
  const isDay = period.length === 10;
  const after = new Date(
    Date.UTC(isYear ? year + 1 : year, isYear || isDay ? month - 1 : month, isDay ? day + 1 : day),
  );
  return after.toISOString().slice(0, period.length);
}
