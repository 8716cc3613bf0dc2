import { describe, expect, test } from 'vitest';
import { ApiError } from '../api-error.js';
import { requireRecentPassword, requireRecentTotp } from './step-up.js';

const nowSeconds = 1_700_000_000;
const ask = (totpAtSeconds: number | null) => () =>
  requireRecentTotp({ totpAtSeconds, nowSeconds, maxAgeSeconds: 600 });

describe('requireRecentTotp', () => {
  test('a code counts up to its maximal age, and not a second longer', () => {
    expect(ask(nowSeconds)).not.toThrow();
    expect(ask(nowSeconds - 600)).not.toThrow();
    expect(ask(nowSeconds - 601)).toThrow(ApiError);
  });

  test('a code from the future counts only within the skew of clocks', () => {
    expect(ask(nowSeconds + 30)).not.toThrow();
    expect(ask(nowSeconds + 31)).toThrow(ApiError);
  });

  test('without any code it is 401 with the challenge of RFC 9470', () => {
    try {
      ask(null)();
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
  const askPassword = (passwordAtSeconds: number | null) => () =>
    requireRecentPassword({ passwordAtSeconds, nowSeconds, maxAgeSeconds: 600 });

  test('accepts a password up to its maximal age, and names the password as what is missing after it', () => {
    expect(askPassword(nowSeconds - 600)).not.toThrow();
    for (const passwordAtSeconds of [nowSeconds - 601, null]) {
      expect(askPassword(passwordAtSeconds)).toThrow(
        expect.objectContaining({ code: 'STEP_UP_REQUIRED', details: { method: 'password', maxAgeSeconds: 600 } }),
      );
    }
  });
});
