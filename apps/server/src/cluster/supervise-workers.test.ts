import { describe, expect, test } from 'vitest';
import { origin, settle, superviseFakeWorkers } from '../../test-support/supervise-fake-workers.js';

describe('the supervisor, when it starts,', () => {
  test('starts the other workers after the first one has begun to serve, and resolves when all workers serve', async () => {
    const { workers, worker, supervision } = superviseFakeWorkers();
    await settle();
    expect(workers).toHaveLength(1);
    worker(1).serve();
    await settle();
    expect(workers).toHaveLength(3);
    worker(2).serve();
    expect(await Promise.race([supervision.then(() => 'resolved'), settle().then(() => 'pending')])).toBe('pending');
    worker(3).serve();
    expect((await supervision).origin).toBe(origin);
  });

  test('rejects with the reason when the first worker exits before it serves, and starts no other worker', async () => {
    const { workers, worker, supervision } = superviseFakeWorkers();
    worker(1).exit('exit code 1');
    await expect(supervision).rejects.toThrow('The worker process 1 ended with exit code 1 before it served');
    expect(workers).toHaveLength(1);
  });

  test('stops all workers and rejects when a worker after the first one exits before it serves', async () => {
    const { worker, supervision } = superviseFakeWorkers();
    worker(1).serve();
    await settle();
    worker(2).exit('SIGKILL');
    await settle();
    expect([worker(1).requests, worker(3).requests]).toEqual([['drain 0'], ['cancel start']]);
    worker(1).exit('exit code 0');
    await expect(supervision).rejects.toThrow('The worker process 2 ended with SIGKILL');
  });
});

describe('a worker that exits unexpectedly', () => {
  test('is restarted at once if it served for a minute', async () => {
    const { workers, worker, output, backoffs, open, advance } = superviseFakeWorkers();
    await open();
    advance(60_000);
    worker(2).exit('SIGKILL');
    await settle();
    expect(workers).toHaveLength(4);
    expect(backoffs).toEqual([]);
    expect(output).toEqual(['The worker process 2 ended with SIGKILL; starting another worker.']);
  });

  test('is restarted with a back-off that doubles from 100 ms to 5 s if every replacement exits soon after its start', async () => {
    const { workers, worker, backoffs, open } = superviseFakeWorkers();
    await open();
    for (let pid = 3; pid < 12; pid += 1) {
      worker(pid).exit('exit code 1');
      await settle();
      workers.at(-1)?.serve();
      await settle();
    }
    expect(backoffs).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });

  test('is restarted at once if it served for a minute, even if its previous restart had a back-off', async () => {
    const { workers, worker, backoffs, open, advance } = superviseFakeWorkers();
    await open();
    worker(2).exit('exit code 1');
    await settle();
    worker(4).serve();
    await settle();
    expect(backoffs).toEqual([100]);
    advance(60_000);
    worker(4).exit('exit code 1');
    await settle();
    expect(workers).toHaveLength(5);
    expect(backoffs).toEqual([100]);
  });

  test('is restarted after each of 20 failed starts while another worker serves', async () => {
    const { workers, worker, open } = superviseFakeWorkers();
    const { waitForFailure } = await open();
    worker(2).exit('SIGKILL');
    for (let failures = 0; failures < 20; failures += 1) {
      await settle();
      workers.at(-1)?.exit('exit code 1');
    }
    await settle();
    expect(workers.length).toBeGreaterThan(20);
    expect(await Promise.race([waitForFailure(), settle()])).toBeUndefined();
  });

  test('is reported as a failure after five failed restarts if no other worker serves', async () => {
    const { workers, worker, open, backoffs } = superviseFakeWorkers({ count: 1 });
    const { waitForFailure } = await open();
    worker(1).exit('SIGKILL');
    for (let failures = 0; failures < 5; failures += 1) {
      await settle();
      workers.at(-1)?.exit('exit code 1');
    }
    expect(await waitForFailure()).toMatch(/^No worker process is running, and the last 5 starts have failed\.$/);
    expect(backoffs.slice(0, 5)).toEqual([100, 200, 400, 800, 1_600]);
  });
});

describe('the supervisor, when it stops,', () => {
  test('drains all workers, resolves after the last has exited, and restarts none', async () => {
    const { workers, worker, open } = superviseFakeWorkers({ drainDelayMs: 50 });
    const { stop } = await open();
    const stopped = stop();
    expect(workers.map(({ requests }) => requests)).toEqual([['drain 50'], ['drain 50'], ['drain 50']]);
    worker(1).exit('exit code 0');
    worker(2).exit('exit code 0');
    expect(await Promise.race([stopped.then(() => 'stopped'), settle().then(() => 'pending')])).toBe('pending');
    worker(3).exit('exit code 0');
    await stopped;
    await settle();
    expect(workers).toHaveLength(3);
  });

  test('starts no worker when a back-off ends after the stop', async () => {
    let endBackoff = () => {};
    const sleepUntil = new Promise<void>((resolve) => {
      endBackoff = resolve;
    });
    const { workers, worker, backoffs, open } = superviseFakeWorkers({ count: 1, sleepUntil });
    const { stop } = await open();
    worker(1).exit('SIGKILL');
    await settle();
    expect(backoffs).toEqual([100]);
    await stop();
    endBackoff();
    await settle();
    expect(workers).toHaveLength(1);
  });

  test('asks each worker only once to exit, even in the middle of a replacement', async () => {
    const { workers, worker, open, output } = superviseFakeWorkers();
    const { replaceAll, stop } = await open();
    const replaced = replaceAll();
    await settle();
    worker(4).serve();
    await settle();
    worker(1).exit('exit code 0');
    await settle();
    const stopped = stop();
    // The fifth worker was not serving yet, so its start was cancelled.
    expect(workers.map(({ requests }) => requests)).toEqual([
      ['drain after replacement 2000'],
      ['drain 0'],
      ['drain 0'],
      ['drain 0'],
      ['cancel start'],
    ]);
    for (const worker of workers) worker.exit('exit code 0');
    await Promise.all([stopped, replaced]);
    await settle();
    expect(workers).toHaveLength(5);
    expect(output).toEqual(['Replacing the worker processes, one after the other.']);
  });
});
