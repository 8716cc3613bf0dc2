import { expect, test } from 'vitest';
import { formatTimestamp } from './format-timestamp.js';

test.each([
  ['2026-11-22 03:20:12.123+00', '2026-11-22T03:20:12.123Z'],
  ['2026-11-22 03:20:12.1+00', '2026-11-22T03:20:12.100Z'],
  ['2026-11-22 03:20:12+00', '2026-11-22T03:20:12.000Z'],
  // The timestamp of a balance is the time of the SQL statement, with microseconds.
  ['2026-11-22 03:20:12.123987+00', '2026-11-22T03:20:12.123Z'],
  ['2026-11-22 03:20:12.000004+00', '2026-11-22T03:20:12.000Z'],
  // A database may have any time zone.
  ['2026-11-22 04:20:12.5+01', '2026-11-22T03:20:12.500Z'],
  ['2026-11-21 22:50:12-04:30', '2026-11-22T03:20:12.000Z'],
  ['2026-11-22 09:05:12.123+05:45', '2026-11-22T03:20:12.123Z'],
  // The format of a timestamp in PostgreSQL's JSON.
  ['2026-11-22T03:20:12.123+00:00', '2026-11-22T03:20:12.123Z'],
])('formatTimestamp formats the PostgreSQL timestamp %s as %s', (text, moment) => {
  expect(formatTimestamp(text)).toBe(moment);
});

test('formatTimestamp returns different strings for timestamps that differ in milliseconds', () => {
  const moments = ['2026-11-22 03:20:12.123+00', '2026-11-22 03:20:12.124+00', '2026-11-22 03:20:12.123+00'];
  expect(moments.map(formatTimestamp)).toEqual([
    '2026-11-22T03:20:12.123Z',
    '2026-11-22T03:20:12.124Z',
    '2026-11-22T03:20:12.123Z',
  ]);
});
