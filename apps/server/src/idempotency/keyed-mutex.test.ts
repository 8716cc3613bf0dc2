import { describe, expect, test } from 'vitest';
import { KeyedMutex } from './keyed-mutex.js';

/** Returns a promise that the test settles. */
function deferred<Value = void>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Value>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}

const never = () => new Promise<void>(() => undefined);
/** Resolves after all pending microtasks. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Creates a mutex. `start` makes a request that runs until the test ends it. `started` lists the requests that have begun. */
function openMutex(sleep: (ms: number) => Promise<void> = never) {
  const keyedMutex = new KeyedMutex();
  const started: string[] = [];
  const start = (name: string, ...keys: string[]) => {
    const work = deferred<string>();
    const ended = keyedMutex.run({
      keys: keys.length === 0 ? ['k'] : keys,
      waitMsMax: 5_000,
      sleep,
      work: () => {
        started.push(name);
        return work.promise;
      },
    });
    return { ended, finish: () => work.resolve(name), fail: (error: Error) => work.reject(error) };
  };
  return { start, started };
}

describe('KeyedMutex: requests that share a key', () => {
  // @proves contract 6: Transaction
  test('run one after the other, and each returns the result of its own work', async () => {
    const { start, started } = openMutex();
    const [first, second, third] = [start('first'), start('second'), start('third')];
    await settled();
    expect(started).toEqual(['first']);
    first.finish();
    await settled();
    expect(started).toEqual(['first', 'second']);
    const fourth = start('fourth');
    second.finish();
    await settled();
    expect(started).toEqual(['first', 'second', 'third']);
    third.finish();
    await settled();
    fourth.finish();
    const ended = await Promise.all([first, second, third, fourth].map((request) => request.ended));
    expect(ended).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('run one after the other without a deadlock if their keys form a cycle: a and b, b and c, c and a', async () => {
    const { start, started } = openMutex();
    const [ab, bc, ca] = [start('ab', 'a', 'b'), start('bc', 'b', 'c'), start('ca', 'c', 'a')];
    await settled();
    expect(started).toEqual(['ab']);
    ab.finish();
    await settled();
    expect(started).toEqual(['ab', 'bc']);
    bc.finish();
    await settled();
    ca.finish();
    expect(await Promise.all([ab, bc, ca].map(({ ended }) => ended))).toEqual(['ab', 'bc', 'ca']);
  });

  // @proves contract 6: Transaction
  test('run after the failure of the first request, and do not fail with its error', async () => {
    const { start, started } = openMutex();
    const first = start('first');
    const second = start('second');
    first.fail(new Error('refused'));
    await expect(first.ended).rejects.toThrow('refused');
    await settled();
    expect(started).toEqual(['first', 'second']);
    second.finish();
    expect(await second.ended).toBe('second');
  });

  test('start after a wait of waitMsMax, even if the first request is still in progress', async () => {
    const waits: number[] = [];
    const alarm = deferred();
    const { start, started } = openMutex((ms) => {
      waits.push(ms);
      return alarm.promise;
    });
    const first = start('first');
    const second = start('second');
    await settled();
    expect([started, waits]).toEqual([['first'], [5_000]]);
    alarm.resolve();
    await settled();
    expect(started).toEqual(['first', 'second']);
    second.finish();
    expect(await second.ended).toBe('second');
    const third = start('third');
    await settled();
    // The first request is still in progress, so the third request also waited, with its own timeout. The resolved alarm ended that wait.
    expect([started, waits]).toEqual([
      ['first', 'second', 'third'],
      [5_000, 5_000],
    ]);
    third.finish();
    first.finish();
    expect(await Promise.all([first.ended, third.ended])).toEqual(['first', 'third']);
  });
});

test('KeyedMutex runs requests under different keys at the same time', async () => {
  const { start, started } = openMutex();
  const [one, other] = [start('one', 'a'), start('other', 'b')];
  expect(started).toEqual(['one', 'other']);
  one.finish();
  other.finish();
  await Promise.all([one.ended, other.ended]);
});

test.each(['a', 'b', 'c'])(
  'KeyedMutex starts a duplicate under key %s when the first request has ended, but no duplicate under a key in use',
  async (key) => {
    const { start, started } = openMutex();
    const keys = ['a', 'b', 'c'];
    const requests = keys.map((name) => start(name, name));
    requests[keys.indexOf(key)]?.finish();
    await settled();
    const duplicates = keys.map((name) => start(`duplicate of ${name}`, name));
    await settled();
    expect(started).toEqual([...keys, `duplicate of ${key}`]);
    for (const { finish } of [...requests, ...duplicates]) finish();
    await Promise.all(duplicates.map(({ ended }) => ended));
    expect(new Set(started)).toEqual(new Set([...keys, ...keys.map((name) => `duplicate of ${name}`)]));
  },
);

test('KeyedMutex releases a key if the request that holds it fails', async () => {
  const { start, started } = openMutex();
  const failed = start('failed');
  failed.fail(new Error('refused'));
  await expect(failed.ended).rejects.toThrow();
  await settled();
  const later = start('later');
  expect(started).toEqual(['failed', 'later']);
  later.finish();
  await later.ended;
});
