import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A process id together with when that process began.
 *
 * The id alone is not enough: after a reboot, and in a container always, a new process has the id of an old one.
 * `startedAt` is an opaque mark, only ever compared; undefined where the platform does not tell.
 */
export interface ProcessIdentity {
  pid: number;
  startedAt?: string | undefined;
}

/** Gives the identity of this process. */
export async function currentProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, startedAt: await readStartMark(process.pid) };
}

/** Tells whether that very process still runs: not merely one with the same id, and not a zombie. */
export async function isSameProcessAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  if (!(await isProcessAlive(pid))) return false;
  return startedAt === undefined || startedAt === (await readStartMark(pid));
}

/** Tells whether any process with this id runs. A zombie does not: nobody may be there to reap it in a container. */
export async function isProcessAlive(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, but another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  const stat = await readLinuxStat(pid);
  return stat !== undefined && stat.state !== 'Z' && stat.state !== 'X';
}

async function readStartMark(pid: number): Promise<string | undefined> {
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
  // The second field is the program's name in parentheses and may itself contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

const pollMs = 500;

/**
 * Waits until a process has ended, whoever ended it and however. It looks again and again, because nothing tells us of the
 * end of a process that is not our child. Waiting alone does not keep this process alive.
 *
 * @param options.giveUp once aborted, nobody looks any more and the promise stays open for ever.
 */
export async function untilProcessEnds(options: { pid: number; giveUp: AbortSignal }): Promise<void> {
  const { pid, giveUp } = options;
  while (!giveUp.aborted) {
    const isAlive = await isProcessAlive(pid);
    if (!isAlive && !giveUp.aborted) return;
    await delay(pollMs, undefined, { ref: false });
  }
  await new Promise<never>(() => {});
}
