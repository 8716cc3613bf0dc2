import { describe, expect, test } from 'vitest';
import { addUsedStep, decideCodeAttempt, isStepUsed, verifyTotpStep } from './totp.rules.js';

// RFC 6238, appendix B: the code of the seed "12345678901234567890" at 59 s is 94287082. Its last six digits are the six-digit code.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const code = '287082';
const at = (seconds: number) => verifyTotpStep({ secret, code, now: new Date(seconds * 1000) });

test('verifyTotpStep returns time step 1 for the RFC 6238 test vector at 59 seconds', async () => {
  expect(await at(59)).toBe(1);
  expect(await at(59.999)).toBe(1);
});

test('verifyTotpStep accepts the codes of the previous and the next time step, and rejects older codes', async () => {
  expect(await at(0)).toBe(1);
  expect(await at(29)).toBe(1);
  expect(await at(60)).toBe(1);
  expect(await at(89)).toBe(1);
  expect(await at(90)).toBeNull();
  expect(await at(120)).toBeNull();
});

test('isStepUsed returns false before any code was used', () => {
  expect(isStepUsed([], 0)).toBe(false);
});

test('addUsedStep marks only the step of the accepted code as used', () => {
  const used = addUsedStep([], 100);
  expect([99, 100, 101].filter((step) => isStepUsed(used, step))).toEqual([100]);
  expect([99, 100, 101].filter((step) => isStepUsed(addUsedStep(used, 99), step))).toEqual([99, 100]);
});

test('addUsedStep drops steps that are ten or more before the last step, and isStepUsed returns true for all such steps', () => {
  const used = [1, 2, 50, 58].reduce<readonly number[]>(addUsedStep, []);
  expect(used).toEqual([50, 58]);
  expect([48, 49, 50, 51].filter((step) => isStepUsed(used, step))).toEqual([48, 50]);
});

const start = new Date('2026-01-01T00:00:00.000Z');
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);

describe('decideCodeAttempt', () => {
  test('allows the first attempt, and counts it as a failure before its code is verified', () => {
    expect(decideCodeAttempt([], start)).toEqual({ isAllowed: true, failedAtIfWrong: [start] });
  });

  test('allows the fifth attempt, but the sixth only when the oldest failure is 15 minutes old', () => {
    const four = [0, 10, 20, 30].map(later);
    expect(decideCodeAttempt(four, later(60))).toEqual({ isAllowed: true, failedAtIfWrong: [...four, later(60)] });
    const five = [...four, later(60)];
    expect(decideCodeAttempt(five, later(60))).toEqual({ isAllowed: false, retryAfterSeconds: 840 });
    expect(decideCodeAttempt(five, new Date(later(900).getTime() - 1))).toEqual({
      isAllowed: false,
      retryAfterSeconds: 1,
    });
    expect(decideCodeAttempt(five, later(900))).toEqual({
      isAllowed: true,
      failedAtIfWrong: [...[10, 20, 30, 60].map(later), later(900)],
    });
  });

  test('allows at most five failures in any 15 minutes', () => {
    let failedAt: readonly Date[] = [];
    for (let second = 0; second < 3 * 900; second += 7) {
      const attempt = decideCodeAttempt(failedAt, later(second));
      if (attempt.isAllowed) failedAt = attempt.failedAtIfWrong;
      const recent = failedAt.filter((failure) => failure.getTime() > later(second - 900).getTime());
      expect(recent.length).toBeLessThanOrEqual(5);
    }
  });
});
