import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import { Deadlines } from './deadlines.js';
import { Trip } from './trip.js';

/** Takes what is written, and answers nothing. */
function silentConnection() {
  const destroy = vi.fn();
  const nothing = () => {};
  const stream = { cork: nothing, uncork: nothing, destroy };
  const messages = {
    parse: nothing,
    bind: nothing,
    describe: nothing,
    execute: nothing,
    close: nothing,
    sync: nothing,
  };
  return { destroy, connection: { stream, ...messages } as unknown as pg.Connection };
}

test('answers that had come when the time was over, and were only not read yet, are given, and the connection is kept', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  const { destroy, connection } = silentConnection();
  const resolve = vi.fn();
  const passengers = [{ statement: { text: 'select 1' }, resolve, reject: () => {} }];
  const nothing = () => {};
  const deadlines = new Deadlines();
  const trip = new Trip({ passengers, onFailure: nothing, answerMsMax: 300, deadlines });
  trip.submit(connection);
  // The process was busy for so long; what its sockets hold is read before it looks again.
  vi.advanceTimersByTime(320);
  trip.handleCommandComplete({ text: 'SELECT 0' });
  trip.handleReadyForQuery();
  await new Promise((next) => setImmediate(next));
  expect([destroy.mock.calls.length, resolve.mock.calls.length]).toEqual([0, 1]);
  vi.useRealTimers();
});
