import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDataDirectory } from '../../../test-support/open-test-cluster.js';
import { prepareOldTracker } from '../../../test-support/prepare-old-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';
import { startEmbeddedPostgres } from '../../embedded-postgres/index.js';
import { migrate } from '../migrate/migrate.js';
import { createDatabase } from '../pool.js';
import { query } from '../query.js';
import { checkBooks } from './check-books.queries.js';
import { proveIsolation } from './prove-isolation.js';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
// In these tests, this user owns the database, and has no other rights: no SUPERUSER, no BYPASSRLS, no CREATEROLE.
const owner = `owner_${randomBytes(6).toString('hex')}`;
let testDatabase: TestDatabase;
let superuser: pg.Client;
let connectionString: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  superuser = new pg.Client({ connectionString: testDatabase.connectionString });
  await superuser.connect();
  await superuser.query(`create role ${owner} login password 'owner'`);
  connectionString = await handOver(superuser, testDatabase);
});

afterAll(async () => {
  await superuser.end();
  await testDatabase.drop();
});

/** Makes `owner` the owner of an empty database, and returns the connection string with this login. */
async function handOver(client: pg.Client, database: TestDatabase): Promise<string> {
  const url = new URL(database.connectionString);
  await client.query(`alter database ${url.pathname.slice(1)} owner to ${owner}`);
  await client.query(`alter schema public owner to ${owner}`);
  url.username = owner;
  url.password = 'owner';
  return url.href;
}

it('migrate refuses a database owner without the three roles of Centavo; the error contains the SQL that grants them', async () => {
  const refusal = await migrate({ connectionString, directory: migrations }).catch((error: Error) => error.message);
  const statements = ['centavo_app', 'centavo_identity', 'centavo_definer'].map(
    (role) => `  grant ${role} to ${owner};`,
  );
  expect(refusal).toBe(
    `The user ${owner} of DATABASE_URL may not become the roles centavo_app, centavo_identity, centavo_definer. ` +
      'Nothing was changed. Let an administrator of that PostgreSQL run this, then start again:\n' +
      statements.join('\n'),
  );
  await superuser.query(statements.slice(1).join(''));
  await expect(migrate({ connectionString, directory: migrations })).rejects.toThrow(
    /may not become the role centavo_app\. [\s\S]*:\n {2}grant centavo_app to \w+;$/,
  );
});

it('migrate succeeds for a database owner with the three roles of Centavo, and the isolation checks pass', async () => {
  await superuser.query(`grant centavo_app, centavo_identity, centavo_definer to ${owner}`);
  await migrate({ connectionString, directory: migrations });
  const database = createDatabase({ connectionString, poolMax: 2 });
  await proveIsolation(database);
  const userId = '0190f2a0-0000-7000-8000-000000000001';
  const trackerId = '0190f2a0-0000-7000-8000-000000000002';
  await database.transaction({ readOnly: false }, async (tx) => {
    await query(tx, `select set_config('role', 'centavo_identity', true)`);
    await query(tx, `insert into app.users (id, issuer, subject) values (:userId, 'urn:test', 'ana')`, { userId });
  });
  await database.transaction({ readOnly: false }, async (tx) => {
    const enter = `select set_config('role', 'centavo_app', true),
      app.enter_request(null, 'urn:test', 'ana', null, null, true, null) as facts`;
    await query(tx, enter);
    await query(tx, `select app.create_tracker(:trackerId, 'Home', 'EUR', 'UTC')`, { trackerId });
    const [entered] = await query<{ facts: { tracker: { id: string; role: string } } }>(tx, enter);
    expect(entered?.facts.tracker).toMatchObject({ id: trackerId, role: 'owner' });
    const seen = await query(tx, 'select id from app.trackers');
    expect(seen).toEqual([{ id: trackerId }]);
  });
  await database.close();
});

it('migrate upgrades the database of an earlier version and keeps its data', async () => {
  await superuser.query(`grant centavo_app, centavo_identity, centavo_definer to ${owner}`);
  const oldDatabase = await createTestDatabase({ empty: true });
  const client = new pg.Client({ connectionString: oldDatabase.connectionString });
  const earlier = await mkdtemp(join(tmpdir(), 'centavo-test-earlier-'));
  try {
    await client.connect();
    const old = await handOver(client, oldDatabase);
    const earlierFiles = readdirSync(migrations).sort().slice(0, -1);
    for (const name of earlierFiles) await copyFile(join(migrations, name), join(earlier, name));
    await migrate({ connectionString: old, directory: earlier });
    // The superuser writes the rows, because policies apply to the owner too.
    await prepareOldTracker().insertMissingRows(client);
    await migrate({ connectionString: old, directory: migrations });

    const { rows } = await client.query(
      `select expense_count::int as expenses, income_count::int as incomes from app.cashboxes order by expense_count desc`,
    );
    expect(rows).toEqual([
      { expenses: 1, incomes: 1 },
      { expenses: 0, incomes: 1 },
    ]);
    const database = createDatabase({ connectionString: old, poolMax: 1 });
    const checked = await database.transaction({ readOnly: true }, checkBooks);
    await database.close();
    expect(checked).toEqual({ cashboxCount: 2, transferCount: 1, contradictions: [] });
  } finally {
    await client.end();
    await rm(earlier, { recursive: true });
    await oldDatabase.drop();
  }
});

it('migrate needs no superuser on a new cluster if the database owner may create roles', async () => {
  const directory = await makeDataDirectory();
  const cluster = await startEmbeddedPostgres({ dataDir: directory.path, durable: false, report: () => {} });
  try {
    const client = new pg.Client({ connectionString: cluster.connectionString });
    await client.connect();
    await client.query(`create role dba login createrole password 'dba'`);
    await client.query(`create role ana login password 'ana'`);
    await client.query('create database books owner dba');
    await client.end();
    const url = new URL(cluster.connectionString);
    url.username = 'ana';
    url.password = 'ana';
    url.pathname = '/books';
    await expect(migrate({ connectionString: url.href, directory: migrations })).rejects.toThrow(
      /centavo_app, centavo_identity, centavo_definer[\s\S]*\n {2}create role centavo_app nologin;\n {2}grant centavo_app to ana;/,
    );
    url.username = 'dba';
    url.password = 'dba';
    await migrate({ connectionString: url.href, directory: migrations });
    const database = createDatabase({ connectionString: url.href, poolMax: 1 });
    await expect(proveIsolation(database)).resolves.toBeUndefined();
    await database.close();
  } finally {
    await cluster.stop();
    await directory.remove();
  }
});
