import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { callsTo } from './support/call-api.js';
import { countMovements, createHousehold, type Household, showBalances } from './support/household.js';
import { asOwner, findPostgresOf, getPostgresOf } from './support/postgres-of.js';
import { openSandbox } from './support/sandbox.js';
import { until } from './support/until.js';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const sandbox = openSandbox();
/** The DATA_DIR that most tests here share, because each new database takes seconds. */
const dataDir = sandbox.newDataDir();
let household: Household;
let accountId: string;

beforeAll(async () => {
  const server = await sandbox.startServer({ dataDir });
  household = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
  const account = await household.centavo.show('accounts create Checking --opening-balance 100.00');
  accountId = account.id;
  expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
});

/** Returns the headers and the body that record an expense of 1.00 under a key. */
const expense = (key: string) => ({
  headers: { 'Idempotency-Key': key },
  body: { type: 'expense', amountDecimal: '1.00', accountId, occurredOn: '2026-03-01' },
});

describe('a server that is stopped', () => {
  it('keeps users, sessions, movements and used idempotency keys for the next start', async () => {
    const key = randomUUID();
    const first = await sandbox.startServer({ dataDir });
    const created = await household.callsTo(first.origin)('POST /v1/financial/movements', expense(key));
    expect(created.status).toBe(201);
    expect(await first.kill('SIGTERM')).toMatchObject({ exitCode: 0, stderr: '' });

    const second = await sandbox.startServer({ dataDir });
    const call = household.callsTo(second.origin);
    expect(await call('POST /v1/financial/movements', expense(key))).toMatchObject({
      status: 200,
      data: created.data,
      meta: { idempotentReplay: true },
    });
    expect(await call(`GET /v1/financial/movements/${created.data.id}`)).toMatchObject({ data: created.data });
    expect(await second.kill('SIGINT')).toMatchObject({ exitCode: 0 });
  });

  it('stops its embedded PostgreSQL', async () => {
    const server = await sandbox.startServer({ dataDir });
    expect(await findPostgresOf(dataDir)).toBeDefined();
    await server.kill('SIGTERM');
    expect(await findPostgresOf(dataDir)).toBeUndefined();
  });

  // @proves contract 5: 500 / 503
  it('answers the request in progress, accepts no new connection, and exits with 0', async () => {
    const server = await sandbox.startServer({ dataDir });
    const call = household.callsTo(server.origin);
    const countBefore = await countMovements(call);
    const { connectionString } = await getPostgresOf(dataDir);
    const { answer, whenEnded } = await asOwner(connectionString, async (client) => {
      // Locks the balance, so that the request waits in the middle of its transaction.
      await client.query('begin');
      await client.query('select from app.cashboxes where account_id = $1 for update', [accountId]);
      const answer = call('POST /v1/financial/movements', expense(randomUUID()));
      await until('the request waits for the balance', async () => {
        const { rows } = await client.query(
          "select from pg_stat_activity where application_name = 'centavo-server' and wait_event_type = 'Lock'",
        );
        return rows.length > 0;
      });
      const ended = server.kill('SIGTERM');
      await server.prints(/^Stopping/m);
      await until('new connections are refused', () => isRefused(server.origin));
      await client.query('rollback');
      return { answer: await answer, whenEnded: () => ended };
    });

    const ended = await whenEnded();
    expect(answer).toMatchObject({ status: 201, data: { amountDecimal: '1.00' } });
    // Without this header the client keeps the connection open, and the shutdown waits for the connection to close.
    expect(answer.headers.get('Connection')).toBe('close');
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    const next = await sandbox.startServer({ dataDir });
    expect(await countMovements(household.callsTo(next.origin))).toBe(countBefore + 1);
    await next.kill('SIGTERM');
  });
});

describe('a server whose embedded PostgreSQL is killed', () => {
  it('reports that PostgreSQL has exited, exits with 1, and keeps an acknowledged write', async () => {
    const server = await sandbox.startServer({ dataDir });
    const call = household.callsTo(server.origin);
    const created = await call('POST /v1/financial/movements', expense(randomUUID()));
    expect(created.status).toBe(201);
    process.kill((await getPostgresOf(dataDir)).pid, 'SIGKILL');

    const { exitCode, stderr } = await server.ended;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^The embedded PostgreSQL \(process \d+\) has ended unexpectedly\. .* Start it again\./m);
    expect(stderr).not.toMatch(/^\s+at /m);

    const next = await sandbox.startServer({ dataDir });
    const read = await household.callsTo(next.origin)(`GET /v1/financial/movements/${created.data.id}`);
    expect(read).toMatchObject({ status: 200, data: created.data });
    await next.kill('SIGTERM');
  });
});

describe('a start that cannot succeed', () => {
  it('on a port in use reports the port, exits with 1, and stops the PostgreSQL that it had started', async () => {
    const server = await sandbox.startServer({ dataDir });
    const otherDataDir = sandbox.newDataDir();
    const second = await sandbox.runServer('start', { dataDir: otherDataDir, env: { PORT: server.port } });
    expect(second).toMatchObject({ exitCode: 1, signal: null });
    expect(second.stderr).toMatch(new RegExp(`${server.port}.*(in use|taken)|(in use|taken).*${server.port}`, 'i'));
    expect(second.stderr).not.toMatch(/^\s+at /m);
    expect(await findPostgresOf(otherDataDir)).toBeUndefined();
    // The failed start has not affected the first server.
    expect(await callsTo(server.origin)('GET /health/ready')).toMatchObject({ status: 200 });
    await server.kill('SIGTERM');
  });

  it('reports all mistakes in the configuration together', async () => {
    const env = { PORT: 'eighty', DATABASE_POOL_MAX: '0', LOG_LEVEL: 'loud', DEMO: 'yes', TLS_CERT_FILE: 'alone.pem' };
    const { exitCode, stdout, stderr } = await sandbox.runServer('start', { dataDir: sandbox.newDataDir(), env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    for (const name of [...Object.keys(env), 'TLS_KEY_FILE']) expect(stderr).toContain(name);
  });

  // @proves contract 10: On a host that is not loopback
  it('refuses plain HTTP on an address that is not loopback', async () => {
    const env = { HOST: '0.0.0.0' };
    const { exitCode, stderr } = await sandbox.runServer('start', { dataDir: sandbox.newDataDir(), env });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/HOST 0\.0\.0\.0 is not loopback.*TLS_CERT_FILE.*TRUST_PROXY.*ALLOW_INSECURE_HTTP/);
  });

  it('names the address in DATABASE_URL, but not the password, if no server answers there', async () => {
    const env = { DATABASE_URL: 'postgres://ana:hunter2@127.0.0.1:1/books' };
    const { exitCode, stdout, stderr } = await sandbox.runServer('start', { env });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/127\.0\.0\.1:1/);
    expect(stdout + stderr).not.toContain('hunter2');
  });
});

describe('a server with a certificate', () => {
  // @proves contract 10: HTTPS needs TLS_CERT_FILE
  it.skipIf(!hasOpenssl)(
    `serves HTTPS, and a client that does not trust the certificate refuses the connection${hasOpenssl ? '' : ' (skipped: there is no openssl)'}`,
    async () => {
      const { certFile, keyFile } = await makeCertificate();
      const env = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
      const server = await sandbox.startServer({ dataDir, env });
      expect(server.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);

      const address = { CENTAVO_BASE_URL: server.baseUrl };
      const trusting = await sandbox.newTerminal({ ...address, NODE_EXTRA_CA_CERTS: certFile });
      const login = `login --email ${household.email} --password-stdin`;
      await trusting.show(login, { stdin: household.password });
      const created = await trusting.show('movements add --type income --amount 2.00 --account Checking');
      expect(await trusting.show(`movements show ${created.id}`)).toEqual(created);

      const withoutCertificate = await sandbox.newTerminal(address);
      expect(await withoutCertificate.run(login, { stdin: household.password })).toMatchObject({ exitCode: 9 });
      await expect(fetch(`http://127.0.0.1:${server.port}/health/live`)).rejects.toThrow();
      expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
    },
  );

  it.skipIf(!hasOpenssl)(
    `creates the demo in a new database${hasOpenssl ? '' : ' (skipped: there is no openssl)'}`,
    async () => {
      const { certFile, keyFile } = await makeCertificate();
      const env = { DEMO: 'on', TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
      const server = await sandbox.startServer({ dataDir: sandbox.newDataDir(), env });
      expect(server.output).toMatch(/export CENTAVO_TOKEN=centavo_live_/);
      expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
    },
    30_000,
  );
});

describe('a PostgreSQL', () => {
  // @proves contract 10: centavo-server start | migrate | check | legacy-key create
  it('is migrated once by `centavo-server migrate` if it is external, and keeps running when the Centavo server stops', async () => {
    // An embedded PostgreSQL serves as the external one. The test creates a separate database in it.
    const other = await sandbox.startServer({ dataDir });
    const { connectionString, pid } = await getPostgresOf(dataDir);
    await asOwner(connectionString, (client) => client.query('create database own'));
    const address = new URL(connectionString);
    address.pathname = '/own';
    const env = { DATABASE_URL: address.href };

    const migrated = await sandbox.runServer('migrate', { env });
    expect(migrated).toMatchObject({ exitCode: 0, stderr: '' });
    expect(migrated.stdout).toMatch(/^Applied .+\.$/m);
    const again = await sandbox.runServer('migrate', { env });
    expect(again).toMatchObject({ exitCode: 0, stdout: 'Nothing to apply; the database is up to date.\n' });

    const server = await sandbox.startServer({ env });
    const newHousehold = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'JPY' });
    await newHousehold.centavo.show('accounts create Wallet --type cash --opening-balance 500');
    expect(await showBalances(newHousehold.centavo)).toEqual({ Wallet: '500' });
    const body = { email: household.email, password: household.password };
    expect(await callsTo(server.origin)('POST /v1/identity/sessions', { body })).toMatchObject({ status: 401 });

    expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
    expect(await getPostgresOf(dataDir)).toMatchObject({ pid });
    await other.kill('SIGTERM');
  });

  it('is shared by two servers on one DATA_DIR if it is embedded, and runs until both have stopped', async () => {
    const first = await sandbox.startServer({ dataDir });
    const second = await sandbox.startServer({ dataDir });
    expect(await first.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
    const answer = await household.callsTo(second.origin)('POST /v1/financial/movements', expense(randomUUID()));
    expect(answer.status).toBe(201);
    expect(await second.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
    expect(await findPostgresOf(dataDir)).toBeUndefined();
  });
});

function isRefused(origin: string): Promise<boolean> {
  return fetch(`${origin}/health/live`).then(
    () => false,
    () => true,
  );
}

/** Creates a key and a self-signed certificate for 127.0.0.1. */
async function makeCertificate(): Promise<{ certFile: string; keyFile: string }> {
  const keyFile = await sandbox.writeFile('key.pem', '');
  const certFile = join(dirname(keyFile), 'certificate.pem');
  const request = ['req', '-x509', '-nodes', '-days', '2', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...request, ...names, '-keyout', keyFile, '-out', certFile], { stdio: 'pipe' });
  return { certFile, keyFile };
}
