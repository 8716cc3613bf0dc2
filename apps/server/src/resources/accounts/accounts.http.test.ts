import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let owner: TestUser;
let viewer: TestUser;
let tracker: string;
let client: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  [owner, viewer] = await Promise.all([server.newUser(), server.newUser()]);
  tracker = await newTracker();
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

/** Creates a tracker without accounts, with `viewer` as a viewer. */
async function newTracker(): Promise<string> {
  const body = { name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid' };
  const { data } = await server.call('createTracker', { token: owner.token, body });
  await server.addMember({ by: owner, trackerId: data.id, user: viewer, role: 'viewer' });
  return data.id;
}

function create(body: Record<string, unknown>, where: { token?: string; tracker?: string } = {}) {
  const complete = { name: 'Wallet', type: 'cash', ...body };
  return server.call('createAccount', { token: owner.token, tracker, ...where, body: complete });
}

function update(accountId: string, body: Record<string, unknown>, where: { token?: string; tracker?: string } = {}) {
  return server.call('updateAccount', { token: owner.token, tracker, ...where, params: { accountId }, body });
}

async function auditsOf(resourceId: string): Promise<{ action: string; change: unknown }[]> {
  const { rows } = await client.query(
    'select action, change from app.recorded_events where resource_id = $1 order by occurred_at, id',
    [resourceId],
  );
  return rows;
}

describe('the accounts API', () => {
  // @proves spec, Catalog, accounts, balances: GET · /accounts
  it('lists only the active accounts of the tracker, the oldest first', async () => {
    const trackerId = await newTracker();
    const first = await create({ name: 'First' }, { tracker: trackerId });
    const second = await create({ name: 'Second' }, { tracker: trackerId });
    const archived = await create({ name: 'Archived' }, { tracker: trackerId });
    await update(archived.data.id, { status: 'archived' }, { tracker: trackerId });
    const { data, meta } = await server.call('listAccounts', { token: viewer.token, tracker: trackerId });
    expect(data.map(({ id }: { id: string }) => id)).toEqual([first.data.id, second.data.id]);
    expect(meta.trackerId).toBe(trackerId);
  });

  // @proves contract 9: PATCH /accounts/{id}
  it('renames an account, and adds an audit event with the old and the new name', async () => {
    const { data: account } = await create({});
    const { status, data } = await update(account.id, { name: '  Purse ' });
    expect(status).toBe(200);
    expect(data).toMatchObject({ id: account.id, name: 'Purse', status: 'active', eligibleCashboxCount: 1 });
    expect(await auditsOf(account.id)).toEqual([
      { action: 'account.created', change: null },
      { action: 'account.updated', change: { name: ['Wallet', 'Purse'] } },
    ]);
  });

  it('returns eligibleCashboxCount 0 for an account while it is archived', async () => {
    const { data: account } = await create({});
    expect((await update(account.id, { status: 'archived' })).data).toMatchObject({
      status: 'archived',
      eligibleCashboxCount: 0,
    });
    expect((await update(account.id, { status: 'active' })).data.eligibleCashboxCount).toBe(1);
  });

  it('changes no account and adds no audit event if the new values equal the current ones', async () => {
    const { data: account } = await create({});
    const { data } = await update(account.id, { name: 'Wallet', status: 'active' });
    expect(data.updatedAt).toBe(account.updatedAt);
    expect(await auditsOf(account.id)).toHaveLength(1);
  });

  it('sends two SQL statements to list the accounts', async () => {
    server.statements.length = 0;
    await server.call('listAccounts', { token: viewer.token, tracker });
    expect(server.statements).toHaveLength(2);
  });
});

describe('POST /accounts', () => {
  // @proves contract 3: account
  // @proves contract 3: Cashbox balance
  // @proves contract 9: POST /accounts
  it("opens an account in the tracker's currency with one cashbox of the same name", async () => {
    const { status, data, headers } = await create({ openingBalanceDecimal: '-10.5' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe('/v1/financial/accounts');
    expect(data).toMatchObject({ name: 'Wallet', type: 'cash', currencyCode: 'EUR', trackerId: tracker });
    expect(data.eligibleCashboxCount).toBe(1);
    expect(data.cashboxes).toMatchObject([
      { name: 'Wallet', accountId: data.id, isEligible: true, currencyCode: 'EUR' },
    ]);
    const balances = await server.call('listBalances', { token: owner.token, tracker });
    expect(balances.data).toContainEqual(
      expect.objectContaining({ cashboxId: data.cashboxes[0]?.id, balanceDecimal: '-10.50' }),
    );
  });

  // @proves contract 9: POST /accounts
  it('opens an account with the cashboxes of the body, in their order', async () => {
    const cashboxes = [
      { name: 'Coins {"a", \\}', openingBalanceDecimal: '1500' },
      { name: 'NULL' },
      { name: 'Coins {"a", \\}', openingBalanceDecimal: null },
    ];
    const { data } = await create({ currencyCode: 'JPY', cashboxes });
    expect(data.eligibleCashboxCount).toBe(3);
    expect(data.cashboxes.map(({ name }: { name: string }) => name)).toEqual(cashboxes.map(({ name }) => name));
    const listed = await server.call('listCashboxes', { token: owner.token, tracker, params: { accountId: data.id } });
    expect(listed.data).toEqual(data.cashboxes);
  });
});

describe('POST or PATCH of accounts with invalid input', () => {
  it('reports every opening balance with too many decimal places, and opens no account', async () => {
    const before = await server.call('listAccounts', { token: owner.token, tracker });
    const cashboxes = [
      { name: 'A', openingBalanceDecimal: '1.234' },
      { name: 'B', openingBalanceDecimal: '1' },
      { name: 'C', openingBalanceDecimal: '0.0001' },
    ];
    expect((await create({ cashboxes })).issues).toEqual([
      'cashboxes.0.openingBalanceDecimal AMOUNT_PRECISION',
      'cashboxes.2.openingBalanceDecimal AMOUNT_PRECISION',
    ]);
    expect((await create({ currencyCode: 'JPY', openingBalanceDecimal: '1.0' })).issues).toEqual([
      'openingBalanceDecimal AMOUNT_PRECISION',
    ]);
    expect((await server.call('listAccounts', { token: owner.token, tracker })).data).toEqual(before.data);
  });

  // @proves contract 10a: Issues
  it('rejects a body with both an opening balance of the account and a list of cashboxes', async () => {
    const { issues } = await create({ openingBalanceDecimal: '1', cashboxes: [{ name: 'A' }] });
    expect(issues).toEqual(['openingBalanceDecimal FIELD_CONFLICT']);
  });

  it('rejects an empty patch', async () => {
    const { data: account } = await create({});
    expect((await update(account.id, {})).issues).toEqual([' EMPTY_PATCH']);
  });
});

describe('POST or PATCH of accounts by a viewer', () => {
  // @proves contract 9: POST /accounts
  it('returns INSUFFICIENT_ROLE, because opening and changing an account requires the role admin', async () => {
    const { data: account } = await create({});
    const opened = await create({}, { token: viewer.token });
    expect(opened.error).toMatchObject({ code: 'INSUFFICIENT_ROLE', details: { requiredRole: 'admin' } });
    expect((await update(account.id, { name: 'Mine' }, { token: viewer.token })).error?.code).toBe('INSUFFICIENT_ROLE');
  });
});

describe('PATCH /accounts/{accountId}', () => {
  // @proves contract 2: Invisible records
  it('returns the same 404 for an account of another tracker and for one that does not exist', async () => {
    const elsewhere = await newTracker();
    const { data: account } = await create({}, { tracker: elsewhere });
    for (const accountId of [account.id, randomUUID(), 'malformed']) {
      const { error } = await update(accountId, { name: 'Mine' });
      expect(error).toMatchObject({ code: 'NOT_FOUND', details: {} });
    }
  });
});

describe('POST /accounts at its limit', () => {
  // @proves contract 4: GET /movements
  it('allows at most 1000 accounts per tracker, also for concurrent requests', async () => {
    const trackerId = await newTracker();
    await client.query(
      `insert into app.accounts (tracker_id, id, name, type, currency_code, status)
       select $1, gen_random_uuid(), 'Old ' || n, 'cash', 'EUR', 'archived' from generate_series(1, 998) n`,
      [trackerId],
    );
    const responses = await Promise.all(Array.from({ length: 6 }, () => create({}, { tracker: trackerId })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
  });
});
