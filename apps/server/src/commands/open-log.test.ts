import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLog } from './open-log.js';

let written: string[];
let flushes: number;

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  flushes = 0;
  const stdout = {
    write: (text: string) => written.push(text),
    flushSync: () => {
      flushes += 1;
    },
  };
  vi.spyOn(pino, 'destination').mockReturnValue(stdout as unknown as ReturnType<typeof pino.destination>);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const messagesIn = (text: string | undefined) =>
  (text ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg);

test('the logger collects lines for ten milliseconds, and then writes them together and in order', () => {
  const log = openLog({ level: 'info' });
  log.info('a');
  vi.advanceTimersByTime(9);
  log.info('b');
  expect(written).toEqual([]);
  vi.advanceTimersByTime(1);
  log.info('c');
  expect(written.map(messagesIn)).toEqual([['a', 'b']]);
  vi.advanceTimersByTime(10);
  expect(written.map(messagesIn)).toEqual([['a', 'b'], ['c']]);
  vi.advanceTimersByTime(1_000);
  expect(written).toHaveLength(2);
});

test('the logger writes and flushes the buffered lines when the process exits', () => {
  const before = new Set(process.listeners('exit'));
  const log = openLog({ level: 'info', namesProcess: true });
  const [onExit] = process.listeners('exit').filter((listener) => !before.has(listener));
  log.info('last line');
  onExit?.(0);
  expect(written.map(messagesIn)).toEqual([['last line']]);
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ pid: process.pid });
  expect(flushes).toBe(1);
});
