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

/** A server as an operator starts it, on a new database. */
export interface BenchServer {
  readonly origin: string;
  /** The processes whose CPU time is measured. */
  readonly pids: { readonly server: number; readonly postgres: number };
  /** The connection string of the owner, who bypasses row-level security. */
  readonly connectionString: string;
  /** Runs `centavo-server check`, which recomputes the balances. */
  checkBooks(): Promise<EndedProgram>;
}

/**
 * Starts the built server on a new, durable database. The server logs as in production, but to a file, because the
 * reader of a pipe would use CPU time.
 * @param env further settings of the server
 */
export async function startBenchServer(
  sandbox: Sandbox,
  env: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  const dataDir = sandbox.newDataDir();
  // Creates the folders and registers the database with the sandbox, which removes it at the end.
  const { exitCode, stderr } = await sandbox.runServer('migrate', { dataDir });
  if (exitCode !== 0) throw new Error(`Could not create the database:\n${stderr}`);
  const logFile = join(dataDir, 'server.log');
  const server = launch({ dataDir, logFile, env });
  const stop = () => server.kill('SIGTERM');
  // If this process exits early, the server gets SIGTERM and stops its PostgreSQL.
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

function launch({
  dataDir,
  logFile,
  env,
}: {
  readonly dataDir: string;
  readonly logFile: string;
  readonly env: Readonly<Record<string, string>>;
}): ChildProcess {
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
        ...env,
      },
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

/** Returns the flags of Node in the first line of the program: `#!/usr/bin/env -S node --flag …`. */
function flagsOfServer(): readonly string[] {
  const [firstLine = ''] = readFileSync(join(repository, serverProgram), 'utf8').split('\n', 1);
  return firstLine.split(' ').slice(3);
}

async function originIn(logFile: string, server: ChildProcess): Promise<string> {
  let origin: string | undefined;
  await until('the server was ready', async () => {
    const output = await readFile(logFile, 'utf8');
    if (server.exitCode !== null) throw new Error(`The server ended:\n${output}`);
    origin = /^Centavo is ready at (https?:\/\/\S+)\/v1\/financial /m.exec(output)?.[1];
    return origin !== undefined;
  });
  return origin as string;
}
