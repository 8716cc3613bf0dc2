import { describe, expect, test } from 'vitest';
import { origin, settle, superviseFakeWorkers } from '../../test-support/supervise-fake-workers.js';

describe('at the start', () => {
  test('the first worker serves before the others are started, and all serve before anybody is told', async () => {
    const { puppets, puppet, begun } = superviseFakeWorkers();
    await settle();
    expect(puppets).toHaveLength(1);
    puppet(1).serve();
    await settle();
    expect(puppets).toHaveLength(3);
    puppet(2).serve();
    expect(await Promise.race([begun.then(() => 'told'), settle().then(() => 'waits')])).toBe('waits');
    puppet(3).serve();
    expect((await begun).origin).toBe(origin);
  });

  test('what keeps the first one from serving is told once, and no other is started', async () => {
    const { puppets, puppet, begun } = superviseFakeWorkers();
    puppet(1).end('exit code 1');
    await expect(begun).rejects.toThrow('The worker process 1 ended with exit code 1 before it served');
    expect(puppets).toHaveLength(1);
  });

  test('where a later one cannot serve none is left', async () => {
    const { puppet, begun } = superviseFakeWorkers();
    puppet(1).serve();
    await settle();
    puppet(2).end('SIGKILL');
    await settle();
    expect([puppet(1).asked, puppet(3).asked]).toEqual([['drain 0'], ['give up']]);
    puppet(1).end('exit code 0');
    await expect(begun).rejects.toThrow('The worker process 2 ended with SIGKILL');
  });
});

describe('a worker that ends unasked', () => {
  test('has its place taken by another at once where it served for a while', async () => {
    const { puppets, puppet, said, pauses, open, letPass } = superviseFakeWorkers();
    await open();
    letPass(60_000);
    puppet(2).end('SIGKILL');
    await settle();
    expect(puppets).toHaveLength(4);
    expect(pauses).toEqual([]);
    expect(said).toEqual(['The worker process 2 ended with SIGKILL; another one takes its place.']);
  });

  test('again and again waits longer each time, and not for ever', async () => {
    const { puppets, puppet, pauses, open } = superviseFakeWorkers();
    await open();
    for (let pid = 3; pid < 12; pid += 1) {
      puppet(pid).end('exit code 1');
      await settle();
      puppets.at(-1)?.serve();
      await settle();
    }
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });

  test('after serving for a while is the first of a row again, however many ended early before it', async () => {
    const { puppets, puppet, pauses, open, letPass } = superviseFakeWorkers();
    await open();
    puppet(2).end('exit code 1');
    await settle();
    puppet(4).serve();
    await settle();
    expect(pauses).toEqual([100]);
    letPass(60_000);
    puppet(4).end('exit code 1');
    await settle();
    expect(puppets).toHaveLength(5);
    expect(pauses).toEqual([100]);
  });

  test('is tried for ever while another one serves', async () => {
    const { puppets, puppet, open } = superviseFakeWorkers();
    const { untilLost } = await open();
    puppet(2).end('SIGKILL');
    for (let failures = 0; failures < 20; failures += 1) {
      await settle();
      puppets.at(-1)?.end('exit code 1');
    }
    await settle();
    expect(puppets.length).toBeGreaterThan(20);
    expect(await Promise.race([untilLost(), settle()])).toBeUndefined();
  });

  test('and cannot be replaced is the end where no other one serves', async () => {
    const { puppets, puppet, open, pauses } = superviseFakeWorkers({ count: 1 });
    const { untilLost } = await open();
    puppet(1).end('SIGKILL');
    for (let failures = 0; failures < 5; failures += 1) {
      await settle();
      puppets.at(-1)?.end('exit code 1');
    }
    expect(await untilLost()).toMatch(/^No worker process serves any more, and 5 starts in a row have failed\.$/);
    expect(pauses.slice(0, 5)).toEqual([100, 200, 400, 800, 1_600]);
  });
});

describe('stopping', () => {
  test('asks all to leave, waits for the last, and starts nobody again', async () => {
    const { puppets, puppet, open } = superviseFakeWorkers({ drainDelayMs: 50 });
    const { stop } = await open();
    const stopped = stop();
    expect(puppets.map(({ asked }) => asked)).toEqual([['drain 50'], ['drain 50'], ['drain 50']]);
    puppet(1).end('exit code 0');
    puppet(2).end('exit code 0');
    expect(await Promise.race([stopped.then(() => 'stopped'), settle().then(() => 'waits')])).toBe('waits');
    puppet(3).end('exit code 0');
    await stopped;
    await settle();
    expect(puppets).toHaveLength(3);
  });

  test('during a pause starts nobody when the pause is over', async () => {
    let endPause = () => {};
    const untilPauseIsOver = new Promise<void>((resolve) => {
      endPause = resolve;
    });
    const { puppets, puppet, pauses, open } = superviseFakeWorkers({ count: 1, untilPauseIsOver });
    const { stop } = await open();
    puppet(1).end('SIGKILL');
    await settle();
    expect(pauses).toEqual([100]);
    await stop();
    endPause();
    await settle();
    expect(puppets).toHaveLength(1);
  });

  test('in the middle of a replacement asks each worker once, the old, the new and those beside them', async () => {
    const { puppets, puppet, open, said } = superviseFakeWorkers();
    const { replaceAll, stop } = await open();
    const replaced = replaceAll();
    await settle();
    puppet(4).serve();
    await settle();
    puppet(1).end('exit code 0');
    await settle();
    const stopped = stop();
    // The fifth was not serving yet, and has ended by being asked to.
    expect(puppets.map(({ asked }) => asked)).toEqual([
      ['be replaced in 2000'],
      ['drain 0'],
      ['drain 0'],
      ['drain 0'],
      ['give up'],
    ]);
    for (const one of puppets) one.end('exit code 0');
    await Promise.all([stopped, replaced]);
    await settle();
    expect(puppets).toHaveLength(5);
    expect(said).toEqual(['Replacing the worker processes, one after the other.']);
  });
});
