import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SeededTracker, seedTracker } from '../../test-support/seed-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';

let testDatabase: TestDatabase;
let client: pg.Client;
let tracker: SeededTracker;
let endpointId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

beforeEach(async () => {
  tracker = await seedTracker(client, randomUUID());
  await client.query('update app.webhook_endpoints set deleted_at = now() where tracker_id <> $1', [tracker.trackerId]);
  // PostgreSQL rounds now() to milliseconds in this column. A rounded-up time would be in the future for a lease in the same millisecond.
  const { rows } = await client.query(
    `update app.webhook_endpoints set status = 'active', due_at = now() - interval '1 minute'
     where tracker_id = $1 returning id`,
    [tracker.trackerId],
  );
  endpointId = rows[0].id;
});

async function lease(worker: string): Promise<number[]> {
  const { rows } = await client.query('select epoch from app.lease_webhooks($1, 10)', [worker]);
  return rows.map(({ epoch }) => Number(epoch));
}

async function call(name: string, worker: string, epoch: number | undefined) {
  const { rows } = await client.query(`select app.${name}($1, $2, $3) as result`, [endpointId, worker, epoch]);
  return rows[0].result;
}

const expireLease = () =>
  client.query(`update app.webhook_endpoints set leased_until = now() - interval '1 second' where id = $1`, [
    endpointId,
  ]);

describe('a worker', () => {
  it('leases an endpoint that is due, and no other worker leases it until the lease ends', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    expect(await lease(one)).toHaveLength(1);
    expect(await lease(other)).toEqual([]);
    await expireLease();
    expect(await lease(other)).toHaveLength(1);
  });

  it('cannot lock an endpoint or renew its lease after the lease expired and another worker leased the endpoint', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const [before] = await lease(one);
    expect(await call('lock_webhook', one, before)).toMatchObject({ status: 'active' });
    await expireLease();
    const [after] = await lease(other);
    expect(await call('lock_webhook', one, before)).toBeNull();
    expect(await call('renew_webhook_lease', one, before)).toBe(false);
    expect(await call('authorize_webhook', one, before)).toBeNull();
    expect(await call('lock_webhook', other, after)).toMatchObject({ status: 'active' });
  });

  describe('that finds a due endpoint without pending deliveries', () => {
    beforeEach(async () => {
      await client.query(`delete from app.webhook_deliveries where endpoint_id = $1 and status = 'pending'`, [
        endpointId,
      ]);
      await client.query('select app.number_events($1)', [tracker.trackerId]);
      await client.query(
        `update app.webhook_endpoints e set due_at = now() - interval '1 second',
           cursor_sequence = (select h.sequence from app.event_heads h where h.tracker_id = e.tracker_id)
         where id = $1`,
        [endpointId],
      );
    });

    it('does not lease the endpoint if no event follows the cursor, and makes the endpoint due again in 30 seconds', async () => {
      expect(await lease(randomUUID())).toEqual([]);
      const { rows } = await client.query(
        `select extract(epoch from due_at - now())::float as seconds from app.webhook_endpoints where id = $1`,
        [endpointId],
      );
      expect(rows[0].seconds).toBeGreaterThan(25);
      expect(rows[0].seconds).toBeLessThanOrEqual(30);
    });

    it('leases the endpoint if an event follows the cursor', async () => {
      await client.query('update app.webhook_endpoints set cursor_sequence = cursor_sequence - 1 where id = $1', [
        endpointId,
      ]);
      expect(await lease(randomUUID())).toHaveLength(1);
    });

    it('leases the endpoint if its owner no longer has the required role', async () => {
      await client.query(`update app.members set role = 'editor' where tracker_id = $1`, [tracker.trackerId]);
      expect(await lease(randomUUID())).toHaveLength(1);
    });

    it('leases the endpoint if the credential that owns it was revoked', async () => {
      await client.query(
        `update app.webhook_endpoints e set owner_credential_id = c.id, owner_lineage_id = c.lineage_id
         from app.credentials c where e.id = $1 and c.user_id = e.owner_user_id`,
        [endpointId],
      );
      await client.query('update app.credentials set revoked_at = now()');
      expect(await lease(randomUUID())).toHaveLength(1);
    });
  });

  it('that releases an endpoint makes the endpoint due again immediately if an event follows the cursor, and otherwise in 30 seconds', async () => {
    const dueInSeconds = async () => {
      const { rows } = await client.query(
        'select extract(epoch from due_at - now())::float as seconds from app.webhook_endpoints where id = $1',
        [endpointId],
      );
      return rows[0].seconds;
    };
    const worker = randomUUID();
    const [epoch] = await lease(worker);
    await client.query(
      `update app.webhook_deliveries set status = 'dropped', completed_at = now() where endpoint_id = $1`,
      [endpointId],
    );
    await call('release_webhook', worker, epoch);
    expect(await dueInSeconds()).toBeGreaterThan(25);
    expect(await dueInSeconds()).toBeLessThanOrEqual(30);
    // `number_events` gives pending events their numbers. This makes the endpoint due.
    await client.query('select app.number_events($1)', [tracker.trackerId]);
    expect(await dueInSeconds()).toBeLessThanOrEqual(0);
    const [again] = await lease(worker);
    await call('release_webhook', worker, again);
    expect(await dueInSeconds()).toBeLessThanOrEqual(0);
  });
});

it('remove_old_webhook_deliveries deletes succeeded deliveries after 7 days, failed and dropped ones after 30 days, and never pending ones', async () => {
  await client.query('delete from app.webhook_deliveries');
  const rows: [string, number | null][] = [
    ['succeeded', 6],
    ['succeeded', 8],
    ['failed', 29],
    ['failed', 31],
    ['dropped', 31],
    ['pending', null],
  ];
  for (const [status, days] of rows) {
    await client.query(
      `insert into app.webhook_deliveries (tracker_id, endpoint_id, event_id, type, status, completed_at)
       values ($1, $2, $3, 'movement.created', $4, now() - make_interval(days => $5))`,
      [tracker.trackerId, endpointId, randomUUID(), status, days],
    );
  }
  const { rows: removed } = await client.query('select app.remove_old_webhook_deliveries(1000) as count');
  expect(removed).toEqual([{ count: 3 }]);
  const { rows: left } = await client.query('select status from app.webhook_deliveries order by status');
  expect(left.map(({ status }) => status)).toEqual(['failed', 'pending', 'succeeded']);
});
