import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedTracker } from '../../test-support/seed-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { runSweep } from '../database/hourly-sweeps.js';
import { createDatabase, type Database } from '../database/pool.js';
import { idempotencyKeySweeps } from './idempotency.queries.js';

let testDatabase: TestDatabase;
let client: pg.Client;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
  database = createDatabase({ connectionString: testDatabase.servingUrl, poolMax: 1 });
  const { trackerId } = await seedTracker(client, 'retained');
  await client.query(
    `insert into app.idempotency_keys
       (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, data, request_id, created_at)
     select $1, 'user:x', 'old ' || n, true, sha256('x'), 'createMovement', '{}', gen_random_uuid(), now() - interval '31 days'
     from generate_series(1, 2500) n`,
    [trackerId],
  );
});

afterAll(async () => {
  await database.close();
  await client.end();
  await testDatabase.drop();
});

async function count(): Promise<number> {
  const { rows } = await client.query('select count(*)::int as count from app.idempotency_keys');
  return rows[0].count;
}

async function sweep(retentionDays: number | null): Promise<void> {
  for (const one of idempotencyKeySweeps(retentionDays)) {
    await runSweep({ database, sweep: one, isStopped: () => false });
  }
}

it('the sweep deletes no idempotency key if no retention period is set', async () => {
  await sweep(null);
  expect(await count()).toBe(2501);
});

// @proves contract 6: Replay
it('the sweep deletes all 2,500 idempotency keys older than the retention period, and no younger ones', async () => {
  await sweep(32);
  expect(await count()).toBe(2501);
  await sweep(30);
  expect(await count()).toBe(1);
});
