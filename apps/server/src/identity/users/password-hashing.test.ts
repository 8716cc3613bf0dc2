import { parseOptions } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import {
  argon2id,
  countHashesAtOnce,
  explainMissingArgon2,
  HashQueue,
  unknownUserPasswordHash,
} from './password-hashing.js';

// @proves contract 8: An access token is valid for 15 minutes
test('argon2id accepts the password that was hashed, and rejects any other', async () => {
  const passwordHash = await argon2id.hash('correct horse battery');
  expect(passwordHash).toMatch(/^\$argon2id\$/);
  expect(await argon2id.verify(passwordHash, 'correct horse battery')).toBe(true);
  expect(await argon2id.verify(passwordHash, 'correct horse battery ')).toBe(false);
});

// @proves contract 10a: 401 codes
test('the dummy hash, verified when the user is unknown, has the same parameters as a new password hash', async () => {
  expect(parseOptions(unknownUserPasswordHash)).toEqual(parseOptions(await argon2id.hash('correct horse battery')));
});

test('countHashesAtOnce returns 2 if UV_THREADPOOL_SIZE is not set', () => {
  expect(countHashesAtOnce(undefined)).toBe(2);
});

test.each([
  ['4', 2],
  ['64', 2],
  ['3', 1],
  ['1', 1],
  ['0', 1],
  ['many', 1],
])('countHashesAtOnce, for UV_THREADPOOL_SIZE=%s, returns %i', (size, count) => {
  expect(countHashesAtOnce(size)).toBe(count);
});

/** Opens a queue, and records which tasks were started and which were rejected. A started task runs until the test calls `end`. */
function openQueue(options: { atOnce: number; waitingMax: number }) {
  const queue = new HashQueue(options);
  const started: string[] = [];
  const rejected: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    rejected,
    add(owner: string, name: string) {
      queue
        .run(owner, async () => {
          started.push(name);
          await new Promise<void>((end) => ends.set(name, end));
        })
        .catch((error: { code: string }) => rejected.push(`${name} ${error.code}`));
    },
    async end(name: string) {
      ends.get(name)?.();
      await settle();
    },
  };
}

/** Resolves after all pending promise callbacks have run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('HashQueue', () => {
  test('runs the configured number of tasks at once, and starts the next task when a task ends', async () => {
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

  test('schedules the owners of tasks round-robin, so that many tasks of one owner delay another owner by only one task', async () => {
    const { add, end, started } = openQueue({ atOnce: 1, waitingMax: 10 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name);
    add('b', 'b1');
    add('c', 'c1');
    await settle();
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  test('rejects another task of the same owner in a full queue, but lets a task of another owner replace the last waiting task of the first', async () => {
    const { add, end, started, rejected } = openQueue({ atOnce: 1, waitingMax: 3 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) add('a', name);
    await settle();
    expect(rejected).toEqual(['a5 SERVICE_UNAVAILABLE']);
    add('b', 'b1');
    await settle();
    expect(rejected).toEqual(['a5 SERVICE_UNAVAILABLE', 'a4 SERVICE_UNAVAILABLE']);
    for (const name of ['a1', 'a2', 'b1']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  test('rejects a task of a new owner when the queue is full and each owner has only one waiting task', async () => {
    const { add, rejected } = openQueue({ atOnce: 1, waitingMax: 2 });
    for (const owner of ['a', 'b', 'c', 'd']) add(owner, owner);
    await settle();
    expect(rejected).toEqual(['d SERVICE_UNAVAILABLE']);
  });

  test('starts the next task after a failure', async () => {
    const queue = new HashQueue({ atOnce: 1, waitingMax: 2 });
    const failing = queue.run('a', () => Promise.reject(new Error('wrong')));
    const next = queue.run('a', async () => 'done');
    await expect(failing).rejects.toThrow('wrong');
    expect(await next).toBe('done');
  });
});

describe('a native module that cannot be loaded', () => {
  // The error of @node-rs/argon2 has a chain of causes, one for each file that the package tried to load.
  const missing = (cause?: Error) =>
    new Error("Cannot find module './argon2.linux-x64-gnu.node'\nRequire stack:\n- index.js", { cause });
  const failure = (cause: Error) => new Error('Cannot find native binding. npm has a bug', { cause });

  test('is reported with the reason and the remedy if optional dependencies were left out', () => {
    expect(explainMissingArgon2(failure(missing(missing()))).message).toBe(
      'The native module of @node-rs/argon2 is missing, because optional dependencies were left out. ' +
        'Install again without --omit=optional.',
    );
  });

  test.each([
    ['the file exists', failure(missing(new Error('GLIBC_2.35 not found\nTrace')))],
    ['the package reports no causes', new Error('GLIBC_2.35 not found')],
  ])('is reported with the first line of the reason if %s', (_, error) => {
    expect(explainMissingArgon2(error).message).toBe(
      'The native module of @node-rs/argon2 cannot be loaded (GLIBC_2.35 not found). Install again on this machine.',
    );
  });
});
