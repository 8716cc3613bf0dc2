import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRoundTrips, type RoundTripCounter } from '../../test-support/count-round-trips.js';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

let counter: RoundTripCounter;
let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string };

beforeAll(async () => {
  server = await startTestServer({
    // With one connection in the pool, the counts include no round trips that open another connection.
    env: { DATABASE_POOL_MAX: '1' },
    connectThrough: async (connectionString) => {
      counter = await countRoundTrips(connectionString);
      return counter.connectionString;
    },
  });
  user = await server.newUser();
  tracker = await server.newTracker(user);
});

afterAll(async () => {
  await server.close();
  await counter.close();
});

async function roundTripsOf(act: () => Promise<{ status: number }>, status: number): Promise<number> {
  const before = counter.count();
  expect((await act()).status).toBe(status);
  return counter.count() - before;
}

function record() {
  const body = { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId } as const;
  return server.call('createMovement', { token: user.token, body });
}

describe('round trips to the database, including authentication and COMMIT:', () => {
  it('POST /movements makes two, with six statements', async () => {
    const statementsBefore = server.statements.length;
    expect(await roundTripsOf(record, 201)).toBe(2);
    const statements = server.statements.slice(statementsBefore);
    expect(statements).toHaveLength(6);
    // No statement sets the role, because the pool sets the role when it opens the connection.
    expect(statements.at(0)).toBe('BEGIN');
    expect(statements.at(1)).toContain('app.enter_request');
    expect(statements.at(-1)).toBe('COMMIT');
  });

  it('POST /movements/bulk with a hundred movements makes two, in each of the modes atomic and independent', async () => {
    const item = { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId } as const;
    const indexes = Array.from({ length: 100 }, (_, index) => index);
    const { token } = user;
    const atomic = { movements: indexes.map(() => item) };
    const records = () => server.call('createMovements', { token, body: atomic, idempotencyKey: 'all' });
    expect(await roundTripsOf(records, 201)).toBe(2);
    const movements = indexes.map((index) => ({ ...item, idempotencyKey: `row-${index}` }));
    const recordsEach = () => server.call('createMovements', { token, body: { mode: 'independent', movements } });
    expect(await roundTripsOf(recordsEach, 200)).toBe(2);
  });

  it('PATCH /movements/{id} makes at most four', async () => {
    const { data, headers } = await record();
    const correct = () =>
      server.call('correctMovement', {
        token: user.token,
        params: { movementId: data.id },
        ifMatch: headers.get('etag') ?? '',
        body: { amountDecimal: '2.00' },
      });
    expect(await roundTripsOf(correct, 200)).toBeLessThanOrEqual(4);
  });

  it.each([
    ['GET /accounts', 'listAccounts', 1],
    ['GET /balances', 'listBalances', 1],
    ['GET /accounts/{id}/cashboxes', 'listCashboxes', 2],
  ] as const)('%s (%s) makes exactly %i', async (_, call, count) => {
    const read = () => server.call(call, { token: user.token, params: { accountId: tracker.accountId } });
    expect(await roundTripsOf(read, 200)).toBe(count);
  });

  it('GET /movements/{id} makes one, even for the first request', async () => {
    const { data } = await record();
    const read = () => server.call('getMovement', { token: user.token, params: { movementId: data.id } });
    expect([await roundTripsOf(read, 200), await roundTripsOf(read, 200)]).toEqual([1, 1]);
  });

  it('GET /movements with three filters and the total count makes one', async () => {
    const query = { type: 'expense', accountId: tracker.accountId, from: '2020-01-01', includeTotal: 'true' };
    const list = () => server.call('listMovements', { token: user.token, query });
    const statementsBefore = server.statements.length;
    expect(await roundTripsOf(list, 200)).toBe(1);
    expect(server.statements.slice(statementsBefore)).toHaveLength(2);
  });

  it.each([
    ['without pending events', {}],
    ['with pending events', {}],
    ['with the records', { include: 'record' }],
  ])('GET /changes makes one, %s', async (condition, query) => {
    const list = () => server.call('listChanges', { token: user.token, query });
    await list();
    if (condition !== 'without pending events') await record();
    const statementsBefore = server.statements.length;
    expect(await roundTripsOf(list, 200)).toBe(1);
    const statements = server.statements.slice(statementsBefore);
    expect(statements.filter((sql) => sql.includes('app.number_events'))).toHaveLength(1);
    expect([statements.at(0), statements.at(-1)]).toEqual(['BEGIN', 'COMMIT']);
    expect(statements).toHaveLength('include' in query ? 11 : 5);
  });

  it('GET /identity/me makes four', async () => {
    expect(await roundTripsOf(() => server.call('getMe', { token: user.token }), 200)).toBe(4);
  });

  it('a replay of POST /movements makes two', async () => {
    const body = { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId } as const;
    const repeat = () => server.call('createMovement', { token: user.token, body, idempotencyKey: 'the same' });
    expect((await repeat()).status).toBe(201);
    expect(await roundTripsOf(repeat, 200)).toBe(2);
  });
});
