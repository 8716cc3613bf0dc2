import { expect, it } from 'vitest';
import { chooseTimeCourse, monthsBetween } from './time-course.js';

const days = (...dates: readonly string[]) => new Map(dates.map((date, index) => [date, BigInt(index + 1)]));

it('chooseTimeCourse returns a value for each day of a four-day period, and zero for days without movements', () => {
  expect(chooseTimeCourse(days('2026-02-27', '2026-03-02'), 60)).toEqual({
    unit: 'day',
    first: '2026-02-27',
    last: '2026-03-02',
    values: [1n, 0n, 0n, 2n],
  });
});

it('chooseTimeCourse returns a value for each month of a four-month period, and for each year of a ten-year period', () => {
  expect(chooseTimeCourse(days('2025-11-30', '2025-11-02', '2026-02-28'), 60)).toMatchObject({
    unit: 'month',
    first: '2025-11',
    last: '2026-02',
    values: [3n, 0n, 0n, 3n],
  });
  expect(chooseTimeCourse(days('2016-01-31', '2026-01-01'), 60)).toMatchObject({ unit: 'year', first: '2016' });
});

it('chooseTimeCourse returns values by year if the months do not fit in the columns, and undefined if only one value would remain', () => {
  expect(chooseTimeCourse(days('2026-01-01', '2026-03-31'), 2)).toBeUndefined();
  expect(chooseTimeCourse(days('2025-12-01', '2026-03-31'), 3)).toMatchObject({ unit: 'year', values: [1n, 2n] });
});

it('chooseTimeCourse returns undefined if all movements are of one day, or if there are no movements', () => {
  expect(chooseTimeCourse(days('2026-01-01'), 60)).toBeUndefined();
  expect(chooseTimeCourse(days(), 60)).toBeUndefined();
});

it('monthsBetween lists every month of a period, including its first and last month, and returns undefined for 1,000 years', () => {
  expect(monthsBetween('2025-11', '2026-02')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  expect(monthsBetween('2026-01', '2026-01')).toEqual(['2026-01']);
  expect(monthsBetween('1026-01', '2026-01')).toBeUndefined();
});
