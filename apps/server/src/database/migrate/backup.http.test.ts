import { execFileSync, spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDirectory } from '../../../test-support/open-test-cluster.js';
import { startTestServer, type TestServer } from '../../../test-support/start-test-server.js';
import { startEmbeddedPostgres } from '../../embedded-postgres/index.js';
import { checkBooks } from '../checks/check-books.queries.js';
import { proveIsolation } from '../checks/prove-isolation.js';
import { createDatabase } from '../pool.js';
import { migrate } from './migrate.js';

// Runs the commands of docs/operations.md for backup and restore.
const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function onDatabase<Result>(
  connectionString: string,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/** Returns the reason why the test with pg_dump cannot run, or undefined. pg_dump refuses servers newer than itself. */
async function whyNot(): Promise<string | undefined> {
  const found = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  if (found.error !== undefined) return 'there is no pg_dump';
  const [, major = '0'] = /(\d+)/.exec(found.stdout) ?? [];
  const { rows } = await onDatabase(server.connectionString, (client) => client.query('show server_version_num'));
  const serverMajor = Math.floor(Number(rows[0].server_version_num) / 10_000);
  return Number(major) < serverMajor ? `pg_dump ${major} is older than PostgreSQL ${serverMajor}` : undefined;
}

test('pg_restore restores a dump into another cluster; the copy passes the isolation and balance checks and has no pending migration', async ({
  skip,
}) => {
  const reason = await whyNot();
  if (reason !== undefined) skip(reason);
  const user = await server.newUser();
  const tracker = await server.newTracker(user);
  const body = { type: 'income', amountDecimal: '12.50', accountId: tracker.accountId };
  await server.call('createMovement', { token: user.token, tracker: tracker.id, body });

  const directory = await makeDataDirectory();
  const cluster = await startEmbeddedPostgres({ dataDir: directory.path, durable: false, report: () => {} });
  const dump = join(directory.path, 'books.dump');
  const owner = decodeURIComponent(new URL(server.connectionString).username);
  try {
    execFileSync('pg_dump', ['--format=custom', `--file=${dump}`, server.connectionString]);
    await onDatabase(cluster.connectionString, async (client) => {
      for (const role of ['centavo_app', 'centavo_identity', 'centavo_definer']) {
        await client.query(`create role ${role} nologin`);
      }
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [owner]);
      if (rowCount === 0) await client.query(`create role ${pg.escapeIdentifier(owner)} login`);
      await client.query(`create database books owner ${pg.escapeIdentifier(owner)}`);
    });
    const restored = new URL(cluster.connectionString);
    restored.pathname = '/books';
    execFileSync('pg_restore', ['--exit-on-error', `--dbname=${restored.href}`, dump]);

    expect(await migrate({ connectionString: restored.href, directory: migrations })).toEqual({ applied: [] });
    const database = createDatabase({ connectionString: restored.href, poolMax: 1 });
    await proveIsolation(database);
    expect(await database.transaction({ readOnly: true }, checkBooks)).toEqual({
      cashboxCount: 1,
      transferCount: 0,
      contradictions: [],
    });
    await database.close();
  } finally {
    await cluster.stop();
    await rm(dump, { force: true });
    await directory.remove();
  }
});

test('migrate refuses a restored database without its roles; the error contains the SQL that creates them', async () => {
  const directory = await makeDataDirectory();
  const cluster = await startEmbeddedPostgres({ dataDir: directory.path, durable: false, report: () => {} });
  try {
    await onDatabase(cluster.connectionString, async (client) => {
      await client.query('create table public.centavo_migrations (name text)');
      await client.query(
        `insert into public.centavo_migrations values ('0001_roles_and_schemas.sql checksum-of-the-dump')`,
      );
    });
    await expect(migrate({ connectionString: cluster.connectionString, directory: migrations })).rejects.toThrow(
      /roles centavo_app, centavo_identity, centavo_definer\.[\s\S]*\n {2}create role centavo_app nologin;\n {2}grant centavo_app to centavo;/,
    );
  } finally {
    await cluster.stop();
    await directory.remove();
  }
});
