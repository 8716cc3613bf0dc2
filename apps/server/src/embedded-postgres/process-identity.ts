import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A process ID, and the start time of the process.
 *
 * The ID alone is not unique. After a reboot or a restart of the container, a new process may get the ID of an old process.
 * The format of `startedAt` depends on the platform, so only compare it for equality. It is undefined if the start time is unknown.
 */
export interface ProcessIdentity {
  pid: number;
  startedAt?: string | undefined;
}

/** Returns the identity of this process. */
export async function currentProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, startedAt: await readStartTime(process.pid) };
}

/**
 * Returns whether the process still runs. On Linux, a zombie does not count as running. If `startedAt` is known, a later process with the
 * same ID does not count as the same process.
 */
export async function isSameProcessAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  if (!(await isProcessAlive(pid))) return false;
  return startedAt === undefined || startedAt === (await readStartTime(pid));
}

/** Returns whether any process with this ID runs. On Linux, a zombie does not count, because in a container it may never be reaped. */
export async function isProcessAlive(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  const stat = await readLinuxStat(pid);
  return stat !== undefined && stat.state !== 'Z' && stat.state !== 'X';
}

async function readStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
    return stdout.trim() || undefined;
  }
  const stat = await readLinuxStat(pid);
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return stat && `${boot.trim()}/${stat.startTicks}`;
}

async function readLinuxStat(pid: number): Promise<{ state: string; startTicks: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The second field of /proc/PID/stat is the program's name in parentheses. The name may contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

const pollMs = 500;

/**
 * Waits until a process has ended for any reason. Polls, because a process is notified only of the exits of its own children. Waiting
 * does not keep this process alive.
 *
 * @param options.signal when aborted, the polling ends and the promise stays pending.
 */
export async function waitForProcessExit(options: { pid: number; signal: AbortSignal }): Promise<void> {
  const { pid, signal } = options;
  while (!signal.aborted) {
    const isAlive = await isProcessAlive(pid);
    if (!isAlive && !signal.aborted) return;
    await delay(pollMs, undefined, { ref: false });
  }
  await new Promise<never>(() => {});
}
