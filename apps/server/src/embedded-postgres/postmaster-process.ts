import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from './process-identity.js';

/** Process id and port of a PostgreSQL server. */
export interface PostmasterProcess {
  pid: number;
  port: number;
}

/**
 * Finds the process that runs PostgreSQL on `directory`, without connecting to it.
 *
 * @returns undefined when none does, also when a `postmaster.pid` is left from a crash and its process id is another program's now.
 */
export async function findPostmasterProcess(directory: string): Promise<PostmasterProcess | undefined> {
  const found = await readPostmasterFile(directory);
  if (found === undefined || !(await isProcessAlive(found.pid))) return undefined;
  if (process.platform !== 'linux') return found;
  const name = await readFile(`/proc/${found.pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== 'postgres') return undefined;
  // PostgreSQL works in its data directory. Where we may not look, a PostgreSQL counts as ours: two on one directory destroy it.
  const workingDirectory = await readlink(`/proc/${found.pid}/cwd`).catch(() => undefined);
  if (workingDirectory !== undefined && workingDirectory !== (await realpath(directory))) return undefined;
  return found;
}

/**
 * Removes a `postmaster.pid` whose process id is another program's now. Call it under the start lock.
 *
 * PostgreSQL itself copes with an id that no process has, but refuses to start while a process of its user has that id.
 */
export async function removeStalePostmasterFile(directory: string): Promise<void> {
  const found = await readPostmasterFile(directory);
  if (found === undefined || !(await isProcessAlive(found.pid))) return;
  if ((await findPostmasterProcess(directory)) === undefined)
    await rm(join(directory, 'postmaster.pid'), { force: true });
}

async function readPostmasterFile(directory: string): Promise<PostmasterProcess | undefined> {
  // Its lines are: process id, directory, start time, port, and more that we do not need.
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid > 0 && port > 0 ? { pid, port } : undefined;
}
