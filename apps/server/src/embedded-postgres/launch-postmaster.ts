import { spawn } from 'node:child_process';
import { open, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import type { ClusterHome } from './cluster-directory.js';
import { connectionStringOf } from './owner-connection.js';
import { findPostmaster, type Postmaster, removeStalePostmasterFile, tryToConnect } from './postmaster.js';
import { programEnvironment, type RunUser } from './run-program.js';

const pollMs = 50;
const readyMsMax = 120_000;
const attemptsMax = 20;
const attemptPauseMs = 250;

interface Launch {
  home: ClusterHome;
  directory: string;
  password: string;
  binaries: Binaries;
  runUser: RunUser | undefined;
  durable: boolean;
}

/**
 * Starts PostgreSQL on `directory` at a random free port of 127.0.0.1 and waits until it accepts connections.
 * Call it under the start lock, after `findPostmaster` found none.
 *
 * @throws Error with the last lines of its log when it ends instead.
 */
export async function launchPostmaster(launch: Launch): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    await removeStalePostmasterFile(launch.directory);
    const outcome = await launchOnce(launch);
    if ('pid' in outcome) return outcome;
    // A server killed within moments of launching PostgreSQL leaves one that had not written its file when we looked.
    const running = await findPostmaster(launch);
    if (running !== undefined) return running;
    if (attempt >= attemptsMax || !isPassing(outcome.reason)) {
      throw new Error(
        `PostgreSQL did not start on ${launch.directory}:\n${outcome.reason}\nMore is in ${launch.home.logFile}. Remove the cause, or set DATABASE_URL to another PostgreSQL.`,
      );
    }
    await delay(attemptPauseMs);
  }
}

function isPassing(reason: string): boolean {
  // Somebody took the port between our choice and PostgreSQL's start; or processes of a killed PostgreSQL have not ended yet.
  return /could not bind|could not create any TCP|pre-existing shared memory block|postmaster\.pid" already exists/.test(
    reason,
  );
}

async function launchOnce(launch: Launch): Promise<Postmaster | { reason: string }> {
  const { home, directory, password, binaries, runUser, durable } = launch;
  const port = await chooseFreePort();
  await rotateLog(home.logFile);
  const log = await open(home.logFile, 'a', 0o600);
  if (runUser !== undefined) {
    // As with the state file: what root makes in an ordinary user's DATA_DIR must not lock that user out.
    const owner = await stat(home.dataDir);
    await log.chown(owner.uid, owner.gid);
  }
  const logStart = (await log.stat()).size;
  const child = spawn(binaries.postgres, ['-D', directory, ...postgresSettings({ port, durable })], {
    ...runUser,
    cwd: '/',
    env: programEnvironment(),
    // A session of its own: Ctrl-C in the terminal must reach the server alone, which first finishes the requests at hand.
    detached: true,
    windowsHide: true,
    // A file, not a pipe: PostgreSQL outlives a killed server and must not die of a closed pipe.
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
    if (child.pid !== undefined && (await tryToConnect({ port, password })) === undefined) {
      child.unref();
      return { pid: child.pid, port, connectionString: connectionStringOf({ port, password }), wasRunning: false };
    }
    if (performance.now() > deadline) failure = `not ready after ${readyMsMax / 1000} s; it may still be recovering`;
    await delay(pollMs);
  }
  return { reason: [failure, ...(await lastLogLines({ logFile: home.logFile, from: logStart }))].join('\n') };
}

function chooseFreePort(): Promise<number> {
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
 * Gives the settings of the embedded PostgreSQL as command-line parameters: unlike a file made by initdb, they change with the program.
 *
 * @param durable `false` turns off everything that protects data from a crash of the machine.
 */
export function postgresSettings({ port, durable }: { port: number; durable: boolean }): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // No socket files: they would be a second door, guarded by the folder's mode instead of the password.
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // `log` hides the errors of single statements: they quote the statement and the row, so amounts would land in a log.
    // The server itself reports those errors in its own words.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const logBytesMax = 1024 * 1024;
const linesMax = 8;
const tailBytesMax = 16 * 1024;

/** Sets a log of more than 1 MiB aside, replacing the one set aside before, so that at most two are kept. */
export async function rotateLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size > logBytesMax) await rename(logFile, `${logFile}.1`);
}

/** Reads the last lines that were written to a log since it had `from` bytes. */
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
