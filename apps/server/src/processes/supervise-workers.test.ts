import { describe, expect, test } from 'vitest';
import { type Supervision, superviseWorkers } from './supervise-workers.js';
import type { Leave, WorkerProcess } from './worker-process.js';

const origin = 'http://127.0.0.1:8080';

/** A worker that does what the test says. */
class Puppet implements WorkerProcess {
  readonly pid: number;
  readonly serving: Promise<string>;
  readonly ended: Promise<string>;
  readonly asked: string[] = [];
  serve = () => {};
  end = (_how: string) => {};

  constructor(pid: number) {
    this.pid = pid;
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    this.serving = new Promise((resolve, reject) => {
      this.serve = () => resolve(origin);
      void this.ended.then((how) => reject(new Error(`The worker process ${pid} ended with ${how} before it served`)));
    });
    this.serving.catch(() => {});
  }

  drain({ drainDelayMs, isReplaced }: Leave): void {
    this.asked.push(`${isReplaced ? 'be replaced in' : 'drain'} ${drainDelayMs}`);
  }

  giveUp(): void {
    this.asked.push('give up');
    this.end('SIGTERM');
  }
}

/** Everything that does not wait for the test has happened by then. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A supervision in the test's hand: its processes, its clock, and what it says. */
function stage(options: { count?: number; drainDelayMs?: number; untilPauseIsOver?: Promise<void> } = {}) {
  const puppets: Puppet[] = [];
  const said: string[] = [];
  const pauses: number[] = [];
  let nowMs = 0;
  const begun = superviseWorkers({
    count: options.count ?? 3,
    drainDelayMs: options.drainDelayMs ?? 0,
    fork() {
      const puppet = new Puppet(puppets.length + 1);
      puppets.push(puppet);
      return puppet;
    },
    pace: {
      now: () => nowMs,
      sleep: async (ms) => {
        pauses.push(ms);
        nowMs += ms;
        await options.untilPauseIsOver;
      },
    },
    say: (line) => said.push(line),
    warn: (line) => said.push(line),
  });
  begun.catch(() => {});
  const puppet = (pid: number) => puppets[pid - 1] as Puppet;
  return {
    puppets,
    puppet,
    said,
    pauses,
    begun,
    letPass: (ms: number) => {
      nowMs += ms;
    },
    /** All of the first ones serve. */
    async open(): Promise<Supervision> {
      puppet(1).serve();
      await settle();
      for (const one of puppets) one.serve();
      return begun;
    },
  };
}

/** The processes that were started and have not been asked to leave. */
const remaining = (puppets: readonly Puppet[]) =>
  puppets.filter(({ asked }) => asked.length === 0).map(({ pid }) => pid);

describe('at the start', () => {
  test('the first worker serves before the others are started, and all serve before anybody is told', async () => {
    const { puppets, puppet, begun } = stage();
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
    const { puppets, puppet, begun } = stage();
    puppet(1).end('exit code 1');
    await expect(begun).rejects.toThrow('The worker process 1 ended with exit code 1 before it served');
    expect(puppets).toHaveLength(1);
  });

  test('where a later one cannot serve none is left', async () => {
    const { puppet, begun } = stage();
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
    const { puppets, puppet, said, pauses, open, letPass } = stage();
    await open();
    letPass(60_000);
    puppet(2).end('SIGKILL');
    await settle();
    expect(puppets).toHaveLength(4);
    expect(pauses).toEqual([]);
    expect(said).toEqual(['The worker process 2 ended with SIGKILL; another one takes its place.']);
  });

  test('again and again waits longer each time, and not for ever', async () => {
    const { puppets, puppet, pauses, open } = stage();
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
    const { puppets, puppet, pauses, open, letPass } = stage();
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
    const { puppets, puppet, open } = stage();
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
    const { puppets, puppet, open, pauses } = stage({ count: 1 });
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

describe('replacing all', () => {
  test('goes one after the other: the new one serves, then the old one leaves, then it is the next one’s turn', async () => {
    const { puppets, puppet, open, said } = stage();
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
    const { puppet, open } = stage({ count: 1, drainDelayMs: 7_000 });
    const { replaceAll } = await open();
    void replaceAll();
    await settle();
    puppet(2).serve();
    await settle();
    expect(puppet(1).asked).toEqual(['be replaced in 7000']);
  });

  test('leaves the old ones where they are when a new one cannot serve, and can be asked for again', async () => {
    const { puppets, puppet, open, said } = stage();
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
    const { puppets, puppet, open } = stage({ count: 1 });
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
    const { puppets, puppet, open } = stage({ count: 1 });
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

describe('stopping', () => {
  test('asks all to leave, waits for the last, and starts nobody again', async () => {
    const { puppets, puppet, open } = stage({ drainDelayMs: 50 });
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
    const { puppets, puppet, pauses, open } = stage({ count: 1, untilPauseIsOver });
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
    const { puppets, puppet, open, said } = stage();
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
