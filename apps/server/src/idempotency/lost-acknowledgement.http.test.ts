import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommitCutter, startCommitCutter } from '../../test-support/start-commit-cutter.js';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

/** A proxy between the server and PostgreSQL. It cuts connections immediately before or after a COMMIT. */
let cutter: CommitCutter;
let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };
let client: pg.Client;

beforeAll(async () => {
  server = await startTestServer({
    connectThrough: async (connectionString) => {
      cutter = await startCommitCutter(connectionString);
      return cutter.connectionString;
    },
  });
  user = await server.newUser();
  tracker = await server.newTracker(user);
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
  await cutter.close();
});

beforeEach(() => cutter.cut(null, 0));

function create(key: string) {
  return server.call('createMovement', {
    token: user.token,
    idempotencyKey: key,
    body: { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId },
  });
}

async function totals() {
  const { rows } = await client.query(
    `select (select count(*)::int from app.movements) movements, (select count(*)::int from app.idempotency_keys) keys,
       (select count(*)::int from app.recorded_events where action = 'movement.created') audits,
       (select balance::text from app.cashboxes where id = $1) balance`,
    [tracker.cashboxId],
  );
  return rows[0];
}

describe.each(['before', 'after'] as const)(
  'the loss of the database connection %s the COMMIT of a write with an Idempotency-Key',
  (where) => {
    // @proves contract 6: Transaction
    it('is hidden from the client: the request gets 201, and one movement is recorded', async () => {
      const before = await totals();
      const cuts = cutter.cutCount();
      cutter.cut(where);
      const key = randomUUID();
      const response = await create(key);
      expect(cutter.cutCount()).toBe(cuts + 1);
      expect(response.status).toBe(201);
      expect(response.meta.idempotentReplay).toBeUndefined();
      expect(response.headers.get('location')).toBe(`/v1/financial/movements/${response.data.id}`);
      expect(response.headers.get('etag')).not.toBeNull();
      expect(await totals()).toEqual({
        movements: before.movements + 1,
        keys: before.keys + 1,
        audits: before.audits + 1,
        balance: (Number(before.balance) - 1).toFixed(4),
      });
      const replay = await create(key);
      expect([replay.status, replay.data]).toEqual([200, response.data]);
    });

    it('is hidden from twelve concurrent requests with different keys: each gets 201, and is recorded once', async () => {
      const before = await totals();
      cutter.cut(where, 8);
      const responses = await Promise.all(Array.from({ length: 12 }, () => create(randomUUID())));
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
      expect((await totals()).movements).toBe(before.movements + 12);
    });
  },
);

describe('the loss of the database connection after the COMMIT of a write without an Idempotency-Key', () => {
  it('causes 503, and the server does not retry the write', async () => {
    const { rows: before } = await client.query('select count(*)::int as count from app.accounts');
    cutter.cut('after');
    const response = await server.call('createAccount', { token: user.token, body: { name: 'Once', type: 'cash' } });
    expect([response.status, response.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    const { rows: after } = await client.query('select count(*)::int as count from app.accounts');
    expect(after[0].count).toBe(before[0].count + 1);
  });
});
