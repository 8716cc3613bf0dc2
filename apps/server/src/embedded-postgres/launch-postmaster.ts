import { spawn } from 'node:child_process';
import { open, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import type { ClusterPaths } from './cluster-directory.js';
import { connectionStringOf } from './owner-connection.js';
import { findPostmaster, type Postmaster, removeStalePostmasterFile, tryConnect } from './postmaster.js';
import { programEnvironment, type RunUser, runProgram } from './run-program.js';

const pollMs = 50;
const readyMsMax = 120_000;
const attemptsMax = 20;
const attemptPauseMs = 250;

interface Launch {
  paths: ClusterPaths;
  directory: string;
  password: string;
  binaries: Binaries;
  runUser: RunUser | undefined;
  durable: boolean;
}

/**
 * Starts PostgreSQL on `directory` at a random free port of 127.0.0.1, and waits until it accepts connections.
 * The caller must hold the start lock, and `findPostmaster` must have found no running PostgreSQL.
 *
 * @throws Error with the last lines of the log if PostgreSQL does not start.
 */
export async function launchPostmaster(launch: Launch): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    await removeStalePostmasterFile(launch.directory);
    const outcome = await tryLaunch(launch);
    if ('pid' in outcome) return outcome;
    // An earlier Centavo server may have been killed right after it had launched PostgreSQL. That PostgreSQL may have written its
    // postmaster.pid only after the caller had looked for this file.
    const running = await findPostmaster(launch);
    if (running !== undefined) return running;
    if (attempt >= attemptsMax || !isTransient(outcome.reason)) {
      throw new Error(
        `PostgreSQL did not start on ${launch.directory}:\n${outcome.reason}\nThe complete log is ${launch.paths.logFile}. Remove the cause, or set DATABASE_URL to another PostgreSQL.`,
      );
    }
    await delay(attemptPauseMs);
  }
}

function isTransient(reason: string): boolean {
  // These errors mean that another process took the port first, or that processes of a killed PostgreSQL have not ended yet.
  // In both cases, a retry can succeed.
  return /could not bind|could not create any TCP|pre-existing shared memory block|postmaster\.pid" already exists/.test(
    reason,
  );
}

async function tryLaunch(launch: Launch): Promise<Postmaster | { reason: string }> {
  const { paths, directory, password, binaries, runUser, durable } = launch;
  const port = await findFreePort();
  await rotateLog(paths.logFile);
  const log = await open(paths.logFile, 'a', 0o600);
  if (runUser !== undefined) {
    // Root may use the DATA_DIR of an ordinary user. That user must keep access to the log file.
    const owner = await stat(paths.dataDir);
    await log.chown(owner.uid, owner.gid);
  }
  const logStart = (await log.stat()).size;
  const child = spawn(binaries.postgres, ['-D', directory, ...postgresSettings({ port, durable })], {
    ...runUser,
    cwd: '/',
    env: programEnvironment(),
    // PostgreSQL gets its own process group: Ctrl-C in the terminal must reach only the Centavo server, which first finishes its open
    // requests.
    detached: true,
    windowsHide: true,
    // The output goes to a file: PostgreSQL outlives a killed Centavo server, and a closed pipe could end PostgreSQL.
    stdio: ['ignore', log.fd, log.fd],
  });
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code, signal) => {
    failure ??= `ended with ${signal ?? `code ${code}`}`;
  });
  await log.close();

  const deadline = performance.now() + readyMsMax;
  while (failure === undefined) {
    if (child.pid !== undefined && (await tryConnect({ port, password })) === undefined) {
      child.unref();
      await useBatchScheduling({ pid: child.pid, runUser });
      return { pid: child.pid, port, connectionString: connectionStringOf({ port, password }), wasRunning: false };
    }
    if (performance.now() > deadline) failure = `not ready after ${readyMsMax / 1000} s; it may still be recovering`;
    await delay(pollMs);
  }
  return { reason: [failure, ...(await lastLogLines({ logFile: paths.logFile, from: logStart }))].join('\n') };
}

/**
 * Sets Linux's batch scheduling policy for the postmaster. The processes that the postmaster starts afterwards inherit it. With this
 * policy, a PostgreSQL process that receives a statement does not preempt the process that sent it. On other systems, and on Linux without
 * `chrt`, the default policy remains.
 * @source decision 0044; sched(7), SCHED_BATCH
 */
async function useBatchScheduling({ pid, runUser }: { pid: number; runUser: RunUser | undefined }): Promise<void> {
  if (process.platform !== 'linux') return;
  await runProgram({ file: 'chrt', parameters: ['-b', '-p', '0', String(pid)], runUser });
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/**
 * Returns the settings of the embedded PostgreSQL as command-line parameters. Unlike settings in a file that initdb writes once, these
 * parameters can change with each version of Centavo.
 *
 * @param options.durable `false` turns off all protection against a crash of the machine.
 */
export function postgresSettings({ port, durable }: { port: number; durable: boolean }): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // No socket files: all connections use TCP on 127.0.0.1.
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The error of a failed statement quotes the statement and the row with its amounts. The level `log` keeps such errors out of
    // PostgreSQL's log. The Centavo server logs them without values.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const logBytesMax = 1024 * 1024;
const linesMax = 8;
const tailBytesMax = 16 * 1024;

/** If the log is larger than 1 MiB, renames it to `<name>.1`, which replaces the earlier `<name>.1`. At most two files exist. */
export async function rotateLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size > logBytesMax) await rename(logFile, `${logFile}.1`);
}

/** Returns the last lines of a log, at most {@link linesMax}. Omits the first `from` bytes of the log. */
export async function lastLogLines({ logFile, from }: { logFile: string; from: number }): Promise<string[]> {
  const file = await open(logFile, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - tailBytesMax);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.max(0, size - start)), position: start });
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return lines.filter((line) => line !== '').slice(-linesMax);
  } finally {
    await file.close();
  }
}
