import { execFile } from 'node:child_process';
import { mkdtemp, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { LockedError, withFileLock } from './file-lock.js';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'centavo-lock-'));
  path = join(directory, 'profile.lock');
});

/**
 * Returns a clock whose waits end at once. Each wait advances the clock by ten seconds, so that a few waits reach the
 * time limit.
 */
function testClock() {
  const clock = {
    currentMs: 0,
    nowMs: () => clock.currentMs,
    waitMs: async () => {
      clock.currentMs += 10_000;
    },
  };
  return clock;
}

/** A clock that does not advance, so that a wait for the lock never reaches the time limit. */
const stillClock = { nowMs: () => 0, waitMs: () => new Promise<void>((resolve) => setImmediate(resolve)) };

it('withFileLock runs the work of one caller at a time, and removes the lock file afterwards', async () => {
  let inside = 0;
  let most = 0;
  const act = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withFileLock(path, stillClock, act)));
  expect(most).toBe(1);
  expect(await readdir(directory)).toEqual([]);
});

it('withFileLock releases the lock if the work fails', async () => {
  const failing = withFileLock(path, testClock(), async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await withFileLock(path, testClock(), async () => 'in')).toBe('in');
});

it('withFileLock takes over the lock of a process that has ended', async () => {
  // No process has this id, because it is greater than the system's maximum.
  await writeFile(path, JSON.stringify({ pid: 2 ** 30, host: hostname(), id: 'x' }));
  expect(await withFileLock(path, testClock(), async () => 'in')).toBe('in');
});

it.skipIf(process.platform === 'win32')(
  'withFileLock fails with LockedError and keeps the lock if another process has already replaced the abandoned lock',
  async () => {
    const abandoned = JSON.stringify({ pid: 2 ** 30, host: hostname(), id: 'first' });
    const living = JSON.stringify({ pid: process.pid, host: hostname(), id: 'third' });
    // The path is first a named pipe, so that the first read by `withFileLock` blocks until the test has replaced the pipe
    // with the lock of another process.
    await promisify(execFile)('mkfifo', [path]);
    const waiting = withFileLock(path, testClock(), async () => 'in').catch((error: unknown) => error);
    const pipe = await open(path, 'w');
    await writeFile(`${path}.third`, living);
    await rename(`${path}.third`, path);
    await pipe.writeFile(abandoned);
    await pipe.close();
    expect(await waiting).toBeInstanceOf(LockedError);
    expect(await readFile(path, 'utf8')).toBe(living);
    expect(await readdir(directory)).toEqual(['profile.lock']);
  },
);

it('withFileLock fails with LockedError after 30 s if the owner of the lock is running or on another machine', async () => {
  for (const owner of [
    { pid: process.pid, host: hostname() },
    { pid: 2 ** 30, host: 'elsewhere' },
  ]) {
    await writeFile(path, JSON.stringify(owner));
    const clock = testClock();
    await expect(withFileLock(path, clock, async () => 'in')).rejects.toThrow(LockedError);
    expect(clock.currentMs).toBe(30_000);
  }
});
