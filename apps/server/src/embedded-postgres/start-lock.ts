import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { currentProcess, isSameProcessAlive, type ProcessIdentity } from './process-identity.js';

const pollMs = 50;
// A cold start on a slow disk takes some ten seconds; a holder that needs longer than this hangs.
const waitMsMax = 120_000;

/**
 * Runs `act` while no other process runs one under the same `lockPrefix`. A lock whose holder died is taken over.
 *
 * Lock files are numbered, and the highest is the lock. Taking it means making the next number, which only one can do.
 * Deleting a stale file and making it again would not do: of two that saw it stale, the slower deletes the lock of the faster.
 * The highest number is therefore never deleted, only marked as free.
 *
 * @throws Error after two minutes of waiting, naming the process that holds the lock.
 */
export async function withStartLock<Result>(lockPrefix: string, act: () => Promise<Result>): Promise<Result> {
  const me: LockMark = { ...(await currentProcess()), isFree: false };
  const deadline = performance.now() + waitMsMax;
  for (;;) {
    const highest = (await listLocks(lockPrefix)).at(-1) ?? 0;
    const mark = highest === 0 ? undefined : await readMark(lockPrefix, highest);
    if (mark === undefined || mark.isFree || !(await isSameProcessAlive(mark))) {
      const mine = highest + 1;
      if (await tryTake(lockPrefix, mine, me)) {
        try {
          return await act();
        } finally {
          await writeMark(lockFile(lockPrefix, mine), { ...me, isFree: true });
        }
      }
    } else if (performance.now() > deadline) {
      throw new Error(
        `Process ${mark.pid} holds ${lockFile(lockPrefix, highest)} for too long. Stop it, then try again.`,
      );
    }
    await delay(pollMs);
  }
}

type LockMark = ProcessIdentity & { isFree: boolean };

const lockFile = (prefix: string, number: number): string => `${prefix}.${number}`;

async function tryTake(prefix: string, number: number, me: LockMark): Promise<boolean> {
  const file = lockFile(prefix, number);
  const draft = `${prefix}.draft-${randomUUID()}`;
  // Readable by all, and no secret: an ordinary user has to see who holds the lock even if that is root.
  await writeFile(draft, JSON.stringify(me), { mode: 0o644 });
  try {
    // A link appears at once with its content and fails if the name exists; opening with O_EXCL would show an empty file first.
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const numbers = await listLocks(prefix);
  // Whoever read the list long ago may have made a number that was deleted meanwhile; a higher one then exists.
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

async function readMark(prefix: string, number: number): Promise<LockMark | undefined> {
  const text = await readFile(lockFile(prefix, number), 'utf8').catch((error: NodeJS.ErrnoException) => {
    // Deleted since it was listed, so a higher one exists: the attempt to take it then fails and the list is read again.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as LockMark);
}

async function writeMark(file: string, mark: LockMark): Promise<void> {
  // By rename, because a reader must never see half of it.
  const draft = `${file}.draft-${randomUUID()}`;
  await writeFile(draft, JSON.stringify(mark), { mode: 0o644 });
  await rename(draft, file);
}
