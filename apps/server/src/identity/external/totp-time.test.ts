import { expect, test } from 'vitest';
import { totpTime } from './totp-time.js';

test.each([
  ['methods with times', { amr: [{ method: 'totp', timestamp: 100 }] }, 100],
  [
    'the newest of them',
    {
      amr: [
        { method: 'totp', timestamp: 100 },
        { method: 'totp', timestamp: 200 },
      ],
    },
    200,
  ],
  ['words, with the time of the log-in', { amr: ['pwd', 'otp'], auth_time: 300 }, 300],
  ['times before words', { amr: ['otp', { method: 'totp', timestamp: 100 }], auth_time: 300 }, 100],
  ['words without a one-time code', { amr: ['pwd', 'mfa'], auth_time: 300 }, null],
  ['another method with a time', { amr: [{ method: 'password', timestamp: 100 }], auth_time: 300 }, null],
  ['words without a time', { amr: ['otp'] }, null],
  ['a time that is text', { amr: ['otp'], auth_time: '300' }, null],
  ['a time that is no whole number', { amr: ['otp'], auth_time: 1.5 }, null],
  ['one word instead of a list', { amr: 'otp', auth_time: 300 }, null],
  ['no amr', { auth_time: 300 }, null],
])('%s', (_, claims, seconds) => {
  expect(totpTime(claims)).toBe(seconds);
});
