import { describe, expect, test } from 'vitest';
import { type FakeWorker, settle, superviseFakeWorkers } from '../../test-support/supervise-fake-workers.js';

/** Returns the process IDs of the workers that received no request to end. */
const remaining = (workers: readonly FakeWorker[]) =>
  workers.filter(({ requests }) => requests.length === 0).map(({ pid }) => pid);

describe('replaceAll', () => {
  test('starts a replacement, then drains the old worker, then continues with the next worker', async () => {
    const { workers, worker, open, output } = superviseFakeWorkers();
    const { replaceAll } = await open();
    const replaced = replaceAll();
    for (const [old, next] of [
      [1, 4],
      [2, 5],
      [3, 6],
    ] as const) {
      await settle();
      expect(workers).toHaveLength(next);
      expect(worker(old).requests).toEqual([]);
      worker(next).serve();
      await settle();
      expect(worker(old).requests).toEqual(['drain after replacement 2000']);
      expect(workers).toHaveLength(next);
      worker(old).exit('exit code 0');
    }
    await replaced;
    expect(remaining(workers)).toEqual([4, 5, 6]);
    expect(output).toEqual([
      'Replacing the worker processes, one after the other.',
      'All worker processes are replaced.',
    ]);
  });

  test('drains the old workers with the configured drain delay', async () => {
    const { worker, open } = superviseFakeWorkers({ count: 1, drainDelayMs: 7_000 });
    const { replaceAll } = await open();
    void replaceAll();
    await settle();
    worker(2).serve();
    await settle();
    expect(worker(1).requests).toEqual(['drain after replacement 7000']);
  });

  test('keeps the old workers when a replacement exits before it serves, and starts a replacement when it is called again', async () => {
    const { workers, worker, open, output } = superviseFakeWorkers();
    const { replaceAll } = await open();
    const replaced = replaceAll();
    await settle();
    worker(4).exit('exit code 1');
    await replaced;
    expect(remaining(workers).slice(0, 3)).toEqual([1, 2, 3]);
    expect(output.at(-2)).toMatch(
      /^The worker process 4 ended with exit code 1 before it served\. The other workers continue\./,
    );
    expect(output.at(-1)).toBe('Some worker processes were not replaced.');
    void replaceAll();
    await settle();
    expect(workers).toHaveLength(5);
  });

  test('replaces the workers once more, not twice, when it is called twice during a replacement', async () => {
    const { workers, worker, open } = superviseFakeWorkers({ count: 1 });
    const { replaceAll } = await open();
    const replaced = Promise.all([replaceAll(), replaceAll(), replaceAll()]);
    for (const old of [1, 2]) {
      await settle();
      worker(old + 1).serve();
      await settle();
      worker(old).exit('exit code 0');
    }
    await replaced;
    expect(workers).toHaveLength(3);
    expect(remaining(workers)).toEqual([3]);
  });

  test('leaves exactly one worker if the old worker dies while its replacement starts', async () => {
    const { workers, worker, open } = superviseFakeWorkers({ count: 1 });
    const { replaceAll } = await open();
    const replaced = replaceAll();
    await settle();
    worker(1).exit('SIGKILL');
    await settle();
    worker(2).serve();
    await replaced;
    await settle();
    expect(workers).toHaveLength(2);
    expect(worker(2).requests).toEqual([]);
  });
});
