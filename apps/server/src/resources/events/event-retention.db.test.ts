import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';
import { runSweep } from '../../database/hourly-sweeps.js';
import { createDatabase, type Database } from '../../database/pool.js';
import { eventSweeps } from './event-retention.queries.js';

let testDatabase: TestDatabase;
let client: pg.Client;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ connectionString: testDatabase.servingUrl, poolMax: 2 });
  client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.close();
  await testDatabase.drop();
});

/** Inserts one event for each age (in days), in the given order. Numbers the events, and returns the id of their tracker. */
async function numberEventsOfAges(...ages: number[]): Promise<string> {
  const trackerId = randomUUID();
  for (const age of ages) {
    await client.query(
      `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id, occurred_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), 'movement.created', 'movement', 'm', gen_random_uuid(), now() - $2 * interval '1 day')`,
      [trackerId, age],
    );
  }
  await client.query('select app.number_events($1)', [trackerId]);
  return trackerId;
}

async function stateOf(trackerId: string) {
  const { rows } = await client.query(
    `select floor_sequence::int as floor, encode(floor_hash, 'hex') as hash,
       array(select e.sequence::int from app.events e where e.tracker_id = h.tracker_id order by e.sequence) as left
     from app.event_heads h where h.tracker_id = $1`,
    [trackerId],
  );
  return rows[0];
}

function sweepOnce(): Promise<number> {
  const [sweep] = eventSweeps(30);
  if (sweep === undefined) throw new Error('No sweep');
  return runSweep({ database, sweep, isStopped: () => false });
}

it('the sweep removes expired events only from the beginning of the sequence, and records which event it removed last', async () => {
  const trackerId = await numberEventsOfAges(60, 50, 1, 40, 2);
  const { rows } = await client.query(
    `select encode(hash, 'hex') as hash from app.events where tracker_id = $1 and sequence = 2`,
    [trackerId],
  );
  const young = await numberEventsOfAges(29);
  expect(await sweepOnce()).toBe(2);
  // The sweep keeps the fourth event, although it is old, because the third event is not old.
  expect(await stateOf(trackerId)).toEqual({ floor: 2, hash: rows[0].hash, left: [3, 4, 5] });
  expect(await stateOf(young)).toMatchObject({ floor: 0, left: [1] });
  expect(await sweepOnce()).toBe(0);
});

it('the sweep removes all 1,500 events of a tracker if none is recent, and records the number of the last one', async () => {
  const trackerId = randomUUID();
  await client.query(
    `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id, occurred_at)
     select $1, gen_random_uuid(), gen_random_uuid(), 'movement.created', 'movement', 'm', gen_random_uuid(), now() - interval '90 days'
     from generate_series(1, 1500)`,
    [trackerId],
  );
  await client.query('select app.number_events($1, 2000)', [trackerId]);
  expect(await sweepOnce()).toBe(1500);
  expect(await stateOf(trackerId)).toMatchObject({ floor: 1500, left: [] });
});

it('eventSweeps returns no sweep if events are kept forever', () => {
  expect(eventSweeps(null)).toEqual([]);
});
