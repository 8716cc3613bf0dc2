import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadlines } from './deadlines.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Awaits something for so long, and removes itself when it expires, as a batch does. */
function awaitFor(deadlines: Deadlines, ms: number) {
  const awaited = {
    expiresAt: performance.now() + ms,
    expiredAt: [] as number[],
    expire() {
      this.expiredAt.push(performance.now());
      deadlines.remove(awaited);
    },
  };
  deadlines.add(awaited);
  return awaited;
}

test('what does not come is given up once, not before its time and at most 20 ms behind it', () => {
  const deadlines = new Deadlines();
  const awaited = [0, 5, 20, 21, 3_700].map((ms) => awaitFor(deadlines, ms));
  vi.advanceTimersByTime(10_000);
  for (const { expiresAt, expiredAt } of awaited) {
    expect(expiredAt).toHaveLength(1);
    expect((expiredAt[0] ?? 0) - expiresAt).toBeGreaterThanOrEqual(0);
    expect((expiredAt[0] ?? 0) - expiresAt).toBeLessThanOrEqual(20);
  }
});

test('what came in time is not given up, and keeps nobody else from being so', () => {
  const deadlines = new Deadlines();
  const [one, two, three] = [50, 50, 50].map((ms) => awaitFor(deadlines, ms));
  deadlines.remove(two as Exclude<typeof two, undefined>);
  vi.advanceTimersByTime(100);
  expect([one, two, three].map((awaited) => awaited?.expiredAt.length)).toEqual([1, 0, 1]);
});

test('the clock stands while nothing is awaited, and goes again for the next', () => {
  const deadlines = new Deadlines();
  awaitFor(deadlines, 30);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(100);
  expect(vi.getTimerCount()).toBe(0);
  const later = awaitFor(deadlines, 30);
  vi.advanceTimersByTime(100);
  expect(later.expiredAt).toHaveLength(1);
});
