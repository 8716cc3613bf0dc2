import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let tracker: string;
let client: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newUser();
  tracker = (await server.newTracker(user)).id;
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

function create(accountId: string, body: Record<string, unknown> = {}) {
  const complete = { name: 'Coins', ...body };
  return server.call('createCashbox', { token: user.token, tracker, params: { accountId }, body: complete });
}

function update(cashboxId: string, body: Record<string, unknown>) {
  return server.call('updateCashbox', { token: user.token, tracker, params: { cashboxId }, body });
}

function archiveAccount(accountId: string) {
  const body = { status: 'archived' };
  return server.call('updateAccount', { token: user.token, tracker, params: { accountId }, body });
}

function list(accountId: string) {
  return server.call('listCashboxes', { token: user.token, tracker, params: { accountId } });
}

function balances(trackerId = tracker) {
  return server.call('listBalances', { token: user.token, tracker: trackerId });
}

const idOf = ({ id }: { id: string }) => id;
const cashboxIdOf = ({ cashboxId }: { cashboxId: string }) => cashboxId;

describe('cashboxes and balances: the server', () => {
  // @proves spec, Catalog, accounts, balances: GET · /accounts/{accountId}/cashboxes
  // @proves contract 3: cashbox
  it('lists only the active cashboxes of an account, the oldest first', async () => {
    const account = await server.newAccount(user, tracker);
    const added = await create(account.id);
    const archived = await create(account.id);
    await update(archived.data.id, { status: 'archived' });
    const { data } = await list(account.id);
    expect(data.map(idOf)).toEqual([account.cashboxes[0]?.id, added.data.id]);
  });

  it('returns an empty list of cashboxes for an account without an active cashbox', async () => {
    const account = await server.newAccount(user, tracker);
    await update(account.cashboxes[0]?.id ?? '', { status: 'archived' });
    expect(await list(account.id)).toMatchObject({ status: 200, data: [] });
  });

  it('returns isEligible=false for the cashboxes of an archived account', async () => {
    const account = await server.newAccount(user, tracker);
    await archiveAccount(account.id);
    expect((await list(account.id)).data).toMatchObject([{ status: 'active', isEligible: false }]);
  });

  // @proves contract 9: PATCH /cashboxes/{id}
  it('renames and archives a cashbox, and excludes it from the eligibleCashboxCount of its account', async () => {
    const account = await server.newAccount(user, tracker);
    const added = await create(account.id);
    const { data } = await update(added.data.id, { name: 'Notes', status: 'archived' });
    expect(data).toMatchObject({ id: added.data.id, name: 'Notes', status: 'archived', isEligible: false });
    const accounts = await server.call('listAccounts', { token: user.token, tracker });
    expect(accounts.data).toContainEqual(expect.objectContaining({ id: account.id, eligibleCashboxCount: 1 }));
  });

  // @proves spec, Catalog, accounts, balances: GET · /balances
  // @proves contract 3: balance
  it('returns the balance of every active cashbox of an active account, and of no other cashbox', async () => {
    const trackerId = (await server.newTracker(user)).id;
    const cashboxes = [
      { name: 'A', openingBalanceDecimal: '-0' },
      { name: 'B', openingBalanceDecimal: '-1.5' },
      { name: 'C', openingBalanceDecimal: '999999999999999.99' },
    ];
    const body = { name: 'Full', type: 'cash', cashboxes };
    const opened = await server.call('createAccount', { token: user.token, tracker: trackerId, body });
    const [a, b, c] = opened.data.cashboxes.map(idOf);
    await server.call('updateCashbox', {
      token: user.token,
      tracker: trackerId,
      params: { cashboxId: c ?? '' },
      body: { status: 'archived' },
    });
    const before = Date.now() - 60_000;
    const { data, meta } = await balances(trackerId);
    expect(meta.trackerId).toBe(trackerId);
    expect(data.slice(1)).toMatchObject([
      { cashboxId: a, cashboxName: 'A', accountName: 'Full', balanceDecimal: '0.00', currencyCode: 'EUR' },
      { cashboxId: b, balanceDecimal: '-1.50' },
    ]);
    expect(Date.parse(data[0]?.asOf ?? '')).toBeGreaterThan(before);
    expect(new Set(data.map(({ asOf }: { asOf: string }) => asOf)).size).toBe(1);
    await server.call('updateAccount', {
      token: user.token,
      tracker: trackerId,
      params: { accountId: opened.data.id },
      body: { status: 'archived' },
    });
    expect((await balances(trackerId)).data.map(cashboxIdOf)).toEqual([data[0]?.cashboxId]);
  });

  it('sends two SQL statements for GET /balances, and four for GET /accounts/{accountId}/cashboxes', async () => {
    const account = await server.newAccount(user, tracker);
    server.statements.length = 0;
    await balances();
    expect(server.statements).toHaveLength(2);
    server.statements.length = 0;
    await list(account.id);
    expect(server.statements).toHaveLength(4);
  });
});

describe('POST /accounts/{accountId}/cashboxes', () => {
  // @proves contract 9: POST /accounts/{id}/cashboxes
  it('opens a cashbox with the currency of the account and the given opening balance, and records an audit event', async () => {
    const account = await server.newAccount(user, tracker, { currencyCode: 'KWD' });
    const { status, data, headers } = await create(account.id, { openingBalanceDecimal: '1.125' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/financial/accounts/${account.id}/cashboxes`);
    expect(data).toMatchObject({ name: 'Coins', accountId: account.id, currencyCode: 'KWD', isEligible: true });
    expect((await balances()).data).toContainEqual(
      expect.objectContaining({ cashboxId: data.id, balanceDecimal: '1.125' }),
    );
    const { rows } = await client.query('select action, user_id from app.recorded_events where resource_id = $1', [
      data.id,
    ]);
    expect(rows).toEqual([{ action: 'cashbox.created', user_id: user.userId }]);
  });
});

describe('POST /accounts/{accountId}/cashboxes with invalid input', () => {
  it('rejects an opening balance with too many decimal places instead of rounding it', async () => {
    const account = await server.newAccount(user, tracker, { currencyCode: 'JPY' });
    const { issues } = await create(account.id, { openingBalanceDecimal: '1.5' });
    expect(issues).toEqual(['openingBalanceDecimal AMOUNT_PRECISION']);
    expect((await list(account.id)).data).toHaveLength(1);
  });
});

describe('the operations on cashboxes', () => {
  // @proves contract 2: Invisible records
  it('return the same 404 for an account or cashbox of another tracker and for one that does not exist', async () => {
    const otherUser = await server.newUser();
    const theirs = await server.newTracker(otherUser);
    for (const accountId of [theirs.accountId, randomUUID(), 'malformed']) {
      expect((await list(accountId)).error).toMatchObject({ code: 'NOT_FOUND', details: {} });
      expect((await create(accountId)).error).toMatchObject({ code: 'NOT_FOUND', details: {} });
    }
    for (const cashboxId of [theirs.cashboxId, randomUUID(), 'malformed']) {
      expect((await update(cashboxId, { name: 'Mine' })).error).toMatchObject({ code: 'NOT_FOUND', details: {} });
    }
  });
});

describe('POST /accounts/{accountId}/cashboxes at its limits', () => {
  // @proves contract 4: GET /movements
  it('allows at most 1000 cashboxes per account, also for concurrent requests', async () => {
    const account = await server.newAccount(user, tracker);
    await client.query(
      `insert into app.cashboxes (tracker_id, id, account_id, name, status, opening_balance, balance)
       select $1, gen_random_uuid(), $2, 'Old ' || n, 'archived', 0, 0 from generate_series(1, 997) n`,
      [tracker, account.id],
    );
    const responses = await Promise.all(Array.from({ length: 6 }, () => create(account.id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
  });

  // @proves contract 10a: Bounds
  it('allows at most 5000 cashboxes per tracker, also for concurrent requests in several accounts', async () => {
    const { id: full } = await server.newTracker(user);
    const accounts = await Promise.all(Array.from({ length: 6 }, () => server.newAccount(user, full)));
    // Each of the seven accounts has one cashbox. With the 6 * 831 archived ones, the tracker has 4993 cashboxes.
    await client.query(
      `insert into app.cashboxes (tracker_id, id, account_id, name, status, opening_balance, balance)
       select $1, gen_random_uuid(), account_id, 'Old ' || n, 'archived', 0, 0
       from unnest($2::uuid[]) account_id, generate_series(1, 831) n`,
      [full, accounts.map(({ id }) => id)],
    );
    const open = (accountId: string) =>
      server.call('createCashbox', { token: user.token, tracker: full, params: { accountId }, body: { name: 'New' } });
    const openAccount = (count: number) =>
      server.call('createAccount', {
        token: user.token,
        tracker: full,
        body: { name: 'New', type: 'cash', cashboxes: Array.from({ length: count }, () => ({ name: 'New' })) },
      });
    expect((await openAccount(8)).status).toBe(409);
    const responses = await Promise.all([...accounts.map(({ id }) => open(id)), openAccount(2), openAccount(3)]);
    for (const { error } of responses.filter(({ status }) => status !== 201)) {
      expect(error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
    }
    const left = () =>
      client.query('select 5000 - count(*)::int as left from app.cashboxes where tracker_id = $1', [full]);
    for (let remaining = (await left()).rows[0].left; remaining > 0; remaining -= 1) {
      expect((await open(accounts[0]?.id ?? '')).status).toBe(201);
    }
    expect((await open(accounts[0]?.id ?? '')).status).toBe(409);
    expect((await openAccount(1)).status).toBe(409);
    expect((await left()).rows).toEqual([{ left: 0 }]);
  });
});
