import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { getPostgresOf } from '../../acceptance/support/postgres-of.js';
import { repository, serverProgram } from '../../acceptance/support/repository.js';
import type { Sandbox } from '../../acceptance/support/sandbox.js';
import type { EndedProgram } from '../../acceptance/support/start-program.js';
import { until } from '../../acceptance/support/until.js';
import { settings } from '../settings.js';

/** A server as an operator starts it, on a database of its own. */
export interface Place {
  readonly origin: string;
  /** Of the processes whose time is measured. */
  readonly pids: { readonly server: number; readonly postgres: number };
  /** As the owner of everything, for whom row-level security does not count. */
  readonly connectionString: string;
  /** `centavo-server check`: whether the books add up. */
  checkBooks(): Promise<EndedProgram>;
}

/**
 * Starts the built server on a new database, which is as durable as any. It logs as in production, but to a file:
 * whoever reads a pipe would take processor time from what is measured.
 */
export async function openPlace(sandbox: Sandbox): Promise<Place> {
  const dataDir = sandbox.newDataDir();
  // Makes the folders, and has the sandbox know of the database, which it removes at the end.
  const { exitCode, stderr } = await sandbox.runServer('migrate', { dataDir });
  if (exitCode !== 0) throw new Error(`The database could not be made:\n${stderr}`);
  const logFile = join(dataDir, 'server.log');
  const server = launch({ dataDir, logFile });
  const stop = () => server.kill('SIGTERM');
  // When vitest gives up on this process, the server is at least told to end, and takes its PostgreSQL along.
  process.on('exit', stop);
  afterAll(async () => {
    process.off('exit', stop);
    stop();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  });
  const origin = await originIn(logFile, server);
  const postgres = await getPostgresOf(dataDir);
  return {
    origin,
    pids: { server: server.pid ?? 0, postgres: postgres.pid },
    connectionString: postgres.connectionString,
    checkBooks: () => sandbox.runServer('check', { dataDir }),
  };
}

function launch({ dataDir, logFile }: { readonly dataDir: string; readonly logFile: string }): ChildProcess {
  const log = openSync(logFile, 'a');
  try {
    const profiling = settings.profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${settings.profileDir}`];
    return spawn(process.execPath, [...flagsOfServer(), ...profiling, serverProgram], {
      cwd: repository,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: dataDir,
        PORT: '0',
        DATA_DIR: dataDir,
        LOG_LEVEL: 'info',
        RATE_LIMIT_READS_PER_MINUTE: '0',
        RATE_LIMIT_WRITES_PER_MINUTE: '0',
        RATE_LIMIT_ADMIN_PER_MINUTE: '0',
      },
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

/** What the program says to Node in its first line: `#!/usr/bin/env -S node --flag …`. */
function flagsOfServer(): readonly string[] {
  const [firstLine = ''] = readFileSync(join(repository, serverProgram), 'utf8').split('\n', 1);
  return firstLine.split(' ').slice(3);
}

async function originIn(logFile: string, server: ChildProcess): Promise<string> {
  let origin: string | undefined;
  await until('the server was ready', async () => {
    const said = await readFile(logFile, 'utf8');
    if (server.exitCode !== null) throw new Error(`The server ended:\n${said}`);
    origin = /^Centavo is ready at (https?:\/\/\S+)\/v1\/financial /m.exec(said)?.[1];
    return origin !== undefined;
  });
  return origin as string;
}
