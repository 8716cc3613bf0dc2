import { describe, expect, test } from 'vitest';
import { parseHttpDate } from './http-date.js';

const nowMs = Date.UTC(2026, 0, 31);
const expected = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('an HTTP date', () => {
  test.each([
    ['the preferred form', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    ['the form of RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT'],
    ['the form of asctime', 'Sun Nov  6 08:49:37 1994'],
  ])('is parsed in %s', (_, text) => {
    expect(parseHttpDate(text, nowMs)).toBe(expected);
  });

  test('with a year of two digits is in the past if it would otherwise be more than 50 years in the future', () => {
    expect(parseHttpDate('Monday, 01-Jan-76 00:00:00 GMT', nowMs)).toBe(Date.UTC(2076, 0, 1));
    expect(parseHttpDate('Monday, 01-Jan-77 00:00:00 GMT', nowMs)).toBe(Date.UTC(1977, 0, 1));
  });

  test('with a leap second is the start of the next minute', () => {
    expect(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT', nowMs)).toBe(Date.UTC(2017, 0, 1));
  });

  test.each([
    '',
    'Sat, 31 Dec 2016 23:59:61 GMT',
    'tomorrow',
    '2026-01-31T12:00:00Z',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'Sun, 06 Now 1994 08:49:37 GMT',
    'Sun, 32 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:49:37 GMT',
  ])('is parsed as null if it is %j', (text) => {
    expect(parseHttpDate(text, nowMs)).toBeNull();
  });
});
