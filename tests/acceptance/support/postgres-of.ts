import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { until } from './until.js';

/** The running embedded PostgreSQL of a DATA_DIR. */
export interface RunningPostgres {
  readonly pid: number;
  /** The connection string of the owner, who bypasses row-level security. */
  readonly connectionString: string;
}

/** Reads the state files of a DATA_DIR. Returns the PostgreSQL that runs on the DATA_DIR, or undefined if none runs. */
export async function findPostgresOf(dataDir: string): Promise<RunningPostgres | undefined> {
  const stateText = await readFile(join(dataDir, 'postgres.json'), 'utf8').catch(() => undefined);
  if (stateText === undefined) return undefined;
  const state = JSON.parse(stateText) as { directory: string; password: string };
  const pidFile = join(resolve(dataDir, state.directory), 'postmaster.pid');
  const [pidText = '', , , port = ''] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const pid = Number(pidText);
  if (!(pid > 0) || !isAlive(pid)) return undefined;
  return { pid, connectionString: `postgresql://centavo:${state.password}@127.0.0.1:${port}/centavo` };
}

/** Returns the PostgreSQL that runs on a DATA_DIR. @throws Error if none runs */
export async function getPostgresOf(dataDir: string): Promise<RunningPostgres> {
  const found = await findPostgresOf(dataDir);
  if (found === undefined) throw new Error(`No PostgreSQL runs on ${dataDir}.`);
  return found;
}

/** Ends the PostgreSQL that a killed server left running on a DATA_DIR, if there is one. */
export async function endPostgresOf(dataDir: string): Promise<void> {
  const found = await findPostgresOf(dataDir);
  if (found === undefined) return;
  // SIGQUIT makes PostgreSQL shut down immediately, without a checkpoint. None is needed, because the test deletes the data next.
  process.kill(found.pid, 'SIGQUIT');
  await until(`PostgreSQL (process ${found.pid}) ends`, () => !isAlive(found.pid));
}

/** Runs `act` with a connection as the owner of the database. */
export async function asOwner<Result>(
  connectionString: string,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString });
  // Ignores the error if PostgreSQL ends while the connection is being closed. If PostgreSQL ends earlier, the query fails.
  client.on('error', () => {});
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
