import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Call, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { type PausedJobs, pauseBackgroundJobs } from './support/pause-background-jobs.js';
import { isLate, isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { addRecords, drawWrite, type KnownRecords, openRecords, type RandomWrite } from './support/random-writes.js';
import { seededRandom } from './support/seeded-random.js';
import { newTally } from './support/tally.js';
import { registerUser, succeed } from './support/tenants.js';

const requestsMax = isLong ? 20_000 : 300;
/** The number of dry runs between two checksums. */
const batch = 20;
// A new user takes over after this number of dry runs, because an access token is valid for only a quarter of an hour.
const requestsPerUser = 1_000;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let origin: string;
let owner: pg.Client;
let paused: PausedJobs;

beforeAll(async () => {
  ({ origin } = await sandbox.startServer({ dataDir }));
  const { connectionString } = await getPostgresOf(dataDir);
  owner = new pg.Client({ connectionString });
  await owner.connect();
  // Otherwise the background jobs would change tables between two checksums.
  paused = await pauseBackgroundJobs(connectionString);
});
afterAll(async () => {
  await paused.resume();
  await owner.end();
});

const violations = newTally(
  'tables that dry runs changed',
  'answers 5xx',
  'statuses that differ from the write',
  'results that differ from the write',
  'effects that differ from the balances',
  'dry runs with ETag or Location',
);
const seen = newTally('dryRuns', 'refused', 'replayed', 'withEffects');
const differences: string[] = [];

/** Returns a checksum of all rows of each table. */
async function readChecksums(): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const sums: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await owner.query(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as sum from ${name} t`,
    );
    sums[name] = found.rows[0].sum;
  }
  return sums;
}

async function readBalances(): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ id: string; balance: string }>('select id, balance::text from app.cashboxes');
  return new Map(rows.map(({ id, balance }) => [id, balance]));
}

/** Sends a dry run of a write, with the idempotency key of the write or without a key. */
function sendDryRun(call: Call, { methodAndPath, headers, body }: RandomWrite, hasKey: boolean): Promise<Answer> {
  const { 'Idempotency-Key': key, ...others } = headers;
  const sent = hasKey && key !== undefined ? headers : others;
  return call(`${methodAndPath}?dryRun=true`, { headers: sent, ...(body === undefined ? {} : { body }) });
}

/** Sends a dry run and then the write itself, and compares the two. Returns the response to the write. */
async function compare(write: RandomWrite, call: Call): Promise<Answer> {
  const dryRun = await sendDryRun(call, write, true);
  const before = await readBalances();
  const done = await call(write.methodAndPath, { headers: write.headers, ...(write.body && { body: write.body }) });
  const after = await readBalances();
  const note = (violation: keyof typeof violations) => {
    violations[violation] += 1;
    differences.push(`${violation}: ${JSON.stringify({ write, dryRun, done })}`);
  };
  if (Math.max(dryRun.status, done.status) >= 500) note('answers 5xx');
  if (done.status >= 400) {
    seen.refused += 1;
    if (dryRun.status !== done.status) note('statuses that differ from the write');
    else if (JSON.stringify(dryRun.error) !== JSON.stringify(done.error)) note('results that differ from the write');
    return done;
  }
  const isReplay = done.meta.idempotentReplay === true;
  if (isReplay) seen.replayed += 1;
  if (dryRun.status !== 200) note('statuses that differ from the write');
  else if (!isSame(dryRun.data, done.data) || dryRun.meta.idempotentReplay !== done.meta.idempotentReplay) {
    note('results that differ from the write');
  }
  const hasHeaders = dryRun.headers.has('Location') || (dryRun.headers.has('ETag') && !isReplay);
  if (hasHeaders) note('dry runs with ETag or Location');
  const moved = [...after].filter(([id, balance]) => before.has(id) && before.get(id) !== balance);
  const expected = moved.sort(([one], [other]) => (one < other ? -1 : 1)).map(([id, balance]) => [id, Number(balance)]);
  const effects = (dryRun.meta?.effects?.balances ?? []) as { cashboxId: string; afterDecimal: string }[];
  if (effects.length > 0) seen.withEffects += 1;
  const found = effects.map(({ cashboxId, afterDecimal }) => [cashboxId, Number(afterDecimal)]);
  if (JSON.stringify(found) !== JSON.stringify(expected)) note('effects that differ from the balances');
  return done;
}

const generated = new Set([
  'id',
  'groupId',
  'transferGroupId',
  'movementId',
  'accountId',
  'budgetId',
  'createdAt',
  'updatedAt',
]);

/**
 * Returns whether a dry run and the write returned the same data. Generated values may be null in the dry run, and the times of a void
 * may differ.
 */
function isSame(dryRun: unknown, done: unknown, name = ''): boolean {
  if (Array.isArray(dryRun) && Array.isArray(done)) {
    return dryRun.length === done.length && dryRun.every((item, index) => isSame(item, done[index]));
  }
  if (isRecord(dryRun) && isRecord(done)) {
    const fields = Object.keys(dryRun);
    return (
      fields.join() === Object.keys(done).join() && fields.every((field) => isSame(dryRun[field], done[field], field))
    );
  }
  if (dryRun === null && done !== null) return generated.has(name);
  return dryRun === done || (name === 'voidedAt' && typeof dryRun === typeof done);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function openTracker(user: { readonly headers: Readonly<Record<string, string>> }): Promise<Call> {
  const { id } = await succeed(callsTo(origin, user.headers), 'POST /v1/financial/trackers', {
    body: { name: 'Household', currencyCode: 'EUR', timeZone: 'Europe/Madrid' },
  });
  return callsTo(origin, { ...user.headers, 'X-Service-Tracker-Id': id });
}

it(
  'a dry run changes no table, and returns the same response as the write that follows, except for generated values',
  async () => {
    const random = seededRandom(proofSeed, 'writes');
    let user = await registerUser(origin);
    let tracker: { call: Call; known: KnownRecords } | undefined;
    while (seen.dryRuns < requestsMax && !isLate()) {
      if (tracker === undefined || seen.dryRuns % requestsPerUser === 0) {
        if (tracker !== undefined) user = await registerUser(origin);
        const call = await openTracker(user);
        tracker = { call, known: await openRecords(call) };
      }
      const writes: RandomWrite[] = [];
      while (writes.length < batch) writes.push(await drawWrite(random, tracker));
      const before = await readChecksums();
      for (const write of writes) await sendDryRun(tracker.call, write, random.hits(0.5));
      const after = await readChecksums();
      const changed = Object.keys(after).filter((name) => before[name] !== after[name]);
      violations['tables that dry runs changed'] += changed.length;
      if (changed.length > 0) differences.push(`changed: ${changed}`);
      seen.dryRuns += batch;
      // Sends each write for real, immediately after a second dry run of the same write.
      for (const write of writes) {
        const done = await compare(write, tracker.call);
        if (done.status < 300) addRecords(tracker.known, done, write);
      }
    }

    await recordProof({
      id: 'T30',
      promise:
        'A dry run changes no table, and returns the same response as the write that follows it, except for generated values',
      seed: proofSeed,
      injected: { ...seen, tables: Object.keys(await readChecksums()).length },
      violations,
    });
    expect(differences.slice(0, 3)).toEqual([]);
    expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
  },
  proofMsMax,
);
