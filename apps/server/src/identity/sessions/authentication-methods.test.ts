import { expect, test } from 'vitest';
import { externalTotpSeconds, latestTotpSeconds, passwordSeconds, withTotp } from './authentication-methods.js';

test('withTotp puts a new one-time code before the other authentication methods, and removes the earlier code', () => {
  const password = { method: 'password', timestamp: 100 } as const;
  expect(withTotp([{ method: 'totp', timestamp: 150 }, password], 200)).toEqual([
    { method: 'totp', timestamp: 200 },
    password,
  ]);
});

test('latestTotpSeconds returns the time of the newest one-time code, wherever it is in the list of authentication methods', () => {
  const amr = [
    { method: 'totp', timestamp: 5 },
    { method: 'password', timestamp: 99 },
    { method: 'totp', timestamp: 7 },
  ];
  expect(latestTotpSeconds(amr)).toBe(7);
});

test('passwordSeconds returns the time of the password check, or null if no password was used', () => {
  const password = { method: 'password', timestamp: 100 } as const;
  expect(passwordSeconds([{ method: 'totp', timestamp: 150 }, password])).toBe(100);
  expect(passwordSeconds([{ method: 'totp', timestamp: 150 }])).toBeNull();
});

test('latestTotpSeconds returns null if amr has no totp entry with a valid timestamp, or if there is no amr', () => {
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

test.each([
  // @proves contract 8: Identity
  ['methods with times', { amr: [{ method: 'totp', timestamp: 100 }] }, 100],
  [
    'several methods with times',
    {
      amr: [
        { method: 'totp', timestamp: 100 },
        { method: 'totp', timestamp: 200 },
      ],
    },
    200,
  ],
  ['method names and the time of the login', { amr: ['pwd', 'otp'], auth_time: 300 }, 300],
  [
    'a method with a time, which takes precedence over a method name',
    { amr: ['otp', { method: 'totp', timestamp: 100 }], auth_time: 300 },
    100,
  ],
  ['method names without a one-time code', { amr: ['pwd', 'mfa'], auth_time: 300 }, null],
  ['a password method with a time', { amr: [{ method: 'password', timestamp: 100 }], auth_time: 300 }, null],
  ['a method name without the time of the login', { amr: ['otp'] }, null],
  ['a time that is a string', { amr: ['otp'], auth_time: '300' }, null],
  ['a time that is not a whole number', { amr: ['otp'], auth_time: 1.5 }, null],
  ['a method name instead of a list', { amr: 'otp', auth_time: 300 }, null],
  ['no amr', { auth_time: 300 }, null],
])('externalTotpSeconds returns the time of the one-time code, or null, for claims with %s', (_, claims, seconds) => {
  expect(externalTotpSeconds(claims)).toBe(seconds);
});
