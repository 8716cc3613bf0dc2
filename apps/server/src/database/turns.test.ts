import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Turns } from './turns.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Those who have had their turn, in its order. */
function queue(turns: Turns, names: string): string[] {
  const begun: string[] = [];
  for (const name of names) void turns.begin().then(() => begun.push(name));
  return begun;
}

test('so many go on at once, and the others in their order as those before them end', async () => {
  const turns = new Turns({ atOnce: 2, patienceMs: 25 });
  const begun = queue(turns, 'abcd');
  await vi.advanceTimersByTimeAsync(0);
  expect([begun.join(''), turns.waiting]).toEqual(['ab', 2]);
  turns.end();
  await vi.advanceTimersByTimeAsync(0);
  expect([begun.join(''), turns.waiting]).toEqual(['abc', 1]);
});

test('who has waited for a while goes on beside those who do not come to an end', async () => {
  const turns = new Turns({ atOnce: 2, patienceMs: 25 });
  const begun = queue(turns, 'abc');
  await vi.advanceTimersByTimeAsync(24);
  expect(begun.join('')).toBe('ab');
  await vi.advanceTimersByTimeAsync(1);
  expect([begun.join(''), turns.waiting]).toEqual(['abc', 0]);
});

test('everybody has their own patience, however many wait before them', async () => {
  const turns = new Turns({ atOnce: 1, patienceMs: 25 });
  const begun = queue(turns, 'ab');
  await vi.advanceTimersByTimeAsync(10);
  void turns.begin().then(() => begun.push('c'));
  void turns.begin().then(() => begun.push('d'));
  await vi.advanceTimersByTimeAsync(15);
  expect([begun.join(''), turns.waiting]).toEqual(['ab', 2]);
  await vi.advanceTimersByTimeAsync(9);
  expect(turns.waiting).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect([begun.join(''), turns.waiting]).toEqual(['abcd', 0]);
});

test('while there are more than should be, an end lets nobody on', async () => {
  const turns = new Turns({ atOnce: 1, patienceMs: 25 });
  const begun = queue(turns, 'ab');
  await vi.advanceTimersByTimeAsync(25);
  void turns.begin().then(() => begun.push('c'));
  turns.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun.join('')).toBe('ab');
  turns.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun.join('')).toBe('abc');
});

test('nobody begins twice: a turn that was given stops the clock', async () => {
  const turns = new Turns({ atOnce: 1, patienceMs: 25 });
  const begun = queue(turns, 'ab');
  turns.end();
  await vi.advanceTimersByTimeAsync(100);
  turns.end();
  void turns.begin().then(() => begun.push('c'));
  await vi.advanceTimersByTimeAsync(0);
  expect(begun.join('')).toBe('abc');
});

test('one clock looks after all who wait', () => {
  const turns = new Turns({ atOnce: 1, patienceMs: 25 });
  queue(turns, 'abcd');
  expect(vi.getTimerCount()).toBe(1);
});
