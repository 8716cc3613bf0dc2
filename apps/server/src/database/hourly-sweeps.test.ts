import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Sweep, startHourlySweeps } from './hourly-sweeps.js';
import type { Database } from './pool.js';
import type { Transaction } from './transaction.js';

const database = {
  transaction: (_: unknown, work: (tx: Transaction) => Promise<unknown>) => work({} as Transaction),
} as unknown as Database;

/** Returns a sweep that removes batches of these sizes, and then no more rows. */
function sweepOf(...batches: number[]): Sweep & { readonly calls: () => number } {
  let calls = 0;
  return {
    name: 'rows',
    calls: () => calls,
    removeBatch: async () => {
      calls += 1;
      return batches.shift() ?? 0;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('hourly sweeps', () => {
  test('run at the start and every hour, each until it removes less than a full batch', async () => {
    const sweep = sweepOf(1000, 1000, 1);
    const sweeps = startHourlySweeps({ database, sweeps: [sweep], onFailure: expect.unreachable });
    await vi.advanceTimersByTimeAsync(3_599_999);
    expect(sweep.calls()).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(sweep.calls()).toBe(4);
    await sweeps.close();
    await vi.advanceTimersByTimeAsync(7_200_000);
    expect(sweep.calls()).toBe(4);
  });

  test('report a failed sweep, run the other sweeps, and run the failed sweep again after an hour', async () => {
    let failing = 0;
    const broken: Sweep = {
      name: 'broken rows',
      removeBatch: async () => {
        failing += 1;
        throw new Error('away');
      },
    };
    const other = sweepOf();
    const failures: string[] = [];
    const sweeps = startHourlySweeps({ database, sweeps: [broken, other], onFailure: (name) => failures.push(name) });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([failing, other.calls(), failures]).toEqual([2, 2, ['broken rows', 'broken rows']]);
    await sweeps.close();
  });

  test('stop after the current batch when the server closes them', async () => {
    const sweep = sweepOf(1000, 1000, 1000, 1000);
    const sweeps = startHourlySweeps({ database, sweeps: [sweep], onFailure: expect.unreachable });
    await sweeps.close();
    expect(sweep.calls()).toBe(1);
  });
});
