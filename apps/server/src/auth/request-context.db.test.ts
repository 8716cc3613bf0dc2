import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedTracker } from '../../test-support/seed-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database } from '../database/pool.js';
import { query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';
import { openRequestContext, type RequestFacts } from './auth.queries.js';

let testDatabase: TestDatabase;
let database: Database;
let client: pg.Client;
let userId: string;
let trackerId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
  client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
  ({ userId, trackerId } = await seedTracker(client, 'caller'));
});

afterAll(async () => {
  await client.end();
  await database.close();
  await testDatabase.drop();
});

async function openContext(tx: Transaction, idempotencyKey: string | null): Promise<RequestFacts> {
  const facts = await openRequestContext(tx, {
    secretSha256: null,
    issuer: 'urn:test',
    subject: userId,
    sessionId: null,
    trackerId,
    isWrite: true,
    idempotencyKey,
  });
  return facts ?? expect.fail('The user is unknown.');
}

async function contextOf(tx: Transaction): Promise<unknown> {
  const [context] = await query(
    tx,
    `select current_user::text as role, nullif(current_setting('app.user_id', true), '') as "userId",
       nullif(current_setting('app.tracker_id', true), '') as "trackerId",
       nullif(current_setting('app.principal_root', true), '') as root`,
  );
  return context;
}

it('openRequestContext sets role and context for one transaction, and leaves neither on the connection', async () => {
  const before = await database.transaction({ readOnly: true }, contextOf);
  const inside = await database.transaction({ readOnly: false }, async (tx) => {
    await openContext(tx, null);
    return contextOf(tx);
  });
  const after = await database.transaction({ readOnly: true }, contextOf);
  expect(inside).toEqual({ role: 'centavo_app', userId, trackerId, root: `user:${userId}` });
  expect(before).toMatchObject({ userId: null, trackerId: null, root: null });
  expect(after).toEqual(before);
});

it('openRequestContext makes PostgreSQL reject an UPDATE in a read-only transaction, even if no BEGIN was sent', async () => {
  const direct = createDatabase({
    connectionString: testDatabase.connectionString,
    poolMax: 1,
    connectsDirectly: true,
    initialRole: 'centavo_app',
  });
  const session = { secretSha256: null, issuer: 'urn:test', subject: userId, sessionId: null };
  const work = direct.transaction({ readOnly: true }, async (tx) => {
    const afterSend = () =>
      void query(tx, 'update app.users set default_tracker_id = null', {}, { isLastRead: true }).catch(() => {});
    await openRequestContext(tx, { ...session, trackerId, isWrite: false, idempotencyKey: null, afterSend });
  });
  await expect(work).rejects.toThrow('cannot execute UPDATE in a read-only transaction');
  await direct.close();
});

it.each([
  ['a revoked credential', { revoked_at: new Date(0) }],
  ['an expired credential', { expires_at: new Date(0) }],
])('openRequestContext sets no context for %s, so that a later query finds no rows', async (_, state) => {
  const [[column, value]] = Object.entries(state) as [[string, Date]];
  const id = randomUUID();
  await client.query(
    `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, secret_sha256, secret_last4, expires_at)
     values ($1, $2, $1, 'integration_client', 'x', '{movements:read}', 'all_memberships', sha256($3), 'abcd', '9999-12-31')`,
    [id, userId, id],
  );
  await client.query(`update app.credentials set ${column} = $2 where id = $1`, [id, value]);
  const { rows } = await client.query('select secret_sha256 from app.credentials where id = $1', [id]);
  await database.transaction({ readOnly: true }, async (tx) => {
    const credential = { secretSha256: rows[0].secret_sha256, issuer: null, subject: null, sessionId: null };
    const facts = await openRequestContext(tx, { ...credential, trackerId, isWrite: false, idempotencyKey: 'k' });
    expect(facts).toMatchObject({ tracker: null, eligibleTrackerIds: [], storedAnswers: [], keyLocked: null });
    expect(await contextOf(tx)).toEqual({ role: 'centavo_app', userId: null, trackerId: null, root: null });
    expect(await query(tx, 'select 1 from app.accounts')).toEqual([]);
  });
  await client.query('delete from app.credentials where id = $1', [id]);
});

it.each([
  ['an unknown API key', { secretSha256: randomBytes(32), issuer: null, subject: null }],
  ['an unknown user', { secretSha256: null, issuer: 'urn:test', subject: randomUUID() }],
])('openRequestContext returns null and sets no context for %s', async (_, caller) => {
  await database.transaction({ readOnly: true }, async (tx) => {
    const request = { ...caller, sessionId: null, trackerId, isWrite: false, idempotencyKey: null };
    expect(await openRequestContext(tx, request)).toBeNull();
    expect(await contextOf(tx)).toEqual({ role: 'centavo_app', userId: null, trackerId: null, root: null });
  });
});

it('openRequestContext sets no context for a session that has ended', async () => {
  await database.transaction({ readOnly: true }, async (tx) => {
    const session = { secretSha256: null, issuer: 'urn:test', subject: userId, sessionId: randomUUID() };
    const facts = await openRequestContext(tx, { ...session, trackerId, isWrite: false, idempotencyKey: null });
    expect(facts).toMatchObject({ sessionActive: false, tracker: null, eligibleTrackerIds: [] });
    expect(await contextOf(tx)).toEqual({ role: 'centavo_app', userId: null, trackerId: null, root: null });
  });
});

it('openRequestContext locks an idempotency key for one request at a time, and does not wait for the lock', async () => {
  const other = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
  try {
    const seen = await database.transaction({ readOnly: false }, async (tx) => {
      const first = await openContext(tx, 'one key');
      const duplicate = await other.transaction({ readOnly: false }, (otherTx) => openContext(otherTx, 'one key'));
      const unrelated = await other.transaction({ readOnly: false }, (otherTx) => openContext(otherTx, 'another key'));
      return [first, duplicate, unrelated].map(({ keyLocked, storedAnswers }) => ({ keyLocked, storedAnswers }));
    });
    expect(seen.map(({ keyLocked }) => keyLocked)).toEqual([true, false, true]);
    expect(seen.flatMap(({ storedAnswers }) => storedAnswers)).toEqual([]);
    // The lock ended with the transaction.
    const { keyLocked } = await other.transaction({ readOnly: false }, (otherTx) => openContext(otherTx, 'one key'));
    expect(keyLocked).toBe(true);
  } finally {
    await other.close();
  }
});

describe('a write that waited for a membership change', () => {
  /**
   * Opens the context of a write while another transaction runs `change` on the membership. That transaction holds the exclusive
   * lock that every change of a membership takes.
   */
  async function openContextDuring(change: string, tracker: string | null, secretSha256: Buffer | null = null) {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', [`${trackerId} ${userId}`]);
    await client.query(`${change} where tracker_id = $1 and user_id = $2`, [trackerId, userId]);
    const opening = database.transaction({ readOnly: false }, (tx) =>
      openRequestContext(tx, {
        secretSha256,
        issuer: secretSha256 === null ? 'urn:test' : null,
        subject: secretSha256 === null ? userId : null,
        sessionId: null,
        trackerId: tracker,
        isWrite: true,
        idempotencyKey: null,
      }),
    );
    for (let isWaiting = false; !isWaiting; ) {
      const { rows } = await client.query(
        `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      isWaiting = rows.length > 0;
    }
    await client.query('commit');
    return (await opening) ?? expect.fail('The caller is unknown.');
  }

  it('runs with the new role of the member', async () => {
    const { tracker } = await openContextDuring(`update app.members set role = 'viewer'`, trackerId);
    expect(tracker).toMatchObject({ id: trackerId, role: 'viewer' });
    await client.query(`update app.members set role = 'owner' where user_id = $1`, [userId]);
  });

  it.each(['header', 'choice'])(
    'has access to no tracker if the change ended the membership (tracker from the header or the choice of the user: %s)',
    async (resolvedBy) => {
      const facts = await openContextDuring('delete from app.members', resolvedBy === 'header' ? trackerId : null);
      expect(facts).toMatchObject({ tracker: null, eligibleTrackerIds: [], defaultTrackerId: trackerId });
      await client.query(`insert into app.members (tracker_id, user_id, role) values ($1, $2, 'owner')`, [
        trackerId,
        userId,
      ]);
    },
  );

  it('has access to no tracker if it uses a secure API key whose owner may no longer manage the tracker in the header', async () => {
    const { rows } = await client.query('select secret_sha256 from app.credentials where user_id = $1', [userId]);
    const change = `update app.members set role = 'editor'`;
    const facts = await openContextDuring(change, trackerId, rows[0].secret_sha256);
    expect(facts).toMatchObject({ tracker: null, eligibleTrackerIds: [] });
  });
});
