import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Sweep, startHourlySweeps } from './hourly-sweeps.js';
import type { Database } from './pool.js';
import type { Transaction } from './transaction.js';

const database = {
  transaction: (_: unknown, work: (tx: Transaction) => Promise<unknown>) => work({} as Transaction),
} as unknown as Database;

/** A sweep that removes so many rows, one batch after the other, and then none. */
function sweepOf(...batches: number[]): Sweep & { readonly asked: () => number } {
  let asked = 0;
  return {
    what: 'rows',
    asked: () => asked,
    removeBatch: async () => {
      asked += 1;
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
  test('go on while batches are full, now and after an hour', async () => {
    const sweep = sweepOf(1000, 1000, 1);
    const sweeps = startHourlySweeps({ database, sweeps: [sweep], onFailure: expect.unreachable });
    await vi.advanceTimersByTimeAsync(3_599_999);
    expect(sweep.asked()).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(sweep.asked()).toBe(4);
    await sweeps.close();
    await vi.advanceTimersByTimeAsync(7_200_000);
    expect(sweep.asked()).toBe(4);
  });

  test('report one that fails, run the others, and try it again after an hour', async () => {
    let failing = 0;
    const broken: Sweep = {
      what: 'broken rows',
      removeBatch: async () => {
        failing += 1;
        throw new Error('away');
      },
    };
    const other = sweepOf();
    const failures: string[] = [];
    const sweeps = startHourlySweeps({ database, sweeps: [broken, other], onFailure: (what) => failures.push(what) });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([failing, other.asked(), failures]).toEqual([2, 2, ['broken rows', 'broken rows']]);
    await sweeps.close();
  });

  test('end with the batch that is being removed when the server stops', async () => {
    const sweep = sweepOf(1000, 1000, 1000, 1000);
    const sweeps = startHourlySweeps({ database, sweeps: [sweep], onFailure: expect.unreachable });
    await sweeps.close();
    expect(sweep.asked()).toBe(1);
  });
});
