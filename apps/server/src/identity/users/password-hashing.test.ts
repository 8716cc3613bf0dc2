import { parseOptions } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { argon2id, countHashesAtOnce, HashQueue, unknownUserPasswordHash } from './password-hashing.js';

test('a password is verified by its hash and no other is', async () => {
  const passwordHash = await argon2id.hash('correct horse battery');
  expect(passwordHash).toMatch(/^\$argon2id\$/);
  expect(await argon2id.verify(passwordHash, 'correct horse battery')).toBe(true);
  expect(await argon2id.verify(passwordHash, 'correct horse battery ')).toBe(false);
});

test('the hash for unknown users costs what a new hash costs', async () => {
  expect(parseOptions(unknownUserPasswordHash)).toEqual(parseOptions(await argon2id.hash('correct horse battery')));
});

test.each([
  [undefined, 2],
  ['4', 2],
  ['64', 2],
  ['3', 1],
  ['1', 1],
  ['0', 1],
  ['many', 1],
])('with UV_THREADPOOL_SIZE=%s, which libuv reads, so many are hashed at once: %i', (size, count) => {
  expect(countHashesAtOnce(size)).toBe(count);
});

/** A queue whose works end when the test says so, and what became of each. */
function openQueue(options: { atOnce: number; waitingMax: number }) {
  const queue = new HashQueue(options);
  const started: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    refused,
    add(owner: string, name: string) {
      queue
        .run(owner, async () => {
          started.push(name);
          await new Promise<void>((end) => ends.set(name, end));
        })
        .catch((error: { code: string }) => refused.push(`${name} ${error.code}`));
    },
    async end(name: string) {
      ends.get(name)?.();
      await settle();
    },
  };
}

/** Lets everything happen that waits for nothing but promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a queue of hashes', () => {
  test('runs so many at once and no more, each as soon as another one ends', async () => {
    const { add, end, started } = openQueue({ atOnce: 2, waitingMax: 10 });
    for (const name of ['1', '2', '3', '4']) add('a', name);
    await settle();
    expect(started).toEqual(['1', '2']);
    await end('2');
    expect(started).toEqual(['1', '2', '3']);
    await end('1');
    await end('3');
    await end('4');
    add('a', '5');
    add('a', '6');
    add('a', '7');
    await settle();
    expect(started).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('goes round the owners, so that a flood of one delays another by one work', async () => {
    const { add, end, started } = openQueue({ atOnce: 1, waitingMax: 10 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name);
    add('b', 'b1');
    add('c', 'c1');
    await settle();
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  test('refuses the owner who floods it when it is full, and drops their newest for somebody else', async () => {
    const { add, end, started, refused } = openQueue({ atOnce: 1, waitingMax: 3 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) add('a', name);
    await settle();
    expect(refused).toEqual(['a5 SERVICE_UNAVAILABLE']);
    add('b', 'b1');
    await settle();
    expect(refused).toEqual(['a5 SERVICE_UNAVAILABLE', 'a4 SERVICE_UNAVAILABLE']);
    for (const name of ['a1', 'a2', 'b1']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  test('refuses the newcomer when nobody has more than one waiting', async () => {
    const { add, refused } = openQueue({ atOnce: 1, waitingMax: 2 });
    for (const owner of ['a', 'b', 'c', 'd']) add(owner, owner);
    await settle();
    expect(refused).toEqual(['d SERVICE_UNAVAILABLE']);
  });

  test('gives the turn of a work that fails to the next', async () => {
    const queue = new HashQueue({ atOnce: 1, waitingMax: 2 });
    const failing = queue.run('a', () => Promise.reject(new Error('wrong')));
    const next = queue.run('a', async () => 'done');
    await expect(failing).rejects.toThrow('wrong');
    expect(await next).toBe('done');
  });
});
