import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError, InterruptedError } from '../errors.js';
import type { Clock } from '../io.js';
import { hostname } from 'node:os';

/** Another process has held the profile for too long. */
export class LockedError extends CliError {}

/**
 * Runs `act` while holding a lock file, which only one process can create. Cron jobs and terminals share a profile, and
 * two that refreshed one session at once would have it revoked.
 *
 * A lock left by a process that no longer lives is taken over; one that is held is waited for, 30 s at most.
 * @throws LockedError (exit 1) when the wait was in vain
 */
export async function withFileLock<Result>(path: string, clock: Clock, act: () => Promise<Result>): Promise<Result> {
  const mine = await describeOwner();
  const giveUpMs = clock.nowMs() + waitMsMax;
  while (!(await tryCreateLock(path, mine))) {
    if (await removeIfAbandoned(path)) continue;
    if (clock.nowMs() >= giveUpMs) {
      throw new LockedError(`Another process holds ${path}.`, 'Wait for it, or remove the file if none is running.');
    }
    await clock.waitMs(retryEveryMs);
  }
  try {
    return await act();
  } finally {
    await rm(path, { force: true });
  }
}

const waitMsMax = 30_000;
const retryEveryMs = 50;

/** Creates a lock file with this content, with the directory that it is in; false where there is one already. */
export async function tryCreateLock(path: string, content: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Written aside and linked into place: a lock is never seen empty, so its owner can always be asked after.
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.close();
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Moving the lock aside, rather than deleting it, lets us see what we took: if a third process was quicker and we took
 * its live lock, it is put back.
 */
async function removeIfAbandoned(path: string): Promise<boolean> {
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined) return true;
  if (!(await isAbandoned(content))) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return true;
  }
  const taken = await readFile(aside, 'utf8');
  if (taken !== content) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
  return true;
}

/** How waiting for a turn meets the world. */
export interface LockWaitOptions {
  readonly clock: Clock;
  /** Ctrl-C ends the wait. */
  readonly interruption: AbortSignal;
  /** Called once, when it is somebody else's turn. */
  readonly onWait: (pid: number | undefined) => void;
}

/**
 * Takes a lock file for work that may last for hours, and waits for it as long as another process is at work: no age
 * makes a lock void, only the end of its process does. The path has to be of this machine alone, because a process of
 * another one cannot be asked after.
 *
 * @returns what ends the turn
 * @throws InterruptedError (exit 130) when Ctrl-C ended the wait; the system's error where no lock can be made
 */
export async function acquireFileLock(path: string, options: LockWaitOptions): Promise<() => Promise<void>> {
  const { clock, interruption, onWait } = options;
  const mine = await describeOwner();
  let isTold = false;
  while (!(await tryCreateLock(path, mine))) {
    if (interruption.aborted) throw new InterruptedError();
    const held = await readIfThere(path);
    if (held === undefined) continue;
    if (await isAbandoned(held)) {
      await withFileLock(`${path}.takeover`, clock, () => removeIfStill(path, held));
      continue;
    }
    if (!isTold) onWait(readOwnerPid(held));
    isTold = true;
    await clock.waitMs(lookEveryMs, interruption);
  }
  return () => rm(path, { force: true });
}

const lookEveryMs = 100;

/** One process at a time does this, so that none takes away the lock of whoever was quicker. */
async function removeIfStill(path: string, abandoned: string): Promise<void> {
  if ((await readIfThere(path)) === abandoned) await rm(path, { force: true });
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** What a lock file says of the process that holds it; each is another text, also of one process. */
export async function describeOwner(): Promise<string> {
  const startedAt = (await readProcess(process.pid))?.startedAt;
  return JSON.stringify({ pid: process.pid, startedAt, host: hostname(), id: randomUUID() });
}

/** The process that a lock file names; undefined where it names none. */
export function readOwnerPid(content: string): number | undefined {
  const { pid } = parseOwner(content);
  return typeof pid === 'number' ? pid : undefined;
}

/**
 * Whether nobody holds a lock any more. The id of a process is given again after its end, so where the system tells when
 * a process began, that has to be the same too. A process of another machine cannot be asked after, and counts as living.
 */
export async function isAbandoned(content: string): Promise<boolean> {
  const { pid, host, startedAt } = parseOwner(content);
  // A lock appears with its whole text, so only a disk that lost it, as a power cut can, leaves one without an owner.
  if (typeof pid !== 'number') return true;
  if (host !== hostname()) return false;
  if (!isRunning(pid)) return true;
  const now = await readProcess(pid);
  if (now === undefined) return false;
  return now.hasEnded || (startedAt !== undefined && startedAt !== now.startedAt);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * What Linux tells of a process: when it began, in ticks since the machine did, and whether it has ended but is still
 * listed, because nobody has asked how. Undefined on other systems. Source: proc_pid_stat(5), fields 3 and 22.
 */
async function readProcess(pid: number): Promise<{ hasEnded: boolean; startedAt: string | undefined } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // Field 2, the program's name in brackets, may hold blanks and brackets of its own.
  const [state = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { hasEnded: state === 'Z' || state === 'X', startedAt: rest[18] };
}

function parseOwner(content: string): { pid?: unknown; host?: unknown; startedAt?: unknown } {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
