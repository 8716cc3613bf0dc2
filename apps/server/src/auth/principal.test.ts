import { afterEach, expect, test, vi } from 'vitest';
import { localDate } from './principal.js';

test.each([
  ['2026-07-01T22:30:00Z', 'CET', '2026-07-02'],
  ['2026-07-01T22:30:00Z', 'Europe/Madrid', '2026-07-02'],
  ['2026-01-01T22:30:00Z', 'CET', '2026-01-01'],
  ['2026-01-01T10:00:00Z', 'Pacific/Kiritimati', '2026-01-02'],
  ['2026-01-01T10:59:59Z', 'Pacific/Niue', '2025-12-31'],
  ['2026-03-29T00:59:59Z', 'Europe/London', '2026-03-29'],
])('localDate returns the date of %s in %s: %s', (moment, timeZone, date) => {
  expect(localDate(Date.parse(moment), timeZone)).toBe(date);
});

afterEach(() => vi.unstubAllGlobals());

/** Counts the formatters created after this call. */
function countFormatters(): { count: number } {
  const created = { count: 0 };
  class Counted extends Intl.DateTimeFormat {
    constructor(...options: ConstructorParameters<typeof Intl.DateTimeFormat>) {
      super(...options);
      created.count += 1;
    }
  }
  vi.stubGlobal('Intl', Object.assign(Object.create(Intl), { DateTimeFormat: Counted }));
  return created;
}

test('localDate creates one formatter for time zone names that differ only in case', () => {
  const created = countFormatters();
  const name = 'America/Argentina/Buenos_Aires';
  const spellings = Array.from(
    { length: name.length },
    (_, length) => name.slice(0, length).toUpperCase() + name.slice(length),
  );
  const moment = Date.parse('2026-01-01T02:30:00Z');
  expect(new Set(spellings.map((timeZone) => localDate(moment, timeZone)))).toEqual(new Set(['2025-12-31']));
  expect(created.count).toBe(1);
});

test('localDate caches the formatters of 256 time zones and evicts the oldest', () => {
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 300);
  for (const zone of zones) localDate(0, zone);
  const created = countFormatters();
  for (const zone of zones.slice(-256)) localDate(0, zone);
  expect(created.count).toBe(0);
  for (const zone of zones.slice(0, 44)) localDate(0, zone);
  expect(created.count).toBe(44);
});
