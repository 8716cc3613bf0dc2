import { expect, test } from 'vitest';
import { localDate } from './local-date.js';

test.each([
  ['2026-07-01T22:30:00Z', 'CET', '2026-07-02'],
  ['2026-07-01T22:30:00Z', 'Europe/Madrid', '2026-07-02'],
  ['2026-01-01T22:30:00Z', 'CET', '2026-01-01'],
  ['2026-01-01T10:00:00Z', 'Pacific/Kiritimati', '2026-01-02'],
  ['2026-01-01T10:59:59Z', 'Pacific/Niue', '2025-12-31'],
  ['2026-03-29T00:59:59Z', 'Europe/London', '2026-03-29'],
])('at %s it is in %s the day %s', (moment, timeZone, date) => {
  expect(localDate(Date.parse(moment), timeZone)).toBe(date);
});
