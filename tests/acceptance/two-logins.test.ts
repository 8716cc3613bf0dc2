import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestCluster, type TestCluster } from '../../apps/server/test-support/open-test-cluster.js';
import { createHousehold, showBalances } from './support/household.js';
import { asOwner, getPostgresOf } from './support/postgres-of.js';
import { repository } from './support/repository.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { findWorkers } from './support/workers-of.js';

const sandbox = openSandbox();
const unlimited = { RATE_LIMIT_ADMIN_PER_MINUTE: '0', RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' };

/** Returns the logins that servers use for their connections to the database. */
async function loginsOf(address: string): Promise<string[]> {
  const { rows } = await asOwner(address, (client) =>
    client.query<{ name: string }>(
      `select distinct usename as name from pg_stat_activity where application_name = 'centavo-server' order by 1`,
    ),
  );
  return rows.map(({ name }) => name);
}

describe('a server with an external PostgreSQL, a login of the owner and a login for requests', () => {
  let cluster: TestCluster;
  let superuserUrl: string;
  let ownerUrl: string;
  let servingUrl: string;
  let both: Record<string, string>;

  beforeAll(async () => {
    cluster = await openTestCluster(undefined);
    const client = new pg.Client({ connectionString: cluster.connectionString });
    await client.connect();
    for (const statement of await documentedStatements()) await client.query(statement);
    await client.end();
    const addressOf = (user: string, password: string) =>
      Object.assign(new URL(cluster.connectionString), { username: user, password, pathname: '/books' }).href;
    ownerUrl = addressOf('books_owner', 'choose a long one');
    servingUrl = addressOf('books_server', 'choose another one');
    superuserUrl = Object.assign(new URL(cluster.connectionString), { pathname: '/books' }).href;
    both = { DATABASE_URL: servingUrl, DATABASE_OWNER_URL: ownerUrl };
  });
  afterAll(() => cluster.close());

  const refusedStart = async (env: Record<string, string>): Promise<string> => {
    const { exitCode, stderr } = await sandbox.runServer('start', { env });
    expect(exitCode).toBe(1);
    return stderr;
  };

  it('refuses to start with the login for requests alone while migrations are pending, and names the remedy', async () => {
    expect(await refusedStart({ DATABASE_URL: servingUrl })).toBe(
      'The database lacks migrations of this version (next: 0001_roles_and_schemas.sql), and the user books_server may not ' +
        'apply them. Set DATABASE_OWNER_URL to a URL with the login of the owner, books_owner, or run "centavo-server migrate" with ' +
        'that URL. Then start again.\n',
    );
  });

  it('refuses to start with DATABASE_OWNER_URL alone, and names DATABASE_URL', async () => {
    expect(await refusedStart({ DATABASE_OWNER_URL: ownerUrl })).toMatch(
      /^DATABASE_OWNER_URL is set without DATABASE_URL\. Set DATABASE_URL to the login that serves requests/,
    );
  });

  it('migrates the database with `centavo-server migrate` and only DATABASE_OWNER_URL', async () => {
    const ended = await sandbox.runServer('migrate', { env: { DATABASE_OWNER_URL: ownerUrl } });
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('serves with the login for requests alone, without a warning, when no migration is pending', async () => {
    const server = await sandbox.startServer({ env: { DATABASE_URL: servingUrl } });
    expect(server.output).toMatch(/^\nCentavo is ready/);
    const { centavo } = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
    await centavo.show('accounts create Wallet --type cash --opening-balance 5');
    expect(await showBalances(centavo)).toEqual({ Wallet: '5.00' });
    expect(await loginsOf(superuserUrl)).toEqual(['books_server']);
    await server.kill('SIGTERM');
  });

  it('migrates with the owner and serves with the login for requests when both logins are set', async () => {
    await asOwner(superuserUrl, (client) =>
      client.query('drop schema app, identity cascade; drop table centavo_migrations, centavo_migrations_lock'),
    );
    const server = await sandbox.startServer({ env: { ...both, IDEMPOTENCY_RETENTION_DAYS: '1', LOG_LEVEL: 'info' } });
    await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
    expect(server.output).not.toContain('The server logs in as');
    expect(server.output).not.toContain('could not be removed');
    expect(await loginsOf(superuserUrl)).toEqual(['books_server']);
    const { rows } = await asOwner(superuserUrl, (client) =>
      client.query(`select distinct tableowner from pg_tables where schemaname in ('app', 'identity')`),
    );
    expect(rows).toEqual([{ tableowner: 'books_owner' }]);
    await server.kill('SIGTERM');
  });

  it('runs `check` and `discard-undecryptable` when both logins are set, and `database-url` prints the URL of the owner', async () => {
    expect(await sandbox.runServer('check', { env: both })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await sandbox.runServer('database-url', { env: both })).toMatchObject({ stdout: `${ownerUrl}\n` });
    const discarded = await sandbox.runServer('discard-undecryptable qPZ_0xTe', { env: both });
    expect(discarded).toMatchObject({ exitCode: 1, stderr: 'Nothing is encrypted with the key qPZ_0xTe.\n' });
  });

  it('passes the login for requests to worker processes, but not the password of the owner', async () => {
    const env = { ...both, ...unlimited, CENTAVO_PROCESSES: '2', LOG_LEVEL: 'info' };
    const server = await sandbox.startServer({ env });
    const workers = await findWorkers(server, 2);
    await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
    expect(await loginsOf(superuserUrl)).toEqual(['books_server']);
    for (const pid of workers) {
      const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
      expect(environment).toContain(`DATABASE_URL=${servingUrl}`);
      expect(environment.filter((line) => line.includes('choose%20a%20long%20one'))).toEqual([]);
    }
    await server.kill('SIGTERM');
  });

  it.each([
    ['a superuser', () => superuserUrl, 'centavo is a superuser'],
    ['the owner', () => ownerUrl, 'books_owner owns the database or tables of Centavo, or may become their owner'],
  ])('refuses to serve with %s in DATABASE_URL when DATABASE_OWNER_URL is set', async (_, urlOf, reason) => {
    const stderr = await refusedStart({ ...both, DATABASE_URL: urlOf() });
    expect(stderr).toContain(`refusing to start:\n  - ${reason}\n`);
  });

  it('refuses a superuser in DATABASE_REPLICA_URL', async () => {
    const stderr = await refusedStart({ ...both, DATABASE_REPLICA_URL: superuserUrl });
    expect(stderr).toContain('refusing to start:\n  - centavo is a superuser\n');
  });

  it('refuses a DATABASE_URL and a DATABASE_OWNER_URL of different databases', async () => {
    const other = Object.assign(new URL(servingUrl), { pathname: '/postgres' }).href;
    expect(await refusedStart({ ...both, DATABASE_URL: other })).toMatch(
      /but the database of DATABASE_OWNER_URL has them\. Set both variables to/,
    );
  });

  it('refuses a login for requests that lacks a required role, and prints the SQL that grants the role', async () => {
    await asOwner(superuserUrl, (client) => client.query('revoke centavo_identity from books_server'));
    expect(await refusedStart(both)).toMatch(
      /^The user books_server of DATABASE_URL may not become the role centavo_identity\. .*\n {2}grant centavo_identity to books_server;$/m,
    );
    await asOwner(superuserUrl, (client) => client.query('grant centavo_identity to books_server'));
  });

  it.each([
    [
      'a superuser',
      () => superuserUrl,
      /^The server logs in as centavo, which is a superuser\. .*docs\/operations\.md/m,
    ],
    ['the owner', () => ownerUrl, /^The server logs in as books_owner, which owns the tables .*docs\/operations\.md/m],
  ])('starts with a warning when %s is the only configured login', async (_, urlOf, warning) => {
    const server = await sandbox.startServer({ env: { DATABASE_URL: urlOf() } });
    expect(server.output).toMatch(warning);
    await server.kill('SIGTERM');
  });
});

/** Returns the documented statements that an administrator runs to prepare PostgreSQL. */
async function documentedStatements(): Promise<string[]> {
  const page = await readFile(join(repository, 'docs/operations.md'), 'utf8');
  const block = /```sql\n(create role centavo_app nologin;\n.*?)```/s.exec(page)?.[1] ?? '';
  return block.split('\n').filter((line) => line !== '');
}

describe('a server with the embedded PostgreSQL', () => {
  const dataDir = sandbox.newDataDir();
  let server: Server;

  it('serves with the login centavo_server, without a warning, with DEMO=on and one or two processes', async () => {
    for (const processes of ['1', '2']) {
      const env = { ...unlimited, CENTAVO_PROCESSES: processes, DEMO: 'on' };
      server = await sandbox.startServer({ dataDir, env });
      await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
      const { connectionString } = await getPostgresOf(dataDir);
      expect(await loginsOf(connectionString)).toEqual(['centavo_server']);
      expect(server.output).not.toContain('The server logs in as');
      await server.kill('SIGTERM');
    }
  });

  it('starts even if its login does not exist, as in a database of an older version', async () => {
    server = await sandbox.startServer({ dataDir });
    const { connectionString } = await getPostgresOf(dataDir);
    await asOwner(connectionString, async (client) => {
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'centavo_server'`);
      await client.query('drop owned by centavo_server; drop role centavo_server');
    });
    await server.kill('SIGTERM');
    server = await sandbox.startServer({ dataDir });
    expect(await (await fetch(`${server.origin}/health/ready`)).json()).toEqual({ status: 'ready' });
    await server.kill('SIGTERM');
  });

  it('refuses to start if its login has the role pg_read_server_files, which the start does not revoke', async () => {
    const other = await sandbox.startServer({ dataDir });
    const { connectionString } = await getPostgresOf(dataDir);
    await asOwner(connectionString, (client) => client.query('grant pg_read_server_files to centavo_server'));
    const { exitCode, stderr } = await sandbox.runServer('start', { dataDir });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('  - centavo_server may become pg_read_server_files\n'),
    });
    await other.kill('SIGTERM');
  });
});
