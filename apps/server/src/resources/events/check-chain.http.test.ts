import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';
import { createDatabase, type Database } from '../../database/pool.js';
import { assumeRole, query } from '../../database/query.js';
import { checkChain } from './check-chain.js';
import { redactEvent } from './redact-event.queries.js';

let server: TestServer;
let client: pg.Client;
let database: Database;
let owner: TestUser;
let trackerId: string;
const ids = { account: '', cashbox: '', category: '', movement: '', transfer: '', budget: '', line: '' };

beforeAll(async () => {
  server = await startTestServer();
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  database = createDatabase({ connectionString: server.connectionString, poolMax: 1 });
  owner = await server.newUser();
  await fillTracker();
  await client.query('select app.number_events($1)', [trackerId]);
});

afterAll(async () => {
  await database.close();
  await client.end();
  await server.close();
});

/** Creates at least one record of every kind, and changes some of the records. */
async function fillTracker(): Promise<void> {
  const { token } = owner;
  const { id, accountId, cashboxId } = await server.newTracker(owner);
  trackerId = id;
  const savings = await server.newAccount(owner, id, { name: 'Savings', openingBalanceDecimal: '7.5' });
  const body = { type: 'expense', amountDecimal: '12.5', accountId } as const;
  const movement = await server.call('createMovement', { token, body });
  await server.call('createMovement', { token, body });
  const params = { movementId: movement.data.id };
  const ifMatch = movement.headers.get('etag') ?? '';
  await server.call('correctMovement', { token, params, ifMatch, body: { description: 'Lunch' } });
  await server.call('createMovements', { token, body: { movements: [body, body] }, idempotencyKey: 'bulk' });
  const sides = { fromAccountId: accountId, toAccountId: savings.id };
  const transfer = await server.call('createTransfer', { token, body: { amountDecimal: '2', ...sides } });
  const voided = await server.call('createTransfer', { token, body: { amountDecimal: '3', ...sides } });
  const etag = voided.headers.get('etag') ?? '';
  await server.call('voidTransfer', { token, params: { groupId: voided.data.groupId }, ifMatch: etag });
  const category = await server.call('createCategory', { token, body: { name: 'Food' } });
  await server.call('createCategory', { token, body: { name: 'Of mine', scope: 'user' } });
  const lines = [{ categoryId: category.data.id, plannedDecimal: '10' }];
  const period = { periodStart: '2026-06-01', periodEnd: '2026-06-30' };
  const budget = await server.call('createBudget', {
    token,
    body: { name: 'June', mode: 'tracking', ...period, lines },
  });
  await server.call('updateTracker', { token, params: { trackerId: id }, body: { name: 'House' } });
  await server.call('updateAccount', { token, params: { accountId }, body: { name: 'Main' } });
  Object.assign(ids, {
    account: accountId,
    cashbox: cashboxId,
    category: category.data.id,
    movement: movement.data.id,
    transfer: transfer.data.groupId,
    budget: budget.data.id,
    line: budget.data.lines[0]?.id,
  });
}

/** Makes edits, returns the findings of the check, and reverts the edits. */
async function checkAfter(...edits: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  await database.transaction({ readOnly: false, dryRun: true }, async (tx) => {
    for (const edit of edits) await query(tx, edit);
    await assumeRole(tx, 'centavo_definer');
    await checkChain(tx, (contradiction) => found.push(contradiction));
  });
  return found;
}

describe('centavo-server check --chain', () => {
  it('reports nothing if no record was changed outside the server, whether or not all events already have sequence numbers', async () => {
    expect(await checkAfter()).toEqual([]);
    const { token } = owner;
    await server.call('updateTracker', { token, params: { trackerId }, body: { name: 'Home' } });
    expect(await checkAfter()).toEqual([]);
    await client.query('select app.number_events($1)', [trackerId]);
  });

  const editsOfEvents: readonly [string, string][] = [
    ['the id', `set id = gen_random_uuid()`],
    ['the time', `set occurred_at = occurred_at + interval '1 ms'`],
    ['the user', `set user_id = gen_random_uuid()`],
    ['the credential', `set credential_id = gen_random_uuid()`],
    ['the type', `set action = 'movement.created '`],
    ['the resource type', `set resource_type = 'category'`],
    ['the resource', `set resource_id = gen_random_uuid()::text`],
    ['the request', `set request_id = gen_random_uuid()`],
    ['the change', `set change = '{"description":[null,"Dinner"]}'`],
    ['the change (to null)', `set change = null`],
    ['the salt', `set salt = decode(repeat('00', 16), 'hex')`],
    ['the digest of the change', `set change_digest = sha256('x')`],
    ['the digest of the state', `set state_digest = null`],
    ['the hash', `set hash = sha256('x')`],
  ];

  it.each(editsOfEvents)('reports an event after an edit of %s', async (_, edit) => {
    const { rows } = await client.query(
      `select sequence from app.events where tracker_id = $1 and action = 'movement.corrected'`,
      [trackerId],
    );
    const { sequence } = rows[0];
    const found = await checkAfter(
      `update app.events ${edit} where tracker_id = '${trackerId}' and sequence = ${sequence}`,
    );
    expect(found[0]).toMatch(new RegExp(`^Tracker ${trackerId}, event ${sequence} \\(`));
  });

  it('reports an event removed from the middle or the end of the chain, and a changed or removed head', async () => {
    const where = `where tracker_id = '${trackerId}'`;
    expect(await checkAfter(`delete from app.events ${where} and sequence = 3`)).toContainEqual(
      expect.stringMatching(/event 4 \(\S+\): its number is not the next one\.$/),
    );
    const newest = `(select max(sequence) from app.events ${where})`;
    expect(await checkAfter(`delete from app.events ${where} and sequence = ${newest}`)).toContainEqual(
      expect.stringMatching(/its last event is \d+, but its head is \d+/),
    );
    expect(await checkAfter(`update app.event_heads set hash = sha256('x') ${where}`)).toEqual([
      expect.stringMatching(/the hash of its head differs from the hash of its last event, \d+\.$/),
    ]);
    expect(await checkAfter(`delete from app.event_heads ${where}`)).toEqual([
      `Tracker ${trackerId}: it has events, but no head.`,
    ]);
    expect(await checkAfter(`update app.event_heads set floor_hash = sha256('x') ${where}`)).toContainEqual(
      `Tracker ${trackerId}: the beginning of its chain is wrong.`,
    );
  });

  it('reports an event that occurs twice because a copy was inserted, before and after the copy gets a number', async () => {
    const columns = `tracker_id, id, occurred_at, user_id, credential_id, action, resource_type, resource_id, change, request_id,
      salt, change_digest, state_digest`;
    const insertCopy = `insert into app.audit_events (${columns}) select ${columns} from app.events
      where tracker_id = '${trackerId}' and action = 'budget.created'`;
    const twice = [expect.stringMatching(/event \S+: it occurs 2 times\.$/)];
    expect(await checkAfter(insertCopy)).toEqual(twice);
    expect(await checkAfter(insertCopy, `select app.number_events('${trackerId}')`)).toEqual(twice);
  });

  const editsOfRecords: readonly [string, () => string, () => string][] = [
    ['movement', () => `update app.movements set amount = amount + 1 where id = '${ids.movement}'`, () => ids.movement],
    ['movement', () => `update app.movements set amount = 0.0001 where id = '${ids.movement}'`, () => ids.movement],
    [
      'movement',
      () => `update app.movements set version = version + 1 where id = '${ids.movement}'`,
      () => ids.movement,
    ],
    ['movement', () => `update app.movements set voided_at = now() where id = '${ids.movement}'`, () => ids.movement],
    [
      'transfer',
      () =>
        `update app.movements set description = 'x' where transfer_group_id = '${ids.transfer}' and type = 'income'`,
      () => ids.transfer,
    ],
    ['transfer', () => `delete from app.movements where transfer_group_id = '${ids.transfer}'`, () => ids.transfer],
    ['account', () => `update app.accounts set name = 'x' where id = '${ids.account}'`, () => ids.account],
    ['account', () => `update app.accounts set status = 'archived' where id = '${ids.account}'`, () => ids.account],
    ['cashbox', () => `update app.cashboxes set opening_balance = 5 where id = '${ids.cashbox}'`, () => ids.cashbox],
    ['category', () => `update app.categories set name = 'x' where id = '${ids.category}'`, () => ids.category],
    ['budget', () => `update app.budgets set period_end = '2026-07-01' where id = '${ids.budget}'`, () => ids.budget],
    ['budget_line', () => `update app.budget_lines set planned = 11 where id = '${ids.line}'`, () => ids.line],
    ['tracker', () => `update app.trackers set time_zone = 'UTC' where id = '${trackerId}'`, () => trackerId],
  ];

  it.each(editsOfRecords)('reports a changed %s if no event records the change', async (type, edit, id) => {
    expect(await checkAfter(edit())).toEqual([
      `Tracker ${trackerId}, ${type} ${id()}: it differs from its state after its last event.`,
    ]);
  });

  it('reports a deleted movement, and a movement without events', async () => {
    expect(await checkAfter(`delete from app.movements where id = '${ids.movement}'`)).toEqual([
      expect.stringMatching(`movement ${ids.movement}: event \\d+ recorded its state, but the record does not exist`),
    ]);
    const copy = `insert into app.movements select (jsonb_populate_record(m, '{"id": "0190f2a0-0000-7000-8000-00000000000b"}')).*
      from app.movements m where id = '${ids.movement}'`;
    expect(await checkAfter(copy)).toEqual([
      `Tracker ${trackerId}, movement 0190f2a0-0000-7000-8000-00000000000b: it has no event.`,
    ]);
  });

  it('does not report records without events when retention removed the beginning of the chain', async () => {
    const shorten = `with floor as (
        update app.event_heads h set floor_sequence = 5, floor_hash = e.hash from app.events e
        where h.tracker_id = '${trackerId}' and e.tracker_id = h.tracker_id and e.sequence = 5)
      delete from app.events where tracker_id = '${trackerId}' and sequence <= 5`;
    expect(await checkAfter(shorten)).toEqual([]);
  });

  it('accepts cashboxes and budget lines that an earlier version created without events', async () => {
    const strip = `with earlier as (
        update app.events set salt = null, state_digest = null where tracker_id = '${trackerId}')
      delete from app.events where tracker_id = '${trackerId}' and resource_type in ('cashbox', 'budget_line')`;
    const found = await checkAfter(strip);
    expect(found.filter((contradiction) => contradiction.includes('it has no event'))).toEqual([]);
  });
});

describe('a redacted event', () => {
  it('has no change and no salt, and the check reports nothing about it', async () => {
    const { rows } = await client.query(
      `select sequence::int from app.events where tracker_id = $1 and action = 'movement.corrected'`,
      [trackerId],
    );
    const { sequence } = rows[0];
    const redact = (event: { trackerId: string; sequence: number }) =>
      database.transaction({ readOnly: false }, (tx) => redactEvent(tx, event));
    expect(await redact({ trackerId, sequence: 1_000 })).toBe(false);
    expect(await redact({ trackerId, sequence })).toBe(true);
    expect(await checkAfter()).toEqual([]);
    const listed = await server.call('listAuditEvents', { token: owner.token, query: { type: 'movement.corrected' } });
    expect(listed.data[0]).toMatchObject({ sequence, change: null, salt: null });
    const forced = await client.query(`select relforcerowsecurity from pg_class where oid = 'app.events'::regclass`);
    expect(forced.rows).toEqual([{ relforcerowsecurity: true }]);
  });
});
