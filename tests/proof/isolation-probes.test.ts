import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { createFullTenant, type FullTenant } from './support/create-full-tenant.js';
import { type PausedJobs, pauseBackgroundJobs } from './support/pause-background-jobs.js';
import { contextsOf, probeAll } from './support/probe-contexts.js';
import { isLong, recordProof } from './support/proof-record.js';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from './support/start-pgbouncer.js';
import { newTally } from './support/tally.js';
import { succeed } from './support/tenants.js';

if (!hasPgBouncer) process.stderr.write('pgbouncer is not installed: the proofs behind a pooler are skipped.\n');

const rounds = isLong ? 100 : 3;
const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let connectionString: string;
let origin: string;
let tenants: [FullTenant, FullTenant, FullTenant];
let paused: PausedJobs;

beforeAll(async () => {
  ({ origin } = await sandbox.startServer({ dataDir }));
  ({ connectionString } = await getPostgresOf(dataDir));
  tenants = await Promise.all([createFullTenant(origin), createFullTenant(origin), createFullTenant(origin)]);
  paused = await pauseBackgroundJobs(connectionString);
  // All events of the tenants are numbered now. The following movement of each tenant adds a pending event, which has no number yet.
  for (const { asUser, accountId } of tenants) {
    const expense = { type: 'expense', amountDecimal: '1.00', accountId };
    await succeed(callsTo(origin, asUser), 'POST /v1/financial/movements', {
      headers: { 'Idempotency-Key': randomUUID() },
      body: expense,
    });
  }
});
afterAll(() => paused?.resume());

async function probe(through: string, description: string): Promise<void> {
  const client = new pg.Client({ connectionString: through });
  await client.connect();
  const { counts, violations } = await probeAll(client, contextsOf(tenants));
  await client.end();
  await recordProof({
    id: 'T8',
    promise: `The database role that runs requests can read and change only rows of the authenticated user, whatever SQL it runs ${description}`,
    seed: null,
    injected: counts,
    violations: { any: violations.length },
  });
  expect(violations).toEqual([]);
  expect(counts.probes).toBeGreaterThan(1_000);
}

describe('the database role of requests', () => {
  it('sees and changes no rows of other tenants, in any table, with any operation, whatever user and tracker it claims', () =>
    probe(connectionString, 'over a direct connection'));
});

describe.skipIf(!hasPgBouncer)('behind PgBouncer in transaction mode', () => {
  let pooler: PgBouncer;

  beforeAll(async () => {
    pooler = await startPgBouncer(connectionString, { connections: 3 });
  });
  afterAll(() => pooler?.close());

  it('the database role of requests sees and changes no rows of other tenants', () =>
    probe(pooler.connectionString, 'through PgBouncer in transaction mode'));

  it('the server returns the same responses as without a pooler, and leaves no state on the shared connections', async () => {
    const pooled = await sandbox.startServer({ env: { DATABASE_URL: pooler.connectionString } });
    const seen = newTally('recorded', 'replayed', 'transferred', 'corrected', 'read');
    const violations = newTally('refused', 'otherId', 'foreignRows', 'drift', 'stateLeftInTheSession');
    const count = (kind: keyof typeof seen, answer: Answer, status: number) => {
      seen[kind] += 1;
      if (answer.status !== status) violations.refused += 1;
      return answer;
    };
    await Promise.all(
      tenants.map(async ({ asProgram, accountId, otherAccountId, trackerId }) => {
        const call = callsTo(pooled.origin, asProgram);
        const balances = async () => {
          const { data } = count('read', await call('GET /v1/financial/balances'), 200);
          return Object.fromEntries(data.map((row: Answer['data']) => [row.accountId, Number(row.balanceDecimal)]));
        };
        const before = await balances();
        const round = async () => {
          const write = (path: string, body: unknown, key = randomUUID(), headers = {}) =>
            call(path, { headers: { 'Idempotency-Key': key, ...headers }, body });
          const key = randomUUID();
          const expense = { type: 'expense', amountDecimal: '1.00', accountId };
          const first = count('recorded', await write('POST /v1/financial/movements', expense, key), 201);
          const again = count('replayed', await write('POST /v1/financial/movements', expense, key), 200);
          if (again.data?.id !== first.data?.id || again.meta?.idempotentReplay !== true) violations.otherId += 1;
          const transfer = { amountDecimal: '2.00', fromAccountId: accountId, toAccountId: otherAccountId };
          count('transferred', await write('POST /v1/financial/transfers', transfer), 201);
          const ifMatch = { 'If-Match': first.headers.get('ETag') ?? '' };
          const path = `PATCH /v1/financial/movements/${first.data?.id}`;
          count('corrected', await write(path, { amountDecimal: '3.00' }, randomUUID(), ifMatch), 200);
          const { data } = count('read', await call('GET /v1/financial/movements?limit=200'), 200);
          violations.foreignRows += data.filter((row: Answer['data']) => row.trackerId !== trackerId).length;
        };
        // Runs several rounds concurrently, so that each connection serves several tenants.
        await Promise.all(Array.from({ length: 4 }, () => repeat(rounds, round)));
        const after = await balances();
        // Each round spends 3.00 (the corrected expense) and transfers 2.00 to the other account.
        const isAsWritten =
          after[accountId] === before[accountId] - 5 * 4 * rounds &&
          after[otherAccountId] === before[otherAccountId] + 2 * 4 * rounds;
        if (!isAsWritten) violations.drift += 1;
      }),
    );
    const { exitCode } = await sandbox.runServer('check', { env: { DATABASE_URL: pooler.connectionString } });
    if (exitCode !== 0) violations.drift += 1;
    violations.stateLeftInTheSession = await countStateLeft(pooler.connectionString);
    await pooled.kill('SIGTERM');

    await recordProof({
      id: 'T8',
      promise: 'Behind PgBouncer in transaction mode, the server writes and reads as it does without PgBouncer',
      seed: null,
      injected: { tenants: tenants.length, connections: 3, ...seen },
      violations,
    });
    expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
  });
});

async function repeat(times: number, act: () => Promise<void>): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) await act();
}

/**
 * Counts the state that transactions left on connections for the next client: settings, a role, locks, prepared statements. Omits
 * the statements that the server prepared before it detected the pooler. Their names are BEGIN, BEGIN READ ONLY, COMMIT, or a hash
 * of SQL without values.
 */
async function countStateLeft(through: string): Promise<number> {
  const clients = Array.from({ length: 3 }, () => new pg.Client({ connectionString: through }));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    // Opens a transaction on each client, so that no two clients share a connection of the pooler.
    await Promise.all(clients.map((client) => client.query('begin')));
    const found = await Promise.all(
      clients.map((client) =>
        client.query<{ n: number }>(
          `select (current_user <> session_user)::int
             + (select count(*)::int from unnest(array['user_id', 'tracker_id', 'principal_root']) as name
                where coalesce(current_setting('app.' || name, true), '') <> '')
             + (select count(*)::int from pg_prepared_statements where name !~ '^(c[0-9a-f]{24}|BEGIN|BEGIN READ ONLY|COMMIT)$')
             + (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as n`,
        ),
      ),
    );
    await Promise.all(clients.map((client) => client.query('commit')));
    return found.reduce((sum, { rows }) => sum + (rows[0]?.n ?? 0), 0);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
