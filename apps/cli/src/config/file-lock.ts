import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { CliError, InterruptedError } from '../errors.js';
import type { Clock } from '../io.js';

/** The lock was not acquired within 30 s, because another process held it. */
export class LockedError extends CliError {}

/**
 * Runs `act` while holding a lock file. Cron jobs and terminals can share a profile, and without the lock two processes could
 * renew its session concurrently. The server would then revoke the session.
 *
 * Waits up to 30 s if another process holds the lock. Removes the lock of a process that has ended.
 * @throws LockedError (exit 1) when the lock is still held after 30 s
 */
export async function withFileLock<Result>(path: string, clock: Clock, act: () => Promise<Result>): Promise<Result> {
  const mine = await describeOwner();
  const deadlineMs = clock.nowMs() + waitMsMax;
  while (!(await tryCreateLock(path, mine))) {
    if (await removeIfAbandoned(path)) continue;
    if (clock.nowMs() >= deadlineMs) {
      throw new LockedError(
        `Another process holds ${path}.`,
        'Wait until that process ends. If no such process is running, remove the file.',
      );
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

/** Creates a lock file with this content, and its directory if needed; returns false if the lock exists. */
async function tryCreateLock(path: string, content: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // The content is written to a temporary file, which is then linked to `path`. So no process can find an incomplete lock file.
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
 * Removes the lock of a process that has ended. Returns true if the caller can try at once to create its own lock, and
 * false if the existing lock may still be held. Another process may replace the lock after this function has read it.
 * Therefore the function renames the lock file and reads it again. If it is a new lock, the function restores it.
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

/** The options of {@link acquireFileLock}. */
interface LockWaitOptions {
  readonly clock: Clock;
  /** Ctrl-C aborts this signal, which ends the wait. */
  readonly interruption: AbortSignal;
  /** Called once, before the wait, with the id of the process that holds the lock. */
  readonly onWait: (pid: number | undefined) => void;
}

/**
 * Acquires a lock file for work that may last for hours, and waits without a limit while another process holds the lock.
 * A lock never expires: other processes remove it only after the process that holds it has ended. The lock file must not be
 * in a directory that other machines share, because their processes cannot be checked.
 *
 * @returns a function that releases the lock
 * @throws InterruptedError (exit 130) when Ctrl-C ends the wait; the system's error when the lock file cannot be created
 */
export async function acquireFileLock(path: string, options: LockWaitOptions): Promise<() => Promise<void>> {
  const { clock, interruption, onWait } = options;
  const mine = await describeOwner();
  let hasReported = false;
  while (!(await tryCreateLock(path, mine))) {
    if (interruption.aborted) throw new InterruptedError();
    const held = await readIfThere(path);
    if (held === undefined) continue;
    if (await isAbandoned(held)) {
      await withFileLock(`${path}.takeover`, clock, () => removeIfStill(path, held));
      continue;
    }
    if (!hasReported) onWait(readOwnerPid(held));
    hasReported = true;
    await clock.waitMs(pollEveryMs, interruption);
  }
  return () => rm(path, { force: true });
}

const pollEveryMs = 100;

/**
 * Removes the lock file if it still has the content `abandoned`. A file with other content is a new lock, and stays. The
 * caller must hold the second lock file, `<path>.takeover`. Without it, a concurrent process could replace the lock after
 * this function has compared the content and before the function removes the file.
 */
async function removeIfStill(path: string, abandoned: string): Promise<void> {
  if ((await readIfThere(path)) === abandoned) await rm(path, { force: true });
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Returns the content for a lock file of this process, with a new random id on each call. */
async function describeOwner(): Promise<string> {
  const startedAt = (await readProcess(process.pid))?.startedAt;
  return JSON.stringify({ pid: process.pid, startedAt, host: hostname(), id: randomUUID() });
}

/** Returns the id of the process that a lock file names, or undefined. */
function readOwnerPid(content: string): number | undefined {
  const { pid } = parseOwner(content);
  return typeof pid === 'number' ? pid : undefined;
}

/**
 * Returns whether the process that holds a lock has ended. Process ids are reused. Therefore, if the system reports start
 * times, the function also compares the start time in the lock file with the start time of the process that has this id now.
 * A process of another machine cannot be checked, and counts as running.
 */
async function isAbandoned(content: string): Promise<boolean> {
  const { pid, host, startedAt } = parseOwner(content);
  // Every lock file is created with a process id. A file without an id has lost its content, for example in a power
  // failure, and counts as abandoned.
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
 * Returns the start time of a process on Linux, in clock ticks since boot, and whether the process is a zombie. Returns
 * undefined on other systems, or if there is no such process.
 * @source proc_pid_stat(5), fields 3 and 22
 */
async function readProcess(pid: number): Promise<{ hasEnded: boolean; startedAt: string | undefined } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // Field 2 is the program's name in parentheses, and may contain spaces and parentheses.
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
