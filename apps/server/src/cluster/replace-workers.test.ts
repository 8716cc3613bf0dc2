import { describe, expect, test } from 'vitest';
import { type FakeWorker, settle, superviseFakeWorkers } from '../../test-support/supervise-fake-workers.js';

/** The processes that were started and have not been asked to leave. */
const remaining = (puppets: readonly FakeWorker[]) =>
  puppets.filter(({ asked }) => asked.length === 0).map(({ pid }) => pid);

describe('replacing all', () => {
  test('goes one after the other: the new one serves, then the old one leaves, then it is the next one’s turn', async () => {
    const { puppets, puppet, open, said } = superviseFakeWorkers();
    const { replaceAll } = await open();
    const replaced = replaceAll();
    for (const [old, next] of [
      [1, 4],
      [2, 5],
      [3, 6],
    ] as const) {
      await settle();
      expect(puppets).toHaveLength(next);
      expect(puppet(old).asked).toEqual([]);
      puppet(next).serve();
      await settle();
      expect(puppet(old).asked).toEqual(['be replaced in 2000']);
      expect(puppets).toHaveLength(next);
      puppet(old).end('exit code 0');
    }
    await replaced;
    expect(remaining(puppets)).toEqual([4, 5, 6]);
    expect(said).toEqual([
      'Replacing the worker processes, one after the other.',
      'All worker processes are replaced.',
    ]);
  });

  test('gives the old ones as long as the operator wants them to go on accepting', async () => {
    const { puppet, open } = superviseFakeWorkers({ count: 1, drainDelayMs: 7_000 });
    const { replaceAll } = await open();
    void replaceAll();
    await settle();
    puppet(2).serve();
    await settle();
    expect(puppet(1).asked).toEqual(['be replaced in 7000']);
  });

  test('leaves the old ones where they are when a new one cannot serve, and can be asked for again', async () => {
    const { puppets, puppet, open, said } = superviseFakeWorkers();
    const { replaceAll } = await open();
    const replaced = replaceAll();
    await settle();
    puppet(4).end('exit code 1');
    await replaced;
    expect(remaining(puppets).slice(0, 3)).toEqual([1, 2, 3]);
    expect(said.at(-2)).toMatch(/^The worker process 4 ended with exit code 1 before it served\. The others go on;/);
    expect(said.at(-1)).toBe('Not all worker processes are replaced.');
    void replaceAll();
    await settle();
    expect(puppets).toHaveLength(5);
  });

  test('asked for twice meanwhile, is done once more afterwards', async () => {
    const { puppets, puppet, open } = superviseFakeWorkers({ count: 1 });
    const { replaceAll } = await open();
    const replaced = Promise.all([replaceAll(), replaceAll(), replaceAll()]);
    for (const old of [1, 2]) {
      await settle();
      puppet(old + 1).serve();
      await settle();
      puppet(old).end('exit code 0');
    }
    await replaced;
    expect(puppets).toHaveLength(3);
    expect(remaining(puppets)).toEqual([3]);
  });

  test('ends with one worker in the place of an old one that died while its successor was starting', async () => {
    const { puppets, puppet, open } = superviseFakeWorkers({ count: 1 });
    const { replaceAll } = await open();
    const replaced = replaceAll();
    await settle();
    puppet(1).end('SIGKILL');
    await settle();
    puppet(2).serve();
    await replaced;
    await settle();
    expect(puppets).toHaveLength(2);
    expect(puppet(2).asked).toEqual([]);
  });
});
