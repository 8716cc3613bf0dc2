import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

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
