import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Call, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { drawBelow, drawFrom } from './support/draw.js';
import { isLate, isLong, proofSeed, recordProof } from './support/proof-record.js';
import { type SeededRandom, seededRandom } from './support/seeded-random.js';
import { newTally } from './support/tally.js';
import { createTenant, succeed } from './support/tenants.js';

const clients = 16;
const readers = 2;
const transfers = isLong ? 100_000 : 600;
const readsMin = isLong ? 20_000 : 100;
const openingCents = 100_000n;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let calls: Call[];
let owner: pg.Client;
let cashboxes: { accountId: string; cashboxId: string }[];

// Two processes, so that the sum depends on the database and not on the memory of one process.
beforeAll(async () => {
  const servers = [await sandbox.startServer({ dataDir }), await sandbox.startServer({ dataDir })];
  const origin = servers[0]?.origin ?? '';
  const { asUser, asProgram } = await createTenant(origin);
  calls = servers.map((server) => callsTo(server.origin, asProgram));
  cashboxes = await openCashboxes(callsTo(origin, asUser));
  const { connectionString } = await getPostgresOf(dataDir);
  owner = new pg.Client({ connectionString });
  await owner.connect();
});
afterAll(() => owner.end());

/** Creates four accounts with two cashboxes each, so that some transfers are within one account. */
async function openCashboxes(call: Call): Promise<typeof cashboxes> {
  const opened: typeof cashboxes = [];
  for (const name of ['North', 'East', 'South', 'West']) {
    const openingBalanceDecimal = decimalOf(openingCents);
    const account = await succeed(call, 'POST /v1/financial/accounts', {
      body: {
        name,
        type: 'cash',
        cashboxes: ['Left', 'Right'].map((side) => ({ name: side, openingBalanceDecimal })),
      },
    });
    for (const { id } of account.cashboxes) opened.push({ accountId: account.id, cashboxId: id });
  }
  return opened;
}

const violations = newTally(
  'reads that do not add up',
  'reads refused',
  'transfers refused',
  'deadlocks answered',
  'answers 5xx',
  'deadlocks in PostgreSQL',
  'balances that differ from the responses',
  'contradictions that `check` found',
);
let transfersLeft = transfers;
let reads = 0;
const expected = new Map<string, bigint>();

async function transferRepeatedly(client: number, random: SeededRandom): Promise<void> {
  for (let turn = client; transfersLeft > 0 && !isLate(); turn += 1) {
    transfersLeft -= 1;
    const [from, to] = chooseTwo(random);
    const cents = BigInt(1 + drawBelow(random, 50_000));
    const answer = await callOf(turn)('POST /v1/financial/transfers', {
      headers: { 'Idempotency-Key': randomUUID() },
      body: {
        amountDecimal: decimalOf(cents),
        fromAccountId: from.accountId,
        fromCashboxId: from.cashboxId,
        toAccountId: to.accountId,
        toCashboxId: to.cashboxId,
      },
    });
    if (answer.status === 201) {
      expected.set(from.cashboxId, (expected.get(from.cashboxId) ?? openingCents) - cents);
      expected.set(to.cashboxId, (expected.get(to.cashboxId) ?? openingCents) + cents);
    } else {
      violations['transfers refused'] += 1;
      if (answer.status >= 500) violations['answers 5xx'] += 1;
      if (/deadlock/i.test(JSON.stringify(answer.error))) violations['deadlocks answered'] += 1;
    }
  }
}

/**
 * Returns two cashboxes. At least half of the calls return the first two, in either order. So there are many concurrent transfers in
 * opposite directions, which could deadlock.
 */
function chooseTwo(random: SeededRandom): [(typeof cashboxes)[number], (typeof cashboxes)[number]] {
  const among = random.hits(0.5) ? cashboxes.slice(0, 2) : cashboxes;
  const from = drawFrom(random, among);
  return [
    from,
    drawFrom(
      random,
      among.filter((cashbox) => cashbox !== from),
    ),
  ];
}

async function readRepeatedly(reader: number): Promise<void> {
  for (let turn = reader; (transfersLeft > 0 || reads < readsMin) && !isLate(); turn += 1) {
    reads += 1;
    const balances = await readBalances(turn);
    if (balances === undefined) violations['reads refused'] += 1;
    else if (!addsUp([...balances.values()])) violations['reads that do not add up'] += 1;
  }
}

async function readBalances(turn: number): Promise<Map<string, bigint> | undefined> {
  const { status, data } = await callOf(turn)('GET /v1/financial/balances');
  if (status !== 200) return undefined;
  return new Map(
    (data as { cashboxId: string; balanceDecimal: string }[]).map((row) => [
      row.cashboxId,
      centsOf(row.balanceDecimal),
    ]),
  );
}

const callOf = (turn: number) => calls[turn % calls.length] as Call;
const addsUp = (balances: readonly bigint[]) =>
  balances.length === cashboxes.length &&
  balances.reduce((sum, balance) => sum + balance, 0n) === openingCents * BigInt(cashboxes.length);

/**
 * Counts the deadlocks. Ends the current connections of the servers first, because PostgreSQL may delay the statistics of a connection
 * until the connection ends. The servers open new connections at once, but no transfer uses them.
 */
async function countDeadlocks(): Promise<number> {
  const { rows: ended } = await owner.query(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const pids = ended.map(({ pid }) => pid);
  const remaining = 'select count(*)::int as n from pg_stat_activity where pid = any ($1)';
  await until('the connections have ended', async () => (await owner.query(remaining, [pids])).rows[0].n === 0);
  const { rows } = await owner.query(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  );
  return rows[0].n;
}

it('the server keeps the sum of eight cashboxes constant while sixteen clients transfer between them', async () => {
  await Promise.all([
    ...Array.from({ length: clients }, (_, client) =>
      transferRepeatedly(client, seededRandom(proofSeed, `client ${client}`)),
    ),
    ...Array.from({ length: readers }, (_, reader) => readRepeatedly(reader)),
  ]);

  const balances = await readBalances(0);
  const wrong = cashboxes.filter(
    ({ cashboxId }) => balances?.get(cashboxId) !== (expected.get(cashboxId) ?? openingCents),
  );
  violations['balances that differ from the responses'] = wrong.length;
  const { exitCode } = await sandbox.runServer('check', { dataDir });
  violations['contradictions that `check` found'] = exitCode === 0 ? 0 : 1;
  // The server takes locks in a fixed order, so there must be no deadlock. Clients would not notice one, because the server retries.
  violations['deadlocks in PostgreSQL'] = await countDeadlocks();
  await recordProof({
    id: 'T5',
    promise: 'While clients transfer in both directions, all reads of the balances add up, and no deadlock occurs',
    seed: proofSeed,
    injected: { transfers: transfers - transfersLeft, clients, cashboxes: cashboxes.length, reads },
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});

function centsOf(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}

function decimalOf(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
