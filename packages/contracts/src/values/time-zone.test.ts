import { describe, expect, test } from 'vitest';
import { findTimeZone } from './time-zone.js';

describe('findTimeZone', () => {
  test.each([
    'UTC',
    'CET',
    'EST5EDT',
    'GB-Eire',
    'W-SU',
    'Europe/Madrid',
    'Etc/GMT+5',
    'America/Port-au-Prince',
    'America/Argentina/ComodRivadavia',
    'Antarctica/DumontDUrville',
    'Africa/Dar_es_Salaam',
    'US/East-Indiana',
  ])('returns the IANA spelling of a name in any letter case: %s', (name) => {
    expect([findTimeZone(name), findTimeZone(name.toLowerCase()), findTimeZone(name.toUpperCase())]).toEqual([
      name,
      name,
      name,
    ]);
  });

  test.each([
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['EST', 'America/Panama'],
  ])('returns the link %s itself, and not the time zone %s to which it refers', (link, name) => {
    expect([findTimeZone(link.toLowerCase()), findTimeZone(name.toLowerCase())]).toEqual([link, name]);
  });

  test('finds each upper-cased name of Intl.supportedValuesOf, and returns the spelling that Intl lists', () => {
    const listed = Intl.supportedValuesOf('timeZone');
    expect(listed.length).toBeGreaterThan(400);
    expect(listed.map((name) => findTimeZone(name.toUpperCase()))).toEqual(listed);
  });

  test.each([
    '+02:00',
    '-05',
    'UTC+2',
    'GMT+02:00',
    'PST',
    'IST',
    'ACT',
    'SystemV/PST8',
    'Factory',
    'Etc/Unknown',
    '',
    ' UTC',
  ])('returns undefined for an offset, an abbreviation or an unknown name: %j', (text) => {
    expect(findTimeZone(text)).toBeUndefined();
  });
});
