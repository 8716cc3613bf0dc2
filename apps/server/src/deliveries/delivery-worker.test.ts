import { afterEach, expect, it, vi } from 'vitest';
import type { Database } from '../database/pool.js';
import type { Statement } from '../database/statement.js';
import { startDeliveries } from './delivery-worker.js';

const intervalMs = 1_000;

afterEach(() => {
  vi.useRealTimers();
});

/**
 * Returns a fake database in which `count` endpoints are due, and the list of the endpoints that the worker serves. The database returns no
 * endpoint for `app.authorize_webhook`, as if the worker had lost its lease. Therefore the worker sends no HTTP request.
 */
function databaseWithDue(count: number) {
  const due = Array.from({ length: count }, (_, index) => `endpoint ${index}`);
  const served: unknown[] = [];
  async function send({ text, values = [] }: Statement) {
    if (text.includes('app.lease_webhooks')) {
      const leased = due.splice(0, Number(values[1]));
      return { rows: leased.map((endpoint_id) => ({ endpoint_id, epoch: '1', late_seconds: 0 })) };
    }
    if (!text.includes('app.authorize_webhook')) return { rows: [] };
    served.push(values[0]);
    return { rows: [{ endpoint: null }] };
  }
  const transaction = (_: unknown, work: (tx: { send: typeof send }) => unknown) => work({ send });
  return { database: { transaction } as unknown as Database, served };
}

it('the delivery worker serves all 35 due endpoints before its next poll', async () => {
  vi.useFakeTimers();
  const { database, served } = databaseWithDue(35);
  const failures: unknown[] = [];
  const worker = startDeliveries({
    database,
    intervalMs,
    newId: () => 'worker',
    dispatcher: { close: async () => {} },
    elapsedMs: () => 0,
    onFailure: (error: unknown) => failures.push(error),
    onLate: () => {},
  } as unknown as Parameters<typeof startDeliveries>[0]);
  await vi.advanceTimersByTimeAsync(intervalMs);
  await vi.advanceTimersByTimeAsync(intervalMs - 1);
  expect({ served: new Set(served).size, failures }).toEqual({ served: 35, failures: [] });
  await worker.close();
});
