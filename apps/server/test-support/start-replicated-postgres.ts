import { execFileSync } from 'node:child_process';
import { appendFile, chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/embedded-postgres/index.js';
import { makeDataDirectory } from './open-test-cluster.js';

/** A new PostgreSQL primary with a streaming standby, both without `fsync`. */
export interface ReplicatedPostgres {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Creates the login role of the server, and returns the primary's URL with this login. The primary must be migrated. */
  prepareServingLogin(): Promise<string>;
  /** Runs a statement on the primary, as the superuser. */
  onPrimary(sql: string): Promise<unknown>;
  /** Pauses the replay of the write-ahead log on the standby. */
  pauseReplay(): Promise<void>;
  /** Resumes the replay, and waits until the standby has replayed everything that the primary has written so far. */
  catchUp(): Promise<void>;
  /** Promotes the standby to a primary. */
  promoteStandby(): Promise<void>;
  /** Stops the standby and closes every connection to it. */
  stopStandby(): Promise<void>;
  close(): Promise<void>;
}

const pollMs = 20;
const waitMsMax = 60_000;

/**
 * Starts a primary and its standby. The standby starts from a copy of the primary's files that was taken while the
 * primary was stopped.
 */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const [primaryHome, standbyHome] = [await makeDataDirectory(), await makeDataDirectory()];
  const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, durable: false, report: () => {} });
  const original = await start(primaryHome.path);
  await original.stop();
  execFileSync('cp', ['-a', `${primaryHome.path}/.`, standbyHome.path]);
  const primary = await start(primaryHome.path);
  await makeStandby(join(standbyHome.path, 'postgres'), primary.connectionString);
  const standby = await start(standbyHome.path);
  const onStandby = (sql: string, values: unknown[] = []) => queryValue(standby.connectionString, sql, values);
  return {
    primaryUrl: primary.connectionString,
    standbyUrl: standby.connectionString,
    prepareServingLogin: () => primary.prepareServingLogin(),
    onPrimary: (sql) => queryValue(primary.connectionString, sql, []),
    async pauseReplay() {
      await onStandby('select pg_wal_replay_pause()');
      await waitUntil(async () => (await onStandby('select pg_get_wal_replay_pause_state()')) === 'paused');
    },
    async catchUp() {
      await onStandby('select pg_wal_replay_resume()');
      const written = await queryValue(primary.connectionString, 'select pg_current_wal_insert_lsn()', []);
      await waitUntil(
        async () => (await onStandby('select pg_last_wal_replay_lsn() >= $1::pg_lsn', [written])) === true,
      );
    },
    async promoteStandby() {
      await onStandby('select pg_promote()');
    },
    stopStandby: () => standby.stop(),
    async close() {
      await standby.stop();
      await primary.stop();
      await Promise.all([primaryHome.remove(), standbyHome.remove()]);
    },
  };
}

async function makeStandby(directory: string, primaryUrl: string): Promise<void> {
  const { hostname, port, username, password } = new URL(primaryUrl);
  const address = `host=${hostname} port=${port} user=${username} password=${password}`;
  await appendFile(join(directory, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`);
  const signal = join(directory, 'standby.signal');
  await writeFile(signal, '');
  const { uid, gid } = await stat(join(directory, 'PG_VERSION'));
  await chown(signal, uid, gid);
}

/** Runs one or more SQL statements, and returns the first value in the result of the last one. */
async function queryValue(connectionString: string, sql: string, values: unknown[]): Promise<unknown> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const results = [await client.query<unknown[]>({ text: sql, values, rowMode: 'array' })].flat();
    return results.at(-1)?.rows[0]?.[0];
  } finally {
    await client.end();
  }
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + waitMsMax;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('The standby did not reach the expected state within 60 seconds');
    await delay(pollMs);
  }
}
