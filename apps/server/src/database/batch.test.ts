import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import { Deadlines } from '../optimizations/deadlines.js';
import { Batch } from './batch.js';

/** Returns a connection that accepts all writes and never responds. */
function silentConnection() {
  const destroy = vi.fn();
  const stream = { writable: true, write: () => true, destroy };
  return { destroy, connection: { stream } as unknown as pg.Connection };
}

test('a batch delivers results that arrived before the time limit but were read after it, and keeps the connection', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  const { destroy, connection } = silentConnection();
  const batch = new Batch({ deadlines: new Deadlines(), onFailure: () => {} });
  const result = batch.add({ text: 'select 1' });
  batch.expiresAt = performance.now() + 300;
  batch.submit(connection);
  // The process is busy until after the limit. The socket has already received the results.
  vi.advanceTimersByTime(320);
  batch.handleCommandComplete({ text: 'SELECT 0' });
  batch.handleReadyForQuery();
  await new Promise((next) => setImmediate(next));
  expect(await result).toEqual({ rows: [], command: 'SELECT' });
  expect(destroy).not.toHaveBeenCalled();
  vi.useRealTimers();
});
