import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, isCalendarDate } from './calendar-date.js';

const anyDay = fc
  .date({ min: new Date('1900-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('isCalendarDate', () => {
  test.each(['2024-02-29', '2000-02-29', '1900-01-01', '2026-12-31', '9999-12-31'])('accepts %s', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  test.each([
    '2023-02-29',
    '1900-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-1-1',
    '24-01-01',
    '2024/01/01',
    '20240101',
    '2024-01-01T00:00:00Z',
    ' 2024-01-01',
    '2024-01-01\n',
    '+02024-01-01',
    '-2024-01-01',
    '٢٠٢٤-٠١-٠١',
    '',
    'today',
    // @proves contract 1: dates
  ])('refuses %j', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  test('accepts random days from 1900 to 9998', () => {
    fc.assert(fc.property(anyDay, (day) => isCalendarDate(day)));
  });
});

describe('addDays', () => {
  test.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2023-02-28', 1, '2023-03-01'],
    ['2024-03-01', -1, '2024-02-29'],
    ['2023-12-31', 1, '2024-01-01'],
    ['2024-01-01', 366, '2025-01-01'],
    ['2026-10-24', 2, '2026-10-26'],
  ])('maps %s and %i days to %s', (date, days, later) => {
    expect(addDays(date, days)).toBe(later);
  });

  test('returns a valid later date for 1 to 366 days; subtracting the days from it returns the original date', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 366 }), (day, days) => {
        const later = addDays(day, days);
        expect(isCalendarDate(later)).toBe(true);
        expect(later > day).toBe(true);
        expect(addDays(later, -days)).toBe(day);
      }),
    );
  });
});
