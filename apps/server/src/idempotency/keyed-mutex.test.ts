import { describe, expect, test } from 'vitest';
import { KeyedMutex } from './keyed-mutex.js';

/** A promise that the test settles. */
function deferred<Value = void>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Value>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}

const never = () => new Promise<void>(() => undefined);
/** Lets everything run that waits for nothing but its turn. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A flight whose works the test lands one by one; `started` tells which have begun. */
function airfield(sleep: (ms: number) => Promise<void> = never) {
  const keyedMutex = new KeyedMutex();
  const started: string[] = [];
  const fly = (name: string, key = 'k') => {
    const work = deferred<string>();
    const landed = keyedMutex.run({
      key,
      waitMsMax: 5_000,
      sleep,
      work: () => {
        started.push(name);
        return work.promise;
      },
    });
    return { landed, land: () => work.resolve(name), crash: (error: Error) => work.reject(error) };
  };
  return { fly, started };
}

describe('requests under one key', () => {
  test('wait for those before them, and each does its own work then', async () => {
    const { fly, started } = airfield();
    const [first, second, third] = [fly('first'), fly('second'), fly('third')];
    await settled();
    expect(started).toEqual(['first']);
    first.land();
    await settled();
    expect(started).toEqual(['first', 'second']);
    const fourth = fly('fourth');
    second.land();
    await settled();
    expect(started).toEqual(['first', 'second', 'third']);
    third.land();
    await settled();
    fourth.land();
    const landed = await Promise.all([first, second, third, fourth].map((flight) => flight.landed));
    expect(landed).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('go on when the first fails, and its failure is its own', async () => {
    const { fly, started } = airfield();
    const first = fly('first');
    const second = fly('second');
    first.crash(new Error('refused'));
    await expect(first.landed).rejects.toThrow('refused');
    await settled();
    expect(started).toEqual(['first', 'second']);
    second.land();
    expect(await second.landed).toBe('second');
  });

  test('wait no longer than they are told', async () => {
    const waits: number[] = [];
    const alarm = deferred();
    const { fly, started } = airfield((ms) => {
      waits.push(ms);
      return alarm.promise;
    });
    const first = fly('first');
    const second = fly('second');
    await settled();
    expect([started, waits]).toEqual([['first'], [5_000]]);
    alarm.resolve();
    await settled();
    expect(started).toEqual(['first', 'second']);
    second.land();
    expect(await second.landed).toBe('second');
    const third = fly('third');
    await settled();
    // The first is still under way, and the third has its own time to wait for it.
    expect([started, waits]).toEqual([
      ['first', 'second', 'third'],
      [5_000, 5_000],
    ]);
    third.land();
    first.land();
    expect(await Promise.all([first.landed, third.landed])).toEqual(['first', 'third']);
  });
});

test('requests under different keys do not wait for each other', async () => {
  const { fly, started } = airfield();
  const [one, other] = [fly('one', 'a'), fly('other', 'b')];
  expect(started).toEqual(['one', 'other']);
  one.land();
  other.land();
  await Promise.all([one.landed, other.landed]);
});

test.each(['a', 'b', 'c'])(
  'when the flight of %s of three keys has landed, the others still wait for theirs',
  async (key) => {
    const { fly, started } = airfield();
    const keys = ['a', 'b', 'c'];
    const flights = keys.map((name) => fly(name, name));
    flights[keys.indexOf(key)]?.land();
    await settled();
    const twins = keys.map((name) => fly(`twin of ${name}`, name));
    await settled();
    expect(started).toEqual([...keys, `twin of ${key}`]);
    for (const { land } of [...flights, ...twins]) land();
    await Promise.all(twins.map(({ landed }) => landed));
    expect(new Set(started)).toEqual(new Set([...keys, ...keys.map((name) => `twin of ${name}`)]));
  },
);

test('a key is free again once its flight has landed, whichever way', async () => {
  const { fly, started } = airfield();
  const crashed = fly('crashed');
  crashed.crash(new Error('refused'));
  await expect(crashed.landed).rejects.toThrow();
  await settled();
  const later = fly('later');
  expect(started).toEqual(['crashed', 'later']);
  later.land();
  await later.landed;
});
