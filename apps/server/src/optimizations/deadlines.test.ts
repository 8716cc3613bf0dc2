import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadlines } from './deadlines.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Adds an operation that removes itself when it expires, as a batch does. */
function addOperation(deadlines: Deadlines, ms: number) {
  const operation = {
    expiresAt: performance.now() + ms,
    expiredAt: [] as number[],
    expire() {
      this.expiredAt.push(performance.now());
      deadlines.remove(operation);
    },
  };
  deadlines.add(operation);
  return operation;
}

test('Deadlines expires an operation once, not before its deadline and at most 20 ms after it', () => {
  const deadlines = new Deadlines();
  const operations = [0, 5, 20, 21, 3_700].map((ms) => addOperation(deadlines, ms));
  vi.advanceTimersByTime(10_000);
  for (const { expiresAt, expiredAt } of operations) {
    expect(expiredAt).toHaveLength(1);
    expect((expiredAt[0] ?? 0) - expiresAt).toBeGreaterThanOrEqual(0);
    expect((expiredAt[0] ?? 0) - expiresAt).toBeLessThanOrEqual(20);
  }
});

test('Deadlines does not expire a removed operation, but expires the two that remain', () => {
  const deadlines = new Deadlines();
  const [one, two, three] = [50, 50, 50].map((ms) => addOperation(deadlines, ms));
  deadlines.remove(two as Exclude<typeof two, undefined>);
  vi.advanceTimersByTime(100);
  expect([one, two, three].map((operation) => operation?.expiredAt.length)).toEqual([1, 0, 1]);
});

test('Deadlines stops the timer when no operation is left, and starts it for the next operation', () => {
  const deadlines = new Deadlines();
  addOperation(deadlines, 30);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(100);
  expect(vi.getTimerCount()).toBe(0);
  const later = addOperation(deadlines, 30);
  vi.advanceTimersByTime(100);
  expect(later.expiredAt).toHaveLength(1);
});
