import { execFileSync } from 'node:child_process';
import { appendFile, chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/embedded-postgres/index.js';
import { makeDataDirectory } from './open-test-cluster.js';

/** A PostgreSQL with a standby that streams from it, both new and without safety on disk. */
export interface ReplicatedPostgres {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Makes the login that serves, once the primary is migrated. */
  openServingLogin(): Promise<string>;
  /** Runs a statement on the primary, as the superuser. */
  onPrimary(sql: string): Promise<unknown>;
  /** From now on the standby stays as it is. */
  pauseReplay(): Promise<void>;
  /** Lets it go on, and waits until it has seen all that the primary had written by now. */
  catchUp(): Promise<void>;
  /** Makes a primary of its own of it. */
  promoteStandby(): Promise<void>;
  /** Ends it, and every connection to it. */
  stopStandby(): Promise<void>;
  close(): Promise<void>;
}

const pollMs = 20;
const waitMsMax = 60_000;

/** Makes the standby of a copy of the primary's files, taken while it was down. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const [primaryHome, standbyHome] = [await makeDataDirectory(), await makeDataDirectory()];
  const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, durable: false, say: () => {} });
  const original = await start(primaryHome.path);
  await original.stop();
  execFileSync('cp', ['-a', `${primaryHome.path}/.`, standbyHome.path]);
  const primary = await start(primaryHome.path);
  await makeStandby(join(standbyHome.path, 'postgres'), primary.connectionString);
  const standby = await start(standbyHome.path);
  const onStandby = (sql: string, values: unknown[] = []) => ask(standby.connectionString, sql, values);
  return {
    primaryUrl: primary.connectionString,
    standbyUrl: standby.connectionString,
    openServingLogin: () => primary.openServingLogin(),
    onPrimary: (sql) => ask(primary.connectionString, sql, []),
    async pauseReplay() {
      await onStandby('select pg_wal_replay_pause()');
      await until(async () => (await onStandby('select pg_get_wal_replay_pause_state()')) === 'paused');
    },
    async catchUp() {
      await onStandby('select pg_wal_replay_resume()');
      const written = await ask(primary.connectionString, 'select pg_current_wal_insert_lsn()', []);
      await until(async () => (await onStandby('select pg_last_wal_replay_lsn() >= $1::pg_lsn', [written])) === true);
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

/** The one value that a statement gives; of several, the last. */
async function ask(connectionString: string, sql: string, values: unknown[]): Promise<unknown> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const results = [await client.query<unknown[]>({ text: sql, values, rowMode: 'array' })].flat();
    return results.at(-1)?.rows[0]?.[0];
  } finally {
    await client.end();
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + waitMsMax;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('The standby does not follow');
    await delay(pollMs);
  }
}
