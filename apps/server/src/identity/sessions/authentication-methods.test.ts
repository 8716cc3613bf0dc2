import { expect, test } from 'vitest';
import { latestTotpSeconds, passwordSeconds, withTotp } from './authentication-methods.js';

test('a new one-time code comes first and replaces the earlier one', () => {
  const password = { method: 'password', timestamp: 100 } as const;
  expect(withTotp([{ method: 'totp', timestamp: 150 }, password], 200)).toEqual([
    { method: 'totp', timestamp: 200 },
    password,
  ]);
});

test('the newest one-time code counts, wherever it stands', () => {
  const amr = [
    { method: 'totp', timestamp: 5 },
    { method: 'password', timestamp: 99 },
    { method: 'totp', timestamp: 7 },
  ];
  expect(latestTotpSeconds(amr)).toBe(7);
});

test('the time of the password is found behind a one-time code, and null without one', () => {
  const password = { method: 'password', timestamp: 100 } as const;
  expect(passwordSeconds([{ method: 'totp', timestamp: 150 }, password])).toBe(100);
  expect(passwordSeconds([{ method: 'totp', timestamp: 150 }])).toBeNull();
});

test('words, other methods and malformed entries carry no time', () => {
  const malformed = [
    'otp',
    null,
    3,
    { method: 'totp' },
    { method: 'totp', timestamp: '9' },
    { method: 'password', timestamp: 1 },
  ];
  expect(latestTotpSeconds(malformed)).toBeNull();
  expect(latestTotpSeconds('totp')).toBeNull();
  expect(latestTotpSeconds(undefined)).toBeNull();
});
