import { expect, it } from 'vitest';
import { chooseTimeCourse, monthsBetween } from './time-course.js';

const days = (...dates: readonly string[]) => new Map(dates.map((date, index) => [date, BigInt(index + 1)]));

it('a month is a course of days, with zero where nothing happened', () => {
  expect(chooseTimeCourse(days('2026-02-27', '2026-03-02'), 60)).toEqual({
    unit: 'day',
    first: '2026-02-27',
    last: '2026-03-02',
    values: [1n, 0n, 0n, 2n],
  });
});

it('longer times are months, over the end of a year, and then years', () => {
  expect(chooseTimeCourse(days('2025-11-30', '2025-11-02', '2026-02-28'), 60)).toMatchObject({
    unit: 'month',
    first: '2025-11',
    last: '2026-02',
    values: [3n, 0n, 0n, 3n],
  });
  expect(chooseTimeCourse(days('2016-01-31', '2026-01-01'), 60)).toMatchObject({ unit: 'year', first: '2016' });
});

it('takes a coarser unit where there is little room, and none where nothing fits', () => {
  expect(chooseTimeCourse(days('2026-01-01', '2026-03-31'), 2)).toBeUndefined();
  expect(chooseTimeCourse(days('2025-12-01', '2026-03-31'), 3)).toMatchObject({ unit: 'year', values: [1n, 2n] });
});

it('of one day, or of none, is nothing', () => {
  expect(chooseTimeCourse(days('2026-01-01'), 60)).toBeUndefined();
  expect(chooseTimeCourse(days(), 60)).toBeUndefined();
});

it('every month between two is named, and nothing where a mistyped year would make thousands of them', () => {
  expect(monthsBetween('2025-11', '2026-02')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  expect(monthsBetween('2026-01', '2026-01')).toEqual(['2026-01']);
  expect(monthsBetween('1026-01', '2026-01')).toBeUndefined();
});
