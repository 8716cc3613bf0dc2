import { describe, expect, test } from 'vitest';
import { countCodeAttempt, isUsed, matchTotpStep, useStep } from './totp.rules.js';

// RFC 6238, appendix B: the seed "12345678901234567890" gives 94287082 at 59 s, of which six digits are shown.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const code = '287082';
const at = (seconds: number) => matchTotpStep({ secret, code, now: new Date(seconds * 1000) });

test('the vector of RFC 6238 is the code of its step', async () => {
  expect(await at(59)).toBe(1);
  expect(await at(59.999)).toBe(1);
});

test('a clock may be one step ahead or behind, not two', async () => {
  expect(await at(0)).toBe(1);
  expect(await at(29)).toBe(1);
  expect(await at(60)).toBe(1);
  expect(await at(89)).toBe(1);
  expect(await at(90)).toBeNull();
  expect(await at(120)).toBeNull();
});

test('of nobody’s steps none was used', () => {
  expect(isUsed([], 0)).toBe(false);
});

test('a step is used once, and those beside it are not by that', () => {
  const used = useStep([], 100);
  expect([99, 100, 101].filter((step) => isUsed(used, step))).toEqual([100]);
  expect([99, 100, 101].filter((step) => isUsed(useStep(used, 99), step))).toEqual([99, 100]);
});

test('what is far behind the last one counts as used, and is not kept', () => {
  const used = [1, 2, 50, 58].reduce<readonly number[]>(useStep, []);
  expect(used).toEqual([50, 58]);
  expect([48, 49, 50, 51].filter((step) => isUsed(used, step))).toEqual([48, 50]);
});

const start = new Date('2026-01-01T00:00:00.000Z');
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);

describe('countCodeAttempt', () => {
  test('counts the first attempt before its code is looked at', () => {
    expect(countCodeAttempt([], start)).toEqual({ isAllowed: true, failedAtIfWrong: [start] });
  });

  test('allows the fifth and not the sixth, until the oldest of five is 15 minutes old', () => {
    const four = [0, 10, 20, 30].map(later);
    expect(countCodeAttempt(four, later(60))).toEqual({ isAllowed: true, failedAtIfWrong: [...four, later(60)] });
    const five = [...four, later(60)];
    expect(countCodeAttempt(five, later(60))).toEqual({ isAllowed: false, retryAfterSeconds: 840 });
    expect(countCodeAttempt(five, new Date(later(900).getTime() - 1))).toEqual({
      isAllowed: false,
      retryAfterSeconds: 1,
    });
    expect(countCodeAttempt(five, later(900))).toEqual({
      isAllowed: true,
      failedAtIfWrong: [...[10, 20, 30, 60].map(later), later(900)],
    });
  });

  test('never lets more than five failures into any 15 minutes, however they are spread', () => {
    let failedAt: readonly Date[] = [];
    for (let second = 0; second < 3 * 900; second += 7) {
      const attempt = countCodeAttempt(failedAt, later(second));
      if (attempt.isAllowed) failedAt = attempt.failedAtIfWrong;
      const recent = failedAt.filter((failure) => failure.getTime() > later(second - 900).getTime());
      expect(recent.length).toBeLessThanOrEqual(5);
    }
  });
});
