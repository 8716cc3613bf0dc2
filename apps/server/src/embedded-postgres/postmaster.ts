import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectionStringOf, withOwnerConnection } from './owner-connection.js';
import { isProcessAlive } from './process-identity.js';

/** A PostgreSQL that accepts our connections. */
export interface Postmaster extends PostmasterProcess {
  /** Contains the password: never log it. */
  connectionString: string;
  wasRunning: boolean;
}

const pollMs = 50;
// After a crash PostgreSQL first replays its log; that takes seconds, on a slow disk a minute.
const waitMsMax = 120_000;

/**
 * Finds the PostgreSQL that runs on `directory` and proves by connecting that it is ours. Waits while it starts up or shuts down.
 *
 * @returns undefined when none runs.
 * @throws Error when one runs that does not let us in, naming its process.
 */
export async function findPostmaster(cluster: {
  directory: string;
  password: string;
}): Promise<Postmaster | undefined> {
  const { directory, password } = cluster;
  const deadline = performance.now() + waitMsMax;
  for (;;) {
    const found = await findPostmasterProcess(directory);
    if (found === undefined) return undefined;
    const address = { port: found.port, password };
    const failure = await tryToConnect(address);
    if (failure === undefined) return { ...found, connectionString: connectionStringOf(address), wasRunning: true };
    if (!isPassing(failure) || performance.now() > deadline) {
      throw new Error(
        `Process ${found.pid} runs PostgreSQL on ${directory} but does not let us in (${failure.message}). Stop that process, then start again.`,
        { cause: failure },
      );
    }
    await delay(pollMs);
  }
}

/** Tries one connection; gives the failure, or undefined when it worked. */
export async function tryToConnect(address: { port: number; password: string }): Promise<Error | undefined> {
  try {
    await withOwnerConnection(address, async () => undefined);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function isPassing(failure: Error): boolean {
  const code = (failure as NodeJS.ErrnoException).code;
  // 57P03: starting up or shutting down. The rest: not listening yet, or no longer.
  return code === '57P03' || code === 'ECONNREFUSED' || code === 'ECONNRESET' || failure.message.includes('terminated');
}

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
