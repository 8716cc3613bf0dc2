import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../proof/support/seeded-random.js';
import { startFickleReceiver } from '../proof/support/start-fickle-receiver.js';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../proof/support/start-pgbouncer.js';
import { createTenant, succeed, type Tenant } from '../proof/support/tenants.js';
import { type Answer, type Call, callsTo } from './support/call-api.js';
import { asOwner, getPostgresOf } from './support/postgres-of.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { until } from './support/until.js';

if (!hasPgBouncer) process.stderr.write('pgbouncer is not installed: a server behind it is not tested.\n');

describe.skipIf(!hasPgBouncer)('behind PgBouncer in transaction mode, with fewer connections than requests', () => {
  const sandbox = openSandbox();
  const dataDir = sandbox.newDataDir();
  let pooler: PgBouncer;
  /** The connection string that bypasses PgBouncer. */
  let direct: string;
  let env: Record<string, string>;
  let servers: [Server, Server];
  let tenant: Tenant;
  let accountId: string;
  let otherAccountId: string;
  /** Sends requests to both servers alternately. */
  let call: Call;

  beforeAll(async () => {
    // An embedded PostgreSQL serves as the external one. The servers use a second, empty database in it.
    await sandbox.startServer({ dataDir });
    const { connectionString } = await getPostgresOf(dataDir);
    await asOwner(connectionString, (client) => client.query('create database pooled'));
    const address = new URL(connectionString);
    address.pathname = '/pooled';
    direct = address.href;
    pooler = await startPgBouncer(direct, { connections: 3 });
    env = {
      DATABASE_URL: pooler.connectionString,
      DATABASE_POOL_MAX: '10',
      LOG_LEVEL: 'error',
      WEBHOOKS_ALLOW_HTTP: 'true',
      WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
    };
  });
  afterAll(() => pooler?.close());

  it('`migrate` creates the tables, even when two processes run it at the same time', async () => {
    const ended = await Promise.all([sandbox.runServer('migrate', { env }), sandbox.runServer('migrate', { env })]);
    for (const { exitCode, stderr } of ended) expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(await sandbox.runServer('migrate', { env })).toMatchObject({
      exitCode: 0,
      stdout: 'Nothing to apply; the database is up to date.\n',
    });
  });

  it('two servers start, and a new tenant opens accounts', async () => {
    servers = await Promise.all([sandbox.startServer({ env }), sandbox.startServer({ env })]);
    tenant = await createTenant(servers[0].origin);
    const calls = servers.map(({ origin }) => callsTo(origin, tenant.asUser));
    let turn = 0;
    call = (...request) => {
      turn += 1;
      return (calls[turn % calls.length] as Call)(...request);
    };
    const open = (name: string) =>
      succeed(call, 'POST /v1/financial/accounts', {
        body: { name, type: 'checking', openingBalanceDecimal: '100.00' },
      });
    accountId = (await open('Checking')).id;
    otherAccountId = (await open('Savings')).id;
  });

  it('a write with an idempotency key takes effect once, even when it is repeated or sent forty times concurrently', async () => {
    const write = (key: string) =>
      call('POST /v1/financial/movements', {
        headers: { 'Idempotency-Key': key },
        body: { type: 'expense', amountDecimal: '1.00', accountId },
      });
    const [first, again] = [await write('once'), await write('once')];
    expect([first.status, again.status, again.meta.idempotentReplay]).toEqual([201, 200, true]);
    expect(again.data).toEqual(first.data);
    const duplicates = await Promise.all(Array.from({ length: 40 }, () => write('duplicates')));
    expect(countByStatus(duplicates)).toEqual({ 200: 39, 201: 1 });
    expect(new Set(duplicates.map(({ data }) => data.id)).size).toBe(1);
    expect(await balances()).toEqual({ Checking: '98.00', Savings: '100.00' });
  });

  it('both balances are correct after forty concurrent transfers in both directions', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, position) => {
        const [fromAccountId, toAccountId] =
          position % 2 === 0 ? [accountId, otherAccountId] : [otherAccountId, accountId];
        const amountDecimal = position % 2 === 0 ? '2.00' : '1.00';
        return call('POST /v1/financial/transfers', {
          headers: { 'Idempotency-Key': randomUUID() },
          body: { amountDecimal, fromAccountId, toAccountId },
        });
      }),
    );
    expect(countByStatus(answers)).toEqual({ 201: 40 });
    expect(await balances()).toEqual({ Checking: '78.00', Savings: '120.00' });
  });

  it('exactly one of twenty concurrent corrections of one movement version succeeds, and GET /movements returns its result', async () => {
    const { data, headers } = await call('POST /v1/financial/movements', {
      headers: { 'Idempotency-Key': randomUUID() },
      body: { type: 'income', amountDecimal: '5.00', accountId, description: 'Corrected' },
    });
    const corrections = await Promise.all(
      Array.from({ length: 20 }, (_, position) =>
        call(`PATCH /v1/financial/movements/${data.id}`, {
          headers: { 'Idempotency-Key': randomUUID(), 'If-Match': headers.get('ETag') ?? '' },
          body: { amountDecimal: `${position + 6}.00` },
        }),
      ),
    );
    expect(countByStatus(corrections)).toEqual({ 200: 1, 409: 19 });
    const winner = corrections.find(({ status }) => status === 200);
    const { data: listed } = await call('GET /v1/financial/movements?limit=100&includeTotal=true');
    expect(listed.filter(({ description }: { description: string }) => description === 'Corrected')).toEqual([
      winner?.data,
    ]);
  });

  it('both servers refuse a revoked integration client, and no request reads data of another tenant over a shared connection', async () => {
    const { clientId, secret } = await succeed(call, 'POST /v1/financial/integration-clients', {
      body: { name: 'Soon revoked', scopes: ['accounts:read'] },
    });
    const headers = { Authorization: `Bearer ${secret}`, 'X-Service-Tracker-Id': tenant.trackerId };
    const otherTenant = await createTenant(servers[1].origin);
    const listAccounts = (position: number) =>
      callsTo(
        (servers[position % 2] as Server).origin,
        position % 3 === 0 ? otherTenant.asUser : headers,
      )('GET /v1/financial/accounts');
    const before = await Promise.all(Array.from({ length: 30 }, (_, position) => listAccounts(position)));
    expect(before.map(({ data }) => data.length)).toEqual(before.map((_, position) => (position % 3 === 0 ? 0 : 2)));
    expect(await call(`DELETE /v1/financial/integration-clients/${clientId}`)).toMatchObject({ status: 204 });
    const after = await Promise.all(Array.from({ length: 30 }, (_, position) => listAccounts(position)));
    expect(after.map(({ status }) => status)).toEqual(after.map((_, position) => (position % 3 === 0 ? 200 : 401)));
  });

  it('two servers deliver each event once to each webhook endpoint, and in order to an endpoint with maxInFlight 1', async () => {
    const client = await succeed(call, 'POST /v1/financial/integration-clients', {
      body: { name: 'Hooks', scopes: ['webhooks:write', 'movements:read'] },
    });
    const asClient = callsTo(servers[0].origin, {
      Authorization: `Bearer ${client.secret}`,
      'X-Service-Tracker-Id': tenant.trackerId,
    });
    const open = async (maxInFlight: number) => {
      const receiver = await startFickleReceiver({ random: seededRandom(1, `${maxInFlight}`), share: 0, hangsMax: 0 });
      const endpoint = await succeed(asClient, 'POST /v1/financial/webhooks', {
        body: { url: receiver.url, eventTypes: ['movement.created'], maxInFlight },
      });
      receiver.secret = endpoint.secret;
      return { receiver, id: endpoint.id as string };
    };
    const [inOrder, inAnyOrder] = [await open(1), await open(16)];
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        call('POST /v1/financial/movements', {
          headers: { 'Idempotency-Key': randomUUID() },
          body: { type: 'expense', amountDecimal: '0.01', accountId },
        }),
      ),
    );
    expect(countByStatus(answers)).toEqual({ 201: 100 });
    const events = await asOwner(direct, async (owner) => {
      await until('all deliveries are recorded and the leases have ended', async () => {
        const { rows } = await owner.query(
          `select from app.webhook_endpoints e where e.id = any ($1) and e.leased_by is null and 100 = (
             select count(*) from app.webhook_deliveries d where d.endpoint_id = e.id and d.status = 'succeeded')`,
          [[inOrder.id, inAnyOrder.id]],
        );
        return rows.length === 2;
      });
      const { rows } = await owner.query<{ id: string }>(
        `select e.id from app.events e join app.webhook_deliveries d on d.event_id = e.id and d.endpoint_id = $1
         order by e.sequence`,
        [inOrder.id],
      );
      return rows.map(({ id }) => id);
    });
    for (const { receiver } of [inOrder, inAnyOrder]) receiver.close();
    expect(inOrder.receiver.seen.map(({ eventId }) => eventId)).toEqual(events);
    expect(inAnyOrder.receiver.seen.map(({ eventId }) => eventId).sort()).toEqual(events.sort());
    const seen = [...inOrder.receiver.seen, ...inAnyOrder.receiver.seen];
    expect(seen.filter(({ isVerified }) => !isVerified)).toEqual([]);
  });

  it('`check` reports "0 contradictions", and both servers shut down with exit code 0', async () => {
    const { exitCode, stdout } = await sandbox.runServer('check', { env });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Checked \d+ balances and 40 transfers: 0 contradictions\.$/m);
    for (const server of servers) expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  async function balances(): Promise<Record<string, string>> {
    const { data } = await call('GET /v1/financial/balances');
    return Object.fromEntries(
      data.map((one: { accountName: string; balanceDecimal: string }) => [one.accountName, one.balanceDecimal]),
    );
  }
});

/** Counts the responses by status. */
function countByStatus(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
