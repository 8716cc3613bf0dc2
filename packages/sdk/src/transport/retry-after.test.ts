import { describe, expect, test } from 'vitest';
import { parseRetryAfter } from './retry-after.js';

const nowMs = Date.UTC(2026, 0, 31, 12, 0, 0);
const parse = (retryAfter: string | null, date: string | null = null) => parseRetryAfter({ retryAfter, date, nowMs });

describe('Retry-After', () => {
  test('in seconds is converted to milliseconds', () => {
    expect(parse('120')).toBe(120_000);
    expect(parse(' 0 ')).toBe(0);
  });

  test('as a date, in any of its three forms, is the time until that date', () => {
    expect(parse('Sat, 31 Jan 2026 12:00:30 GMT')).toBe(30_000);
    expect(parse('Saturday, 31-Jan-26 12:00:30 GMT')).toBe(30_000);
    expect(parse('Sat Jan 31 12:00:30 2026')).toBe(30_000);
  });

  test('as a date is compared with the server’s clock, not with the clock of this machine', () => {
    expect(parse('Sat, 31 Jan 2026 15:00:30 GMT', 'Sat, 31 Jan 2026 15:00:00 GMT')).toBe(30_000);
  });

  test('as a past date is 0', () => {
    expect(parse('Sat, 31 Jan 2026 11:59:00 GMT')).toBe(0);
  });

  test('that is huge is parsed as a huge number, or as Infinity if it has 400 digits', () => {
    expect(parse('99999999999999999999')).toBeGreaterThan(1e20);
    expect(parse('9'.repeat(400))).toBe(Number.POSITIVE_INFINITY);
    expect(parse('Fri, 31 Dec 9999 23:59:59 GMT')).toBeGreaterThan(2e14);
  });

  test.each([null, '', '-1', '+1', '1.5', '1e3', '0x10', '١', '1, 2', 'soon', '2026-01-31T12:00:30Z'])(
    'of %j is parsed as null',
    (text) => {
      expect(parse(text)).toBeNull();
    },
  );
});
