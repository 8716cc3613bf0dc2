import { describe, expect, test } from 'vitest';
import { ApiError } from '../api-error.js';
import { requireRecentPassword, requireRecentTotp } from './step-up.js';

const nowSeconds = 1_700_000_000;
const check = (totpAtSeconds: number | null) => () =>
  requireRecentTotp({ totpAtSeconds, nowSeconds, maxAgeSeconds: 600 });

describe('requireRecentTotp', () => {
  // @proves contract 8: Recent TOTP
  test('accepts a one-time code up to the maximum age, and rejects one that is a second older', () => {
    expect(check(nowSeconds)).not.toThrow();
    expect(check(nowSeconds - 600)).not.toThrow();
    expect(check(nowSeconds - 601)).toThrow(ApiError);
  });

  test('accepts a one-time code whose time is at most 30 seconds in the future', () => {
    expect(check(nowSeconds + 30)).not.toThrow();
    expect(check(nowSeconds + 31)).toThrow(ApiError);
  });

  // @proves contract 5: 401
  test('throws 401 STEP_UP_REQUIRED with the challenge of RFC 9470 when there is no one-time code', () => {
    try {
      check(null)();
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        code: 'STEP_UP_REQUIRED',
        status: 401,
        details: { method: 'totp', maxAgeSeconds: 600 },
        headers: {
          'WWW-Authenticate': expect.stringMatching(
            /^Bearer error="insufficient_user_authentication", error_description="[^"]+", max_age="600"$/,
          ),
        },
      });
    }
  });
});

describe('requireRecentPassword', () => {
  const checkPassword = (passwordAtSeconds: number | null) => () =>
    requireRecentPassword({ passwordAtSeconds, nowSeconds, maxAgeSeconds: 600 });

  test('accepts a password up to the maximum age, and throws STEP_UP_REQUIRED for an older or missing one', () => {
    expect(checkPassword(nowSeconds - 600)).not.toThrow();
    for (const passwordAtSeconds of [nowSeconds - 601, null]) {
      expect(checkPassword(passwordAtSeconds)).toThrow(
        expect.objectContaining({ code: 'STEP_UP_REQUIRED', details: { method: 'password', maxAgeSeconds: 600 } }),
      );
    }
  });
});
