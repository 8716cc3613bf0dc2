import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectionStringOf, withOwnerConnection } from './owner-connection.js';
import { isProcessAlive } from './process-identity.js';

/** A running PostgreSQL server that has accepted a connection of the cluster's owner. */
export interface Postmaster extends PostmasterProcess {
  /** Contains the password: never log it. */
  connectionString: string;
  /** False if this process has just launched the server. */
  wasRunning: boolean;
}

const pollMs = 50;
// After a crash PostgreSQL first replays its write-ahead log, which takes seconds, or a minute on a slow disk.
const waitMsMax = 120_000;

/**
 * Finds the PostgreSQL that runs on `directory`, and connects to verify that it belongs to this cluster. Waits while PostgreSQL starts or
 * stops.
 *
 * @returns undefined if no PostgreSQL runs on `directory`.
 * @throws Error if a PostgreSQL runs but rejects the connection, or does not accept it within two minutes. The error names the process.
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
    const failure = await tryConnect(address);
    if (failure === undefined) return { ...found, connectionString: connectionStringOf(address), wasRunning: true };
    if (!isTransient(failure) || performance.now() > deadline) {
      throw new Error(
        `Process ${found.pid} runs PostgreSQL on ${directory}, but the server cannot connect to it (${failure.message}). Stop that process, then start again.`,
        { cause: failure },
      );
    }
    await delay(pollMs);
  }
}

/** Tries one connection. Returns the error, or undefined if the connection succeeded. */
export async function tryConnect(address: { port: number; password: string }): Promise<Error | undefined> {
  try {
    await withOwnerConnection(address, async () => undefined);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function isTransient(failure: Error): boolean {
  const code = (failure as NodeJS.ErrnoException).code;
  // SQLSTATE 57P03: PostgreSQL is starting up or shutting down. The other three errors: PostgreSQL does not listen yet, or is ending.
  return code === '57P03' || code === 'ECONNREFUSED' || code === 'ECONNRESET' || failure.message.includes('terminated');
}

/** The process ID and the port of a PostgreSQL server. */
export interface PostmasterProcess {
  pid: number;
  port: number;
}

/**
 * Finds the process that runs PostgreSQL on `directory`, without connecting to it.
 *
 * @returns undefined if there is no such process. If `postmaster.pid` is stale, its process ID may now belong to another program. On
 *   Linux, such a program is ignored. On other systems, it is mistaken for PostgreSQL.
 */
export async function findPostmasterProcess(directory: string): Promise<PostmasterProcess | undefined> {
  const found = await readPostmasterFile(directory);
  if (found === undefined || !(await isProcessAlive(found.pid))) return undefined;
  if (process.platform !== 'linux') return found;
  const name = await readFile(`/proc/${found.pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== 'postgres') return undefined;
  // PostgreSQL's working directory is its data directory. If the working directory cannot be read, the process counts as the PostgreSQL of
  // `directory`. Without this rule, the caller could start a second PostgreSQL on the same data directory, and the two would destroy the
  // data.
  const workingDirectory = await readlink(`/proc/${found.pid}/cwd`).catch(() => undefined);
  if (workingDirectory !== undefined && workingDirectory !== (await realpath(directory))) return undefined;
  return found;
}

/**
 * Removes a `postmaster.pid` whose process ID now belongs to another program. Such a file is detected on Linux only. The caller holds
 * the start lock.
 *
 * PostgreSQL ignores the file if no process has the ID, but refuses to start while another process of the same system user has the ID.
 */
export async function removeStalePostmasterFile(directory: string): Promise<void> {
  const found = await readPostmasterFile(directory);
  if (found === undefined || !(await isProcessAlive(found.pid))) return;
  if ((await findPostmasterProcess(directory)) === undefined)
    await rm(join(directory, 'postmaster.pid'), { force: true });
}

async function readPostmasterFile(directory: string): Promise<PostmasterProcess | undefined> {
  // The lines of the file are: process ID, directory, start time, port, and others that are not needed here.
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid > 0 && port > 0 ? { pid, port } : undefined;
}
