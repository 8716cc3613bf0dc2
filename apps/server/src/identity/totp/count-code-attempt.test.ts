import { describe, expect, test } from 'vitest';
import { countCodeAttempt } from './count-code-attempt.js';

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
