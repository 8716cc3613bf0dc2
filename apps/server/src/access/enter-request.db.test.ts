import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedTracker } from '../../test-support/seed-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database, type Transaction } from '../database/database.js';
import { query } from '../database/query.js';
import { enterRequest } from './access.queries.js';

let testDatabase: TestDatabase;
let database: Database;
let userId: string;
let trackerId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
  const client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
  ({ userId, trackerId } = await seedTracker(client, 'entered'));
  await client.end();
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function enter(tx: Transaction, idempotencyKey: string | null) {
  return enterRequest(tx, {
    secretSha256: null,
    issuer: 'urn:test',
    subject: userId,
    sessionId: null,
    trackerId,
    isWrite: true,
    idempotencyKey,
  });
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

it('a request runs as centavo_app on behalf of its caller, and leaves nothing of that on the connection', async () => {
  const before = await database.transaction({ readOnly: true }, contextOf);
  const inside = await database.transaction({ readOnly: false }, async (tx) => {
    await enter(tx, null);
    return contextOf(tx);
  });
  const after = await database.transaction({ readOnly: true }, contextOf);
  expect(inside).toEqual({ role: 'centavo_app', userId, trackerId, root: `user:${userId}` });
  expect(before).toMatchObject({ userId: null, trackerId: null, root: null });
  expect(after).toEqual(before);
});

it('one request at a time has an idempotency key; the others are told so, and nobody waits', async () => {
  const other = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
  try {
    const seen = await database.transaction({ readOnly: false }, async (tx) => {
      const first = await enter(tx, 'one intent');
      const twin = await other.transaction({ readOnly: false }, (its) => enter(its, 'one intent'));
      const stranger = await other.transaction({ readOnly: false }, (its) => enter(its, 'another intent'));
      return [first, twin, stranger].map(({ keyLocked, storedAnswers }) => ({ keyLocked, storedAnswers }));
    });
    expect(seen.map(({ keyLocked }) => keyLocked)).toEqual([true, false, true]);
    expect(seen.flatMap(({ storedAnswers }) => storedAnswers)).toEqual([]);
    // The lock has ended with the transaction.
    const { keyLocked } = await other.transaction({ readOnly: false }, (its) => enter(its, 'one intent'));
    expect(keyLocked).toBe(true);
  } finally {
    await other.close();
  }
});
