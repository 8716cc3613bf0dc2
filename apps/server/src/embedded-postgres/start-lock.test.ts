import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { currentProcess } from './process-identity.js';
import { withStartLock } from './start-lock.js';

describe('the start lock', () => {
  let directory: string;
  let prefix: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'centavo-test-lock-'));
    prefix = join(directory, 'postgres.lock');
  });
  afterEach(() => rm(directory, { recursive: true }));

  test('lets only one of many concurrent callers run at a time', async () => {
    let running = 0;
    let runningMax = 0;
    const work = async (): Promise<void> => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      await readdir(directory);
      running -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withStartLock(prefix, work)));
    expect(runningMax).toBe(1);
  });

  test('is taken over from a dead process', async () => {
    // Process IDs of Linux are less than 2 ** 22.
    const unusedPid = 2 ** 22 + 1;
    await writeFile(`${prefix}.7`, JSON.stringify({ pid: unusedPid, isFree: false }));
    expect(await withStartLock(prefix, async () => 'done')).toBe('done');
  });

  test('is taken over if the process ID in it now belongs to a newer process', async () => {
    const { pid, startedAt } = await currentProcess();
    // Not every platform reports the start time of a process.
    if (startedAt === undefined) return;
    await writeFile(`${prefix}.7`, JSON.stringify({ pid, startedAt: 'before the reboot', isFree: false }));
    expect(await withStartLock(prefix, async () => 'done')).toBe('done');
  });

  test('is released if the work under the lock fails; after the next use there is still only one lock file', async () => {
    await expect(withStartLock(prefix, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withStartLock(prefix, async () => 'done')).toBe('done');
    expect(await readdir(directory)).toEqual(['postgres.lock.2']);
  });
});
