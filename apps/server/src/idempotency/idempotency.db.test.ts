import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SeededTracker, seedTracker } from '../../test-support/seed-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import type { EffectiveTracker, Principal } from '../auth/principal.js';
import { StaleRead } from '../database/errors.js';
import { createDatabase, type Database } from '../database/pool.js';
import { query } from '../database/query.js';
import { recordKeyedWrite } from './idempotency.queries.js';

let testDatabase: TestDatabase;
let client: pg.Client;
let database: Database;
let seeded: SeededTracker;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
  database = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
  seeded = await seedTracker(client, 'recorded');
});

afterAll(async () => {
  await database.close();
  await client.end();
  await testDatabase.drop();
});

/** Records a write in a transaction that has the role and the settings of a request. */
async function record(idempotencyKey: string, auditId: string = randomUUID()): Promise<void> {
  const { userId, trackerId, principalRoot, movementId } = seeded;
  const principal: Principal = {
    type: 'user',
    id: userId,
    name: 'recorded',
    kind: null,
    scopes: [],
    expiresAt: null,
    userId,
    credentialId: null,
    activeTrackerId: trackerId,
    defaultTrackerId: trackerId,
    root: principalRoot,
  };
  const tracker: EffectiveTracker = {
    id: trackerId,
    name: 'recorded',
    role: 'owner',
    currencyCode: 'EUR',
    timeZone: 'Europe/Madrid',
    now: '2026-01-01T00:00:00.000Z',
    today: '2026-01-01',
    resolvedBy: 'header',
  };
  await database.transaction({ readOnly: false }, async (tx) => {
    await query(
      tx,
      `select set_config('role', 'centavo_app', true), set_config('app.user_id', :userId, true),
         set_config('app.tracker_id', :trackerId, true), set_config('app.principal_root', :principalRoot, true)`,
      { userId, trackerId, principalRoot },
    );
    await recordKeyedWrite(tx, {
      auditId,
      effect: { action: 'movement.created', resourceType: 'movement', resourceId: movementId, trackerId },
      principal,
      tracker,
      requestId: randomUUID(),
      callName: 'createMovement',
      idempotencyKey,
      fingerprint: Buffer.alloc(32),
      etag: null,
      data: {},
    });
  });
}

async function auditsOf(auditId: string): Promise<number> {
  const { rows } = await client.query('select from app.recorded_events where id = $1', [auditId]);
  return rows.length;
}

it('recordKeyedWrite throws StaleRead, and leaves no audit row, if another request has already stored the idempotency key', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  await record('twice', first);
  await expect(record('twice', second)).rejects.toBeInstanceOf(StaleRead);
  expect([await auditsOf(first), await auditsOf(second)]).toEqual([1, 0]);
});

it('recordKeyedWrite rethrows the error of the CHECK constraint that limits the length of an idempotency key', async () => {
  const tooLong = 'x'.repeat(201);
  await expect(record(tooLong, randomUUID())).rejects.toMatchObject({
    code: '23514',
    constraint: 'idempotency_key_check',
  });
});
