import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventWaits } from './event-waits.js';

let waits: EventWaits;

beforeEach(() => {
  vi.useFakeTimers();
  waits = new EventWaits();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => {};

function wait(headSequence: number, options: { onClose?: (listener: () => void) => void; trackerId?: string } = {}) {
  const { onClose = never, trackerId = 'home' } = options;
  return waits.wait({ trackerId, headSequence, msMax: 20_000, onClose });
}

test('EventWaits ends a wait when the tracker has an event with a higher sequence number than the request has seen', async () => {
  const [behind, current, elsewhere] = [wait(4), wait(5), wait(4, { trackerId: 'work' })];
  waits.wake('home', 5);
  expect(await behind).toBe('events');
  expect(waits.trackerIds).toEqual(['home', 'work']);
  waits.wake('home', 6);
  expect(await current).toBe('events');
  waits.wake('work', 5);
  expect(await elsewhere).toBe('events');
  expect(waits.trackerIds).toEqual([]);
});

test('EventWaits ends a wait when it times out', async () => {
  const waiting = wait(1);
  await vi.advanceTimersByTimeAsync(19_999);
  expect(waits.isAwaited('home')).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(await waiting).toBe('over');
  expect([waits.isAwaited('home'), vi.getTimerCount()]).toEqual([false, 0]);
});

test('EventWaits ends the wait of a client that disconnects, and no longer counts that wait toward the limit of 1,000', async () => {
  const closing: (() => void)[] = [];
  const waiting = wait(1, { onClose: (listener) => closing.push(listener) });
  closing[0]?.();
  expect(await waiting).toBe('over');
  expect([waits.trackerIds, vi.getTimerCount()]).toEqual([[], 0]);
  closing[0]?.();
  const others = Array.from({ length: 1_000 }, () => wait(1));
  expect(vi.getTimerCount()).toBe(1_000);
  waits.wake('home', 2);
  expect(new Set(await Promise.all(others))).toEqual(new Set(['events']));
});

test('EventWaits does not wait for a client that has already disconnected', async () => {
  expect(await wait(1, { onClose: (listener) => listener() })).toBe('over');
  expect(vi.getTimerCount()).toBe(0);
});

test('EventWaits lets 1,000 requests wait, and makes the next one return at once', async () => {
  for (let count = 0; count < 1_000; count += 1) void wait(1);
  expect(await wait(1)).toBe('over');
  expect(vi.getTimerCount()).toBe(1_000);
});

test('EventWaits ends all waits when the process drains, and lets no further request wait', async () => {
  const waiting = [wait(1), wait(2, { trackerId: 'work' })];
  waits.drain();
  expect(await Promise.all(waiting)).toEqual(['over', 'over']);
  expect(await wait(1)).toBe('over');
});

test('takeWritten returns a tracker once after two writes to it, and returns nothing at the next call', () => {
  waits.noteWrite('home');
  waits.noteWrite('home');
  expect([...waits.takeWritten()]).toEqual(['home']);
  expect([...waits.takeWritten()]).toEqual([]);
});
