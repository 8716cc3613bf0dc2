import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataDirectory } from '../../../test-support/open-test-cluster.js';
import { seedTracker } from '../../../test-support/seed-tracker.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../embedded-postgres/index.js';
import { sqlStateOf } from '../errors.js';
import { migrate } from '../migrate/migrate.js';
import { createDatabase, type Database } from '../pool.js';
import { assumeRole, query } from '../query.js';
import type { Transaction } from '../transaction.js';
import { proveIsolation } from './prove-isolation.js';
import { findExcessRights, requireNoExcessRights } from './start-checks.queries.js';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
const denied = '42501';
let directory: Awaited<ReturnType<typeof makeDataDirectory>>;
let embedded: EmbeddedPostgres;
let servingUrl: string;
let database: Database;
let owner: pg.Client;

beforeAll(async () => {
  directory = await makeDataDirectory();
  embedded = await start();
  await migrate({ connectionString: embedded.connectionString, directory: migrations });
  servingUrl = await embedded.prepareServingLogin();
  database = createDatabase({ connectionString: servingUrl, poolMax: 1 });
  owner = new pg.Client({ connectionString: embedded.connectionString });
  await owner.connect();
  await seedTracker(owner, 'other');
});

afterAll(async () => {
  await owner.end();
  await database.close();
  await embedded.stop();
  await directory.remove();
});

const start = () => startEmbeddedPostgres({ dataDir: directory.path, durable: false, report: () => {} });

/** Runs a statement in a request's transaction, after an injected change of the role. Returns the rows, or the SQLSTATE of the error. */
async function inject(sql: string, role = 'none'): Promise<unknown> {
  const work = async (tx: Transaction) => {
    await assumeRole(tx, 'centavo_app');
    await query(tx, 'select app.enter_request(null, :issuer, :subject, null, null, true, null)', {
      issuer: 'urn:test',
      subject: 'nobody',
    });
    await query(tx, `select set_config('role', :role, true)`, { role });
    return query(tx, sql);
  };
  return database.transaction({ readOnly: false }, work).catch((error: unknown) => sqlStateOf(error) ?? error);
}

describe('injected SQL that changes the role by set_config', () => {
  it('runs as the database login of the server, which is not a superuser', async () => {
    expect(await inject('select current_user, session_user')).toEqual([
      { current_user: 'centavo_server', session_user: 'centavo_server' },
    ]);
    const { rows } = await owner.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolinherit
       from pg_roles where rolname = 'centavo_server'`,
    );
    expect(rows.map((row) => Object.values(row))).toEqual([[false, false, false, false, false, false]]);
  });

  it('reads no table, and deletes no row', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('app', 'identity') or tablename in ('centavo_migrations', 'centavo_migrations_lock', 'pg_authid')`,
    );
    expect(rows.length).toBeGreaterThan(15);
    for (const { name } of rows) {
      expect(await inject(`select 1 from ${name}`), name).toBe(denied);
      expect(await inject(`delete from ${name}`), name).toBe(denied);
    }
  });

  it.each([
    `select pg_read_file('PG_VERSION')`,
    `select pg_ls_dir('.')`,
    `select pg_stat_file('PG_VERSION')`,
    `copy (select 1) to '/tmp/centavo-copied'`,
    `copy (select 1) to program 'true'`,
    `select lo_import('/etc/hostname')`,
  ])('reads and writes no file: %s', async (sql) => {
    expect(await inject(sql)).toBe(denied);
  });

  it.each([
    'create table app.loot (id int)',
    'create table public.loot (id int)',
    'create temporary table loot (id int)',
    'create schema loot',
    'create role loot',
    'create database loot',
    'create extension hstore',
    `create function public.loot() returns int language sql as 'select 1'`,
    'select lo_create(0)',
    `select lo_from_bytea(0, 'loot')`,
  ])('creates no object: %s', async (sql) => {
    // 25001: PostgreSQL refuses CREATE DATABASE in a transaction before it checks the rights.
    expect(await inject(sql)).toBe(sql.includes('database') ? '25001' : denied);
  });

  it.each([
    'drop policy movements_inside on app.movements',
    'alter policy movements_inside on app.movements using (true)',
    'create policy loot on app.movements for select using (true)',
    'alter table app.movements no force row level security',
    'alter table app.movements disable row level security',
    'grant select on app.movements to centavo_server',
    'drop table app.movements',
    'alter function app.current_tracker() owner to centavo_server',
    'alter role centavo_server superuser',
  ])('cannot weaken the isolation: %s', async (sql) => {
    expect(await inject(sql)).toBe(denied);
  });

  it.each(['centavo', 'centavo_definer', 'pg_read_server_files'])('cannot change to the role %s', async (role) => {
    expect(await inject('select 1', role)).toBe(denied);
  });

  it('deletes no idempotency key that is less than a day old', async () => {
    const { rows: before } = await owner.query('select key from app.idempotency_keys');
    expect(before.length).toBeGreaterThan(0);
    expect(await inject('select app.forget_old_idempotency_keys(0, 1000) as removed', 'centavo_identity')).toEqual([
      { removed: 0 },
    ]);
    expect((await owner.query('select key from app.idempotency_keys')).rows).toEqual(before);
    expect(await inject('select app.forget_old_idempotency_keys(0, 1000)', 'centavo_app')).toBe(denied);
  });
});

describe('the login of the server in the embedded PostgreSQL', () => {
  it('has no more rights than it needs, and passes the isolation checks', async () => {
    expect(await database.transaction({ readOnly: true }, (tx) => findExcessRights(tx, null))).toEqual([]);
    await expect(proveIsolation(database)).resolves.toBeUndefined();
  });

  it('has a password of 43 characters, which is not the password of the owner', async () => {
    const [serving, owning] = [new URL(servingUrl), new URL(embedded.connectionString)];
    expect(serving.password).toMatch(/^[\w-]{43}$/);
    expect(serving.password).not.toBe(owning.password);
    const asOwner = new URL(servingUrl);
    asOwner.username = owning.username;
    const client = new pg.Client({ connectionString: asOwner.href });
    await expect(client.connect()).rejects.toThrow('password authentication failed');
  });

  it('is created if it is missing, and loses the superuser right and the settings that were added to it', async () => {
    await owner.query('alter role centavo_server with superuser');
    await owner.query(`alter role centavo_server in database centavo set app.user_id = 'loot'`);
    await owner.query(`alter role centavo_server password 'changed'`);
    const guest = await start();
    try {
      expect(await guest.prepareServingLogin()).toBe(servingUrl);
      expect(await loginSettings()).toEqual([{ rolsuper: false, setconfig: null }]);
      await dropLogin();
      expect(await guest.prepareServingLogin()).toBe(servingUrl);
      expect(await loginSettings()).toEqual([{ rolsuper: false, setconfig: null }]);
      await expect(proveIsolation(database)).resolves.toBeUndefined();
    } finally {
      await guest.stop();
    }
  });

  it('is created once when several processes start at the same time', async () => {
    await dropLogin();
    const urls = await Promise.all(Array.from({ length: 6 }, () => embedded.prepareServingLogin()));
    expect(new Set(urls)).toEqual(new Set([servingUrl]));
  });
});

/** Drops the serving login. The cluster is then like one that an older version created. */
async function dropLogin(): Promise<void> {
  await database.close();
  await owner.query('drop owned by centavo_server; drop role centavo_server');
  database = createDatabase({ connectionString: servingUrl, poolMax: 1 });
}

async function loginSettings(): Promise<unknown[]> {
  const { rows } = await owner.query(
    `select rolsuper, setconfig from pg_roles r left join pg_db_role_setting s on s.setrole = r.oid
     where rolname = 'centavo_server'`,
  );
  return rows;
}

describe('the rights of a login', () => {
  const excessRightsOf = async (login: string) => {
    const found = await database.transaction({ readOnly: true }, (tx) => findExcessRights(tx, login));
    return found.filter((right) => right.login === login).map(({ kind, text }) => `${kind}: ${text}`);
  };

  it.each([
    ['superuser', ['bypasses_policies: is a superuser']],
    ['bypassrls', ['bypasses_policies: may bypass row-level security, or become a role that may']],
    ['createrole', ['other: may create roles or databases, or replicate, or become a role that may']],
    ['in role centavo_definer', ['other: may become centavo_definer']],
    ['in role pg_read_server_files', ['other: may become pg_read_server_files']],
    ['in role centavo_app, centavo_identity', []],
  ])('are reported only if they exceed the needs of requests: %s', async (attribute, excessRights) => {
    await owner.query(`create role tried login ${attribute}`);
    try {
      expect(await excessRightsOf('tried')).toEqual(excessRights);
    } finally {
      await owner.query('drop role tried');
    }
  });

  it('are reported if the login may become a role that owns tables', async () => {
    await owner.query('create role tables_owner; create role tried login in role tables_owner');
    await owner.query('alter table app.budgets owner to tables_owner');
    try {
      expect(await excessRightsOf('tried')).toEqual([
        'owner: owns the database or tables of Centavo, or may become their owner',
      ]);
    } finally {
      await owner.query('alter table app.budgets owner to centavo; drop role tried; drop role tables_owner');
    }
  });

  it('make the server refuse to start if they exceed the needs of requests; the error names them and the remedy', () => {
    const excessRights = [{ login: 'cent', kind: 'bypasses_policies', text: 'is a superuser' } as const];
    expect(() => requireNoExcessRights(excessRights)).toThrow(
      /refusing to start:\n {2}- cent is a superuser\nRevoke these rights, or use another login\. docs\/operations\.md/,
    );
    expect(() => requireNoExcessRights([])).not.toThrow();
  });
});
