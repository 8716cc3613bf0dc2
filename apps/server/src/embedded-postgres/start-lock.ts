import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { currentProcess, isSameProcessAlive, type ProcessIdentity } from './process-identity.js';

const pollMs = 50;
// A cold start on a slow disk takes about ten seconds. A process that holds the lock longer than this limit probably hangs.
const waitMsMax = 120_000;

/**
 * Runs `work` under the lock of `lockPrefix`, which only one call at a time can hold, and returns the result of `work`. Takes over the
 * lock of a dead process.
 *
 * Lock files are numbered, and the file with the highest number is the lock. If that file is marked as free, or its process is dead,
 * another process can acquire the lock by creating the file with the next number. Only one process can create that file. Deleting the
 * file of a dead process and creating it again would be unsafe. If two processes did so at the same time, the slower process could
 * delete the new lock of the faster process. The file with the highest number is therefore never deleted, only marked as free.
 *
 * @throws Error after a wait of two minutes, naming the process that holds the lock.
 */
export async function withStartLock<Result>(lockPrefix: string, work: () => Promise<Result>): Promise<Result> {
  const own: LockRecord = { ...(await currentProcess()), isFree: false };
  const deadline = performance.now() + waitMsMax;
  for (;;) {
    const highest = (await listLocks(lockPrefix)).at(-1) ?? 0;
    const record = highest === 0 ? undefined : await readLockRecord(lockPrefix, highest);
    if (record === undefined || record.isFree || !(await isSameProcessAlive(record))) {
      const number = highest + 1;
      if (await tryAcquire(lockPrefix, number, own)) {
        try {
          return await work();
        } finally {
          await writeLockRecord(lockFile(lockPrefix, number), { ...own, isFree: true });
        }
      }
    } else if (performance.now() > deadline) {
      throw new Error(
        `Process ${record.pid} has held ${lockFile(lockPrefix, highest)} for too long. Stop that process, then try again.`,
      );
    }
    await delay(pollMs);
  }
}

type LockRecord = ProcessIdentity & { isFree: boolean };

const lockFile = (prefix: string, number: number): string => `${prefix}.${number}`;

async function tryAcquire(prefix: string, number: number, own: LockRecord): Promise<boolean> {
  const file = lockFile(prefix, number);
  const temporary = `${prefix}.temporary-${randomUUID()}`;
  // All users can read the file, because an ordinary user has to see which process holds the lock, even if that process runs as root.
  await writeFile(temporary, JSON.stringify(own), { mode: 0o644 });
  try {
    // `link` makes the complete file visible in one step, and fails if the name exists. Opening with O_EXCL would expose an empty file
    // first.
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  const numbers = await listLocks(prefix);
  // `link` can succeed although a file with a higher number is the lock. Example: this process finds that file 4 is the highest. Before
  // it links file 5, other processes create file 5, then file 6, and delete file 5.
  const isLatest = numbers.at(-1) === number;
  const superfluous = isLatest ? numbers.slice(0, -1) : [number];
  await Promise.all(superfluous.map((each) => rm(lockFile(prefix, each), { force: true })));
  return isLatest;
}

async function listLocks(prefix: string): Promise<number[]> {
  const start = `${basename(prefix)}.`;
  return (await readdir(dirname(prefix)))
    .filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length)))
    .sort((a, b) => a - b);
}

async function readLockRecord(prefix: string, number: number): Promise<LockRecord | undefined> {
  const text = await readFile(lockFile(prefix, number), 'utf8').catch((error: NodeJS.ErrnoException) => {
    // The file was deleted after it was listed, so a file with a higher number exists. `withStartLock` therefore fails to acquire the
    // lock, and lists the files again.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as LockRecord);
}

async function writeLockRecord(file: string, record: LockRecord): Promise<void> {
  // The file is renamed into place, so that no reader sees an incomplete file.
  const temporary = `${file}.temporary-${randomUUID()}`;
  await writeFile(temporary, JSON.stringify(record), { mode: 0o644 });
  await rename(temporary, file);
}
