import { type CallContract, calls } from '@centavo/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choosePolicy, consumeToken, type RateLimit, tokenMicros, toLimitStatus } from './token-bucket.js';

const secondMicros = 1_000_000;
const rateLimits = fc
  .record({ limit: fc.integer({ min: 1, max: 50 }), windowSeconds: fc.constantFrom(1, 7, 60) })
  .map((numbers): RateLimit => ({ policy: 'reads', ...numbers }));
/** Gaps between requests in microseconds: bursts, and pauses in which a bucket fills. */
const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90 * secondMicros })), { maxLength: 120 });

/** Consumes a token after each gap and returns the results. */
function consumeAfter(rateLimit: RateLimit, gapsMicros: readonly number[]) {
  let fullAtMicros: number | null = null;
  let nowMicros = 1_700_000_000 * secondMicros;
  return gapsMicros.map((gap) => {
    nowMicros += gap;
    const result = consumeToken({ fullAtMicros, nowMicros, rateLimit, tokens: 1 });
    fullAtMicros = result.fullAtMicros;
    return { ...result, nowMicros };
  });
}

describe('a token bucket', () => {
  // @proves contract 7: Buckets
  test('never allows more than its limit plus the refilled tokens, in any period', () => {
    fc.assert(
      fc.property(rateLimits, gaps, (rateLimit, gapsMicros) => {
        const allowed = consumeAfter(rateLimit, gapsMicros).filter(({ isAllowed }) => isAllowed);
        const token = tokenMicros(rateLimit);
        for (const [first, { nowMicros: from }] of allowed.entries()) {
          for (const [last, { nowMicros: to }] of allowed.entries()) {
            if (last < first) continue;
            expect(last - first + 1).toBeLessThanOrEqual(rateLimit.limit + Math.floor((to - from) / token));
          }
        }
      }),
    );
  });

  // @proves contract 10a: Rate limits
  test('allows its whole limit at once, then one token per refill interval', () => {
    fc.assert(
      fc.property(rateLimits, (rateLimit) => {
        const { limit } = rateLimit;
        const burst = Array<number>(limit + 1).fill(0);
        const aroundRefill = [tokenMicros(rateLimit) - 1, 1, 0];
        const answers = consumeAfter(rateLimit, [...burst, ...aroundRefill]).map(({ isAllowed }) => isAllowed);
        expect(answers).toEqual([...Array<boolean>(limit).fill(true), false, false, true, false]);
      }),
    );
  });

  test('has a token after the announced wait, but not one second earlier', () => {
    fc.assert(
      fc.property(rateLimits, gaps, (rateLimit, gapsMicros) => {
        for (const refused of consumeAfter(rateLimit, gapsMicros).filter(({ isAllowed }) => !isAllowed)) {
          const { nextTokenSeconds } = toLimitStatus({ rateLimit, tokens: 1 }, refused);
          const after = (micros: number) =>
            consumeToken({ ...refused, nowMicros: refused.nowMicros + micros, rateLimit, tokens: 1 }).isAllowed;
          expect(nextTokenSeconds).toBeGreaterThanOrEqual(1);
          expect(after(nextTokenSeconds * secondMicros)).toBe(true);
          expect(after((nextTokenSeconds - 1) * secondMicros)).toBe(false);
        }
      }),
    );
  });

  test('reports exactly the number of tokens left', () => {
    fc.assert(
      fc.property(rateLimits, gaps, (rateLimit, gapsMicros) => {
        const last = consumeAfter(rateLimit, gapsMicros).at(-1);
        fc.pre(last !== undefined);
        let { fullAtMicros } = last;
        let allowed = 0;
        for (;;) {
          const result = consumeToken({ fullAtMicros, nowMicros: last.nowMicros, rateLimit, tokens: 1 });
          if (!result.isAllowed) break;
          fullAtMicros = result.fullAtMicros;
          allowed += 1;
        }
        expect(toLimitStatus({ rateLimit, tokens: 1 }, last).remaining).toBe(allowed);
      }),
    );
  });

  test('gives all requested tokens or none, and reports the wait for all of them', () => {
    const rateLimit: RateLimit = { policy: 'writes', limit: 10, windowSeconds: 60 };
    const nowMicros = 1_700_000_000 * secondMicros;
    const first = consumeToken({ fullAtMicros: null, nowMicros, rateLimit, tokens: 7 });
    expect(toLimitStatus({ rateLimit, tokens: 7 }, first)).toMatchObject({ isAllowed: true, remaining: 3 });
    const second = consumeToken({ ...first, nowMicros, rateLimit, tokens: 5 });
    const refused = { isAllowed: false, remaining: 3, nextTokenSeconds: 6, retryAfterSeconds: 12 };
    expect(toLimitStatus({ rateLimit, tokens: 5 }, second)).toMatchObject(refused);
    const later = nowMicros + 12 * secondMicros;
    expect(consumeToken({ ...second, nowMicros: later, rateLimit, tokens: 5 }).isAllowed).toBe(true);
    expect(consumeToken({ ...second, nowMicros: later - 1, rateLimit, tokens: 5 }).isAllowed).toBe(false);
  });

  test('reports a wait of at most one refill interval, even if the clock was set back or the limit was lowered', () => {
    const rateLimit: RateLimit = { policy: 'admin', limit: 10, windowSeconds: 60 };
    const nowMicros = 1_700_000_000 * secondMicros;
    const result = consumeToken({ fullAtMicros: nowMicros + 3_600 * secondMicros, nowMicros, rateLimit, tokens: 1 });
    expect(result.isAllowed).toBe(false);
    expect(toLimitStatus({ rateLimit, tokens: 1 }, result)).toMatchObject({ remaining: 0, nextTokenSeconds: 6 });
  });
});

// @proves contract 10a: Rate limits
test('choosePolicy returns "admin" only for changes of credentials, "reads" for listApiKeys, and "writes" for verifyTotp', () => {
  const namesBy = (policy: string) =>
    (Object.values(calls) as readonly CallContract[])
      .filter((call) => choosePolicy(call) === policy)
      .map(({ name }) => name);
  expect(namesBy('admin').sort()).toEqual([
    'createApiKey',
    'createIntegrationClient',
    'revokeApiKey',
    'revokeIntegrationClient',
    'rotateApiKey',
  ]);
  expect(namesBy('reads')).toContain('listApiKeys');
  expect(namesBy('reads')).toContain('getMe');
  expect(namesBy('writes')).toContain('verifyTotp');
  expect(namesBy('writes')).toContain('setActiveTracker');
});
