import { randomUUID } from 'node:crypto';
import { FinancialClient, isAuditChainError, verifyAuditChain } from '@centavo/sdk';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { drawFrom } from './support/draw.js';
import { type PausedJobs, pauseBackgroundJobs } from './support/pause-background-jobs.js';
import { isLate, isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { type SeededRandom, seededRandom } from './support/seeded-random.js';
import { newTally } from './support/tally.js';
import { createTenant, succeed, type Tenant } from './support/tenants.js';

// Each round edits most trackers once, checks all trackers with one command, and reverts the edits.
const trackers = isLong ? 24 : 8;
const rounds = isLong ? 100 : 3;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let origin: string;
let owner: pg.Client;
let paused: PausedJobs;
const tenants: Tenant[] = [];

beforeAll(async () => {
  ({ origin } = await sandbox.startServer({ dataDir, env: { RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' } }));
  tenants.push(...(await Promise.all(Array.from({ length: trackers }, createTenantWithRecords))));
  const { connectionString } = await getPostgresOf(dataDir);
  paused = await pauseBackgroundJobs(connectionString);
  owner = new pg.Client({ connectionString });
  await owner.connect();
}, proofMsMax);

afterAll(async () => {
  await owner.end();
  await paused.resume();
});

/** Creates a tracker with accounts, movements, transfers and corrections. */
async function createTenantWithRecords(): Promise<Tenant> {
  const tenant = await createTenant(origin);
  const call = callsTo(origin, tenant.asUser);
  const keyed = () => ({ 'Idempotency-Key': randomUUID() });
  const open = (name: string) => succeed(call, 'POST /v1/financial/accounts', { body: { name, type: 'cash' } });
  const [one, other] = [await open('One'), await open('Other')];
  const movement = { type: 'expense', amountDecimal: '2.00', accountId: one.id };
  for (let count = 0; count < 4; count += 1) {
    const { id } = await succeed(call, 'POST /v1/financial/movements', { headers: keyed(), body: movement });
    const read = await call(`GET /v1/financial/movements/${id}`);
    await succeed(call, `PATCH /v1/financial/movements/${id}`, {
      headers: { ...keyed(), 'If-Match': read.headers.get('etag') ?? '' },
      body: { description: `Corrected ${count}` },
    });
  }
  for (let count = 0; count < 2; count += 1) {
    await succeed(call, 'POST /v1/financial/transfers', {
      headers: keyed(),
      body: { amountDecimal: '1.00', fromAccountId: one.id, toAccountId: other.id },
    });
  }
  await succeed(call, `PATCH /v1/financial/accounts/${one.id}`, { body: { name: 'First' } });
  return tenant;
}

/** An edit that a superuser makes in the database. */
interface Edit {
  /** The statement, with the tracker as $1 and a random text as $2. It returns the id that the check must name. */
  readonly sql: string;
  /** Whether the SDK must detect the edit. The SDK verifies numbered events, but neither pending events nor records. */
  readonly isInEvents: boolean;
  /** Whether the edit deletes an event, so that the check can name only an adjacent event. */
  readonly isRemoval?: true;
  /** Whether the test numbers the pending events before the check. */
  readonly isNumbered?: true;
}

const ofEvent = (set: string, where = ''): Edit => ({
  sql: `update app.events set ${set} where ctid = (
    select ctid from app.events where tracker_id = $1 ${where} order by md5(id::text || $2) limit 1) returning id`,
  isInEvents: true,
});
const ofRecord = (table: string, set: string, where = ''): Edit => ({
  sql: `update ${table} set ${set} where ctid = (
    select ctid from ${table} where tracker_id = $1 ${where} order by md5(id::text || $2) limit 1)
    returning ${table === 'app.movements' ? 'coalesce(transfer_group_id, id)' : 'id'} as id`,
  isInEvents: false,
});
const eventColumns = `tracker_id, id, occurred_at, user_id, credential_id, action, resource_type, resource_id, change, request_id, salt,
  change_digest, state_digest`;

/** Inserts a copy of an event into the table of pending events. */
const insertAgain = `insert into app.audit_events (${eventColumns}) select ${eventColumns} from app.events
  where tracker_id = $1 order by md5(id::text || $2) limit 1 returning id`;

const edits: readonly Edit[] = [
  ofEvent(`occurred_at = occurred_at - interval '1 second'`),
  ofEvent('user_id = gen_random_uuid()'),
  ofEvent('credential_id = gen_random_uuid()'),
  ofEvent(`action = 'movement.voided'`),
  ofEvent('resource_id = gen_random_uuid()::text'),
  ofEvent('request_id = gen_random_uuid()'),
  ofEvent('hash = sha256(hash)'),
  ofEvent('state_digest = sha256(state_digest)', 'and state_digest is not null'),
  ofEvent(`change = '{"description": [null, "Nothing"]}'`),
  ofEvent('change = null', `and action = 'movement.corrected'`),
  ofEvent('salt = substring(sha256(salt) from 1 for 16)', `and action = 'movement.corrected'`),
  {
    sql: `delete from app.events where ctid = (
      select ctid from app.events where tracker_id = $1 order by md5(id::text || $2) limit 1) returning id`,
    isInEvents: true,
    isRemoval: true,
  },
  { sql: insertAgain, isInEvents: false },
  { sql: insertAgain, isInEvents: false, isNumbered: true },
  ofRecord('app.movements', 'amount = amount + 1'),
  ofRecord('app.movements', `description = 'Nothing'`),
  ofRecord('app.movements', `occurred_on = occurred_on - 1`),
  ofRecord('app.movements', `voided_at = now()`, 'and transfer_group_id is null'),
  ofRecord('app.accounts', `name = 'Nothing'`),
  ofRecord('app.accounts', `status = 'archived'`),
  ofRecord('app.cashboxes', 'opening_balance = opening_balance + 1'),
  {
    sql: `with chosen as (
        select id from app.transfers where tracker_id = $1 order by md5(id::text || $2) limit 1
      ), legs as (
        delete from app.movements m using chosen c where m.tracker_id = $1 and m.transfer_group_id = c.id
      )
      delete from app.transfers t using chosen c where t.tracker_id = $1 and t.id = c.id returning t.id`,
    isInEvents: false,
  },
];

/** Deletes the change and the salt of an event, as `redact-event` does. The check and the SDK must accept this. */
const redaction = `update app.events set change = null, salt = null where ctid = (
  select ctid from app.events where tracker_id = $1 order by md5(id::text || $2) limit 1)`;

const editedTables = ['events', 'audit_events', 'event_heads', 'movements', 'transfers', 'accounts', 'cashboxes'];

async function copyTables(): Promise<void> {
  await owner.query('create schema copies');
  for (const table of editedTables) await owner.query(`create table copies.${table} as table app.${table}`);
}

async function revertEdits(): Promise<void> {
  // The value `replica` disables the triggers that check foreign keys.
  await owner.query('begin; set local session_replication_role = replica');
  for (const table of editedTables) {
    await owner.query(`delete from app.${table}`);
    await owner.query(`insert into app.${table} select * from copies.${table}`);
  }
  await owner.query('commit');
}

const violations = newTally(
  'edits that the check does not name',
  'edits of events that the SDK accepts',
  'trackers without an edit that the check names',
  'redacted trackers that the check or the SDK names',
  'exit codes that are wrong',
);
const injected = { edits: 0, 'edits of events': 0, redactions: 0, checks: 0 };

/** Returns whether the SDK verifies the whole chain of a tracker up to its head. */
async function verifiesInSdk(tenant: Tenant): Promise<boolean> {
  const token = tenant.asUser.Authorization?.replace('Bearer ', '') ?? '';
  const client = new FinancialClient({ baseUrl: origin, token, trackerId: tenant.trackerId });
  try {
    const head = await client.auditEvents.head();
    const events = client.auditEvents.list({ order: 'asc', limit: 200 });
    const verified = await verifyAuditChain(events, { trackerId: tenant.trackerId });
    return verified.sequence === head.sequence && verified.hash === head.hash;
  } catch (error) {
    if (isAuditChainError(error)) return false;
    throw error;
  }
}

async function check(): Promise<{ readonly exitCode: number | null; readonly lines: readonly string[] }> {
  injected.checks += 1;
  const { exitCode, stdout } = await sandbox.runServer('check --chain', { dataDir });
  return { exitCode, lines: stdout.split('\n').filter((line) => line.startsWith('Tracker ')) };
}

/** Edits most trackers once, redacts an event in some, and leaves the others unchanged. Checks all trackers. Reverts the edits. */
async function editAndCheck(random: SeededRandom): Promise<void> {
  const edited = new Map<Tenant, { readonly edit: Edit; readonly id: string }>();
  const redacted = new Set<Tenant>();
  for (const tenant of tenants) {
    const values = [tenant.trackerId, String(random.next())];
    if (random.hits(0.1)) {
      await owner.query(redaction, values);
      redacted.add(tenant);
      injected.redactions += 1;
    } else if (random.hits(0.95)) {
      const edit = drawFrom(random, edits);
      const { rows } = await owner.query(edit.sql, values);
      if (edit.isNumbered) await owner.query('select app.number_events($1)', [tenant.trackerId]);
      edited.set(tenant, { edit, id: rows[0].id });
      injected.edits += 1;
      injected['edits of events'] += edit.isInEvents ? 1 : 0;
    }
  }
  const { exitCode, lines } = await check();
  if (exitCode !== (edited.size === 0 ? 0 : 1)) violations['exit codes that are wrong'] += 1;
  for (const tenant of tenants) {
    const named = lines.filter((line) => line.startsWith(`Tracker ${tenant.trackerId}`));
    const { edit, id } = edited.get(tenant) ?? {};
    if (redacted.has(tenant)) {
      if (named.length > 0 || !(await verifiesInSdk(tenant))) {
        violations['redacted trackers that the check or the SDK names'] += 1;
      }
    } else if (edit === undefined || id === undefined) {
      if (named.length > 0) violations['trackers without an edit that the check names'] += 1;
    } else {
      const isNamed = named.some((line) => edit.isRemoval || line.includes(id));
      if (!isNamed) violations['edits that the check does not name'] += 1;
      if (edit.isInEvents && (await verifiesInSdk(tenant))) violations['edits of events that the SDK accepts'] += 1;
    }
  }
  await revertEdits();
}

it(
  '`check --chain` reports each edit that a superuser makes, but no redaction',
  async () => {
    await copyTables();
    expect(await check()).toEqual({ exitCode: 0, lines: [] });
    const random = seededRandom(proofSeed, 'edits');
    for (let round = 0; round < rounds && !isLate(); round += 1) await editAndCheck(random);
    expect(await check()).toEqual({ exitCode: 0, lines: [] });
    await recordProof({
      id: 'T28',
      promise:
        '`centavo-server check --chain` reports every edit that a superuser makes to events or records, and the SDK detects every edit of events',
      seed: proofSeed,
      injected,
      violations,
    });
    expect(Object.entries(violations).filter(([, count]) => count > 0)).toEqual([]);
    expect(injected.edits).toBeGreaterThanOrEqual(isLong ? 1_500 : 12);
  },
  proofMsMax,
);
