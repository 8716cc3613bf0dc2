import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { generate } from 'otplib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, startRedis, type TestRedis } from '../../apps/server/test-support/start-redis.js';
import { runConcurrently } from '../proof/support/run-concurrently.js';
import { openProgram } from '../proof/support/tenants.js';
import { type Answer, type Call, callsTo } from './support/call-api.js';
import { countMovements, createHousehold, type Household, showBalances } from './support/household.js';
import { getPostgresOf } from './support/postgres-of.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { findWorkers } from './support/workers-of.js';

if (!hasRedis) process.stderr.write('redis-server is not installed: limits shared by processes are not tested.\n');

const count = 3;
/** Turns off the rate limits that the sandbox leaves on, because several processes with rate limits need Redis. */
const unlimited = { RATE_LIMIT_ADMIN_PER_MINUTE: '0', RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' };
const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let server: Server;
let household: Household;
let accountId: string;
/** Sends requests as the household's user, each on a new connection, so that they reach all processes. */
let call: Call;

beforeAll(async () => {
  const env = { ...unlimited, CENTAVO_PROCESSES: String(count), LOG_LEVEL: 'info' };
  server = await sandbox.startServer({ dataDir, env });
  household = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
  ({ id: accountId } = await household.centavo.show('accounts create Checking'));
  call = onNewConnections(household.callsTo(server.origin));
});

const onNewConnections =
  (through: Call): Call =>
  (methodAndPath, options = {}) =>
    through(methodAndPath, { ...options, headers: { Connection: 'close', ...options.headers } });

const repeat = <Result>(many: number, act: (position: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: many }, (_, position) => act(position)));

/** Counts the responses by status. */
function countByStatus(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/**
 * Calls `act`, which sends many requests to a route, until every process has responded during a single call. A call may miss a
 * process, because the operating system chooses the process that accepts a connection.
 */
async function repeatUntilAllAnswer(route: string, act: () => Promise<void>): Promise<void> {
  for (let round = 1; round <= 20; round += 1) {
    const before = server.output.length;
    await act();
    const lines = server.output.slice(before).split('\n');
    const answers = lines.filter((line) => line.includes(`"route":"${route}"`)).map((line) => JSON.parse(line));
    if (new Set(answers.map(({ pid }) => pid)).size === count) return;
  }
  throw new Error(`No round got responses from all ${count} processes.`);
}

describe(`${count} processes on one port`, () => {
  it('are children of the started process, which prints one startup message for all of them', async () => {
    const workers = await findWorkers(server, count);
    expect(workers).toHaveLength(count);
    expect(workers).not.toContain(server.pid);
    expect(server.output.match(/^Centavo is ready/gm)).toHaveLength(1);
  });

  it('record one movement when all of them get requests with the same idempotency key concurrently', async () => {
    let rounds = 0;
    await repeatUntilAllAnswer('/v1/financial/movements', async () => {
      rounds += 1;
      const key = randomUUID();
      const body = { type: 'expense', amountDecimal: '12.50', accountId };
      const answers = await repeat(60, () =>
        call('POST /v1/financial/movements', { headers: { 'Idempotency-Key': key }, body }),
      );
      expect(countByStatus(answers)).toEqual({ 200: 59, 201: 1 });
      expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    });
    expect(await countMovements(call)).toBe(rounds);
    expect(await showBalances(household.centavo)).toEqual({ Checking: `-${(12.5 * rounds).toFixed(2)}` });
  });

  it('open at most 2 × cores + 1 connections per process to an embedded PostgreSQL', async () => {
    await repeat(300, () => call('GET /v1/financial/balances'));
    const { connectionString } = await getPostgresOf(dataDir);
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query(
      `select count(*)::integer as open from pg_stat_activity where application_name = 'centavo-server'`,
    );
    await client.end();
    expect(rows[0].open).toBeLessThanOrEqual(count * (2 * availableParallelism() + 1));
  });

  it('all refuse an integration client after the response that confirms its revocation', async () => {
    const route = '/v1/financial/accounts';
    const { data } = await call('POST /v1/financial/integration-clients', {
      body: { name: 'Soon revoked', scopes: ['accounts:read'] },
    });
    const headers = { Authorization: `Bearer ${data.secret}`, 'X-Service-Tracker-Id': household.trackerId };
    const asProgram = onNewConnections(callsTo(server.origin, headers));
    const list = () => repeat(12, () => asProgram(`GET ${route}`));
    // Each process accepts the secret before its revocation.
    await repeatUntilAllAnswer(route, async () => expect(countByStatus(await list())).toEqual({ 200: 12 }));
    const revoked = await call(`DELETE /v1/financial/integration-clients/${data.clientId}`);
    expect(revoked.status).toBe(204);
    await repeatUntilAllAnswer(route, async () => {
      const refused = await list();
      expect(countByStatus(refused)).toEqual({ 401: 12 });
      expect(new Set(refused.map(({ error }) => error.code))).toEqual(new Set(['CREDENTIAL_REVOKED']));
    });
  });

  it('accept a one-time code once; of 29 further requests with the code, at most five get 401 and the others 429', async () => {
    const asUser = onNewConnections(callsTo(server.origin, { Authorization: `Bearer ${household.token}` }));
    const enrolment = await asUser('POST /v1/identity/totp');
    const codeAt = (steps: number) =>
      generate({ secret: enrolment.data.secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
    const confirmed = await asUser('POST /v1/identity/totp/confirm', { body: { code: await codeAt(0) } });
    expect(confirmed.status).toBe(200);
    const code = await codeAt(1);
    const {
      200: accepted,
      401: used = 0,
      429: rateLimited = 0,
    } = countByStatus(await repeat(30, () => asUser('POST /v1/identity/totp/verify', { body: { code } })));
    expect(accepted).toBe(1);
    expect(used).toBeLessThanOrEqual(5);
    expect(1 + used + rateLimited).toBe(30);
  });

  it('include the requests of all workers in the metrics that each worker returns', async () => {
    const path = '/v1/financial/budgets';
    const counted = async () => {
      const text = await (await fetch(`${server.origin}/metrics`, { headers: { Connection: 'close' } })).text();
      const line = new RegExp(
        `^centavo_http_requests_total\\{route="${path}",method="GET",status="200"\\} (\\d+)$`,
        'm',
      );
      return Number(line.exec(text)?.[1] ?? 0);
    };
    let sent = 0;
    await repeatUntilAllAnswer(path, async () => {
      sent += (await repeat(30, () => call(`GET ${path}`))).length;
    });
    await repeatUntilAllAnswer('/metrics', async () =>
      expect(new Set(await repeat(30, counted))).toEqual(new Set([sent])),
    );
  });
});

describe.skipIf(!hasRedis)(`${count} processes that share a Redis`, () => {
  let redis: TestRedis;
  let limited: Server;
  const limit = 30;

  beforeAll(async () => {
    redis = await startRedis();
    const env = {
      CENTAVO_PROCESSES: String(count),
      REDIS_URL: redis.url,
      LOG_LEVEL: 'info',
      RATE_LIMIT_READS_PER_MINUTE: String(limit),
      RATE_LIMIT_ADMIN_PER_MINUTE: '0',
    };
    limited = await sandbox.startServer({ dataDir, env });
  });
  afterAll(() => redis?.close());

  const countInLog = (words: string) => limited.output.split(words).length - 1;

  it('count all requests of a caller against one rate limit', async () => {
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      const { Authorization } = await openProgram(limited.origin, { Authorization: `Bearer ${household.token}` });
      const headers = { Authorization, 'X-Service-Tracker-Id': household.trackerId };
      const asProgram = onNewConnections(callsTo(limited.origin, headers));
      const lossesBefore = countInLog('Redis does not answer');
      const wasShared = lossesBefore === countInLog('Redis answers again');
      const startedAtMs = performance.now();
      // Sends as many requests as all processes together would allow if each had its own limit.
      const answers = await runConcurrently({ times: count * limit, concurrency: 12 }, () =>
        asProgram('GET /v1/financial/accounts'),
      );
      const refilled = Math.ceil(((performance.now() - startedAtMs) / 60_000) * limit);
      // Ignores the result if a process lost Redis for a moment, because the limits were not shared then.
      if (!wasShared || countInLog('Redis does not answer') > lossesBefore) continue;
      const { 200: allowed = 0, 429: refused = 0 } = countByStatus(answers);
      expect(allowed + refused).toBe(count * limit);
      expect(allowed).toBeGreaterThanOrEqual(limit);
      expect(allowed).toBeLessThanOrEqual(limit + refilled);
      return;
    }
    throw new Error('Every attempt lost the connection to Redis.');
  });
});

describe('several processes without shared rate limits', () => {
  it('are refused at the start; the message names the settings to change', async () => {
    const env = { CENTAVO_PROCESSES: String(count) };
    const { exitCode, stdout, stderr } = await sandbox.runServer('start', { dataDir: sandbox.newDataDir(), env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/CENTAVO_PROCESSES is "3".*set REDIS_URL.*RATE_LIMIT_ADMIN_PER_MINUTE/);
  });
});
