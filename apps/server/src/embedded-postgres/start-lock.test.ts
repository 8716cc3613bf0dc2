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

  test('of many at once, one acts at a time', async () => {
    let acting = 0;
    let actingMax = 0;
    const act = async (): Promise<void> => {
      acting += 1;
      actingMax = Math.max(actingMax, acting);
      await readdir(directory);
      acting -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withStartLock(prefix, act)));
    expect(actingMax).toBe(1);
  });

  test('the lock of a dead process is taken over', async () => {
    await writeFile(`${prefix}.7`, JSON.stringify({ pid: 2 ** 22 + 1, isFree: false }));
    expect(await withStartLock(prefix, async () => 'done')).toBe('done');
  });

  test('a lock whose process id belongs to a younger process is taken over', async () => {
    const { pid, startedAt } = await currentProcess();
    // Only where the platform tells when a process began.
    if (startedAt === undefined) return;
    await writeFile(`${prefix}.7`, JSON.stringify({ pid, startedAt: 'before the reboot', isFree: false }));
    expect(await withStartLock(prefix, async () => 'done')).toBe('done');
  });

  test('a failing act frees the lock and leaves one file', async () => {
    await expect(withStartLock(prefix, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withStartLock(prefix, async () => 'done')).toBe('done');
    expect(await readdir(directory)).toEqual(['postgres.lock.2']);
  });
});
