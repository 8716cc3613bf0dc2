import { expect, test } from 'vitest';
import { toMoment } from './to-moment.js';

test.each([
  ['2026-11-22 03:20:12.123+00', '2026-11-22T03:20:12.123Z'],
  ['2026-11-22 03:20:12.1+00', '2026-11-22T03:20:12.100Z'],
  ['2026-11-22 03:20:12+00', '2026-11-22T03:20:12.000Z'],
  // A balance is told with the time of its statement, which has microseconds.
  ['2026-11-22 03:20:12.123987+00', '2026-11-22T03:20:12.123Z'],
  ['2026-11-22 03:20:12.000004+00', '2026-11-22T03:20:12.000Z'],
  // A database may live in any time zone.
  ['2026-11-22 04:20:12.5+01', '2026-11-22T03:20:12.500Z'],
  ['2026-11-21 22:50:12-04:30', '2026-11-22T03:20:12.000Z'],
  ['2026-11-22 09:05:12.123+05:45', '2026-11-22T03:20:12.123Z'],
  // As a moment stands in JSON.
  ['2026-11-22T03:20:12.123+00:00', '2026-11-22T03:20:12.123Z'],
])('the moment %s is told as %s', (text, told) => {
  expect(toMoment(text)).toBe(told);
});

test('moments that follow each other are told apart, however close they are', () => {
  const moments = ['2026-11-22 03:20:12.123+00', '2026-11-22 03:20:12.124+00', '2026-11-22 03:20:12.123+00'];
  expect(moments.map(toMoment)).toEqual([
    '2026-11-22T03:20:12.123Z',
    '2026-11-22T03:20:12.124Z',
    '2026-11-22T03:20:12.123Z',
  ]);
});
