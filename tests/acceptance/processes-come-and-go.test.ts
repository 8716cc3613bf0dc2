import { randomUUID } from 'node:crypto';
import { FinancialClient } from '@centavo/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { runConcurrently } from '../proof/support/run-concurrently.js';
import { callsTo } from './support/call-api.js';
import { chooseFreePort } from './support/choose-free-port.js';
import { createHousehold, type Household, showBalances } from './support/household.js';
import { asOwner, findPostgresOf, getPostgresOf } from './support/postgres-of.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { until } from './support/until.js';
import { findWorkers, isRunning } from './support/workers-of.js';

const count = 3;
const env = {
  CENTAVO_PROCESSES: String(count),
  LOG_LEVEL: 'info',
  RATE_LIMIT_ADMIN_PER_MINUTE: '0',
  RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0',
};
const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let port: string;
let running: Server | undefined;
let household: Household;
let accountId: string;

beforeAll(async () => {
  port = await chooseFreePort();
  const server = await start();
  household = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
  ({ id: accountId } = await household.centavo.show('accounts create Checking'));
  await server.kill('SIGTERM');
});

/** Starts the server on `port`. First stops a server that a failed test left running, because that server occupies the port. */
async function start(): Promise<Server> {
  await running?.kill('SIGTERM');
  running = await sandbox.startServer({ dataDir, env: { ...env, PORT: port } });
  return running;
}

describe('a worker process that is killed during writes', () => {
  it('is replaced, and no write with an idempotency key is lost or recorded twice', async () => {
    const server = await start();
    const { token } = household;
    const options = { baseUrl: server.origin, token, timeoutMs: 60_000, maxRetries: 10 };
    const newClient = () => new FinancialClient(options).forTracker(household.trackerId);
    // If one client sent all requests, all its connections might lead to the killed process. Its 12 concurrent requests would then need
    // more than the ten retries in its budget. So each of the concurrent requests has its own client.
    const clients = Array.from({ length: 12 }, newClient);
    const writes = 300;
    let done = 0;
    const writing = runConcurrently({ times: writes, concurrency: clients.length }, async (position) => {
      const expense = { type: 'expense', amountDecimal: '0.01', accountId } as const;
      const client = clients[position % clients.length] ?? newClient();
      const { id } = await client.movements.create(expense, { idempotencyKey: `killed-${position}` });
      done += 1;
      return id;
    });
    for (const share of [0.2, 0.4, 0.6]) {
      await until('more movements are written', () => done >= share * writes);
      const [killed = 0] = await findWorkers(server, count);
      process.kill(killed, 'SIGKILL');
      await until('the killed process is gone', () => !isRunning(killed));
    }
    expect(new Set(await writing).size).toBe(writes);
    expect(await findWorkers(server, count)).toHaveLength(count);
    expect(await showBalances(household.centavo)).toEqual({ Checking: '-3.00' });
    const { stderr, exitCode } = await server.kill('SIGTERM');
    expect(exitCode).toBe(0);
    expect(stderr.trimEnd().split('\n')).toEqual(
      Array.from({ length: 3 }, () =>
        expect.stringMatching(/^The worker process \d+ ended with SIGKILL; starting another worker\.$/),
      ),
    );
  });
});

describe('a server with several processes', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'completes the request in progress after %s, and leaves no process behind',
    async (signal) => {
      const server = await start();
      const workers = await findWorkers(server, count);
      const call = household.callsTo(server.origin);
      const { connectionString } = await getPostgresOf(dataDir);
      const { answer, whenEnded } = await asOwner(connectionString, async (client) => {
        await client.query('begin');
        await client.query('select from app.cashboxes where account_id = $1 for update', [accountId]);
        const answer = call('POST /v1/financial/movements', {
          headers: { 'Idempotency-Key': randomUUID() },
          body: { type: 'income', amountDecimal: '0.01', accountId },
        });
        await until('the request waits for the balance', async () => {
          const { rows } = await client.query(
            "select from pg_stat_activity where application_name = 'centavo-server' and wait_event_type = 'Lock'",
          );
          return rows.length > 0;
        });
        const ended = server.kill(signal);
        await until('new connections are refused', () => isRefused(server.origin));
        await client.query('rollback');
        return { answer: await answer, whenEnded: () => ended };
      });
      expect(answer).toMatchObject({ status: 201 });
      expect(await whenEnded()).toMatchObject({ exitCode: 0, stderr: '' });
      expect(workers.filter(isRunning)).toEqual([]);
      expect(await findPostgresOf(dataDir)).toBeUndefined();
    },
  );

  it('stops all its workers when its supervisor is killed, and keeps an acknowledged write for the next start', async () => {
    const server = await start();
    const created = await household.callsTo(server.origin)('POST /v1/financial/movements', {
      headers: { 'Idempotency-Key': randomUUID() },
      body: { type: 'income', amountDecimal: '0.01', accountId },
    });
    expect(created.status).toBe(201);
    await server.kill('SIGKILL');
    const { connectionString } = await getPostgresOf(dataDir);
    await asOwner(connectionString, (client) =>
      until('no process holds a connection', async () => {
        const { rows } = await client.query("select from pg_stat_activity where application_name = 'centavo-server'");
        return rows.length === 0;
      }),
    );
    expect(await isRefused(server.origin)).toBe(true);

    const next = await start();
    const stored = await household.callsTo(next.origin)(`GET /v1/financial/movements/${created.data.id}`);
    expect(stored).toMatchObject({ status: 200, data: created.data });
    await next.kill('SIGTERM');
  });

  it('stops all its processes and exits with 1 when the embedded PostgreSQL is killed', async () => {
    const server = await start();
    const workers = await findWorkers(server, count);
    process.kill((await getPostgresOf(dataDir)).pid, 'SIGKILL');
    const { exitCode, stderr } = await server.ended;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^The embedded PostgreSQL \(process \d+\) has ended unexpectedly\. .* Start it again\./m);
    expect(workers.filter(isRunning)).toEqual([]);
  });
});

describe('a server start with several worker processes', () => {
  it('on a port in use reports the port once, exits with 1, and leaves no PostgreSQL behind', async () => {
    const server = await sandbox.startServer({ dataDir });
    const other = sandbox.newDataDir();
    const { exitCode, stderr } = await sandbox.runServer('start', {
      dataDir: other,
      env: { ...env, PORT: server.port },
    });
    expect(exitCode).toBe(1);
    expect(stderr.match(/is in use\. Set PORT to another port\./g)).toHaveLength(1);
    expect(stderr).toMatch(/^The worker process \d+ ended with exit code 1 before it served$/m);
    expect(await findPostgresOf(other)).toBeUndefined();
    await server.kill('SIGTERM');
  });

  it('with DEMO=on creates the demo once, before the first request', async () => {
    const options = { dataDir: sandbox.newDataDir(), env: { ...env, DEMO: 'on', REGISTRATION: 'closed' } };
    const demo = await sandbox.startServer(options);
    const [, token = ''] = /export CENTAVO_TOKEN=(\S+)/.exec(demo.output) ?? [];
    const accounts = await callsTo(demo.origin, { Authorization: `Bearer ${token}` })('GET /v1/financial/accounts');
    expect(accounts.data).toHaveLength(3);
    await demo.kill('SIGTERM');
    const again = await sandbox.startServer(options);
    expect(again.output).toContain(token);
    expect(await again.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
  });
});

function isRefused(origin: string): Promise<boolean> {
  return fetch(`${origin}/health/live`, { headers: { Connection: 'close' } }).then(
    () => false,
    () => true,
  );
}
