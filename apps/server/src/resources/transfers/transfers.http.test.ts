import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };
let savings: { id: string; cashboxes: { id: string }[] };
let client: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newUser();
  tracker = await server.newTracker(user);
  savings = await server.newAccount(user, tracker.id, {
    name: 'Savings',
    type: 'savings',
    openingBalanceDecimal: '100',
  });
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

function transfer(fields: Record<string, unknown> = {}, key: string = randomUUID()) {
  return server.call('createTransfer', {
    token: user.token,
    idempotencyKey: key,
    body: { amountDecimal: '5.00', fromAccountId: savings.id, toAccountId: tracker.accountId, ...fields },
  });
}

async function balanceOf(accountId: string): Promise<string | undefined> {
  const { data } = await server.call('listBalances', { token: user.token, tracker: tracker.id });
  return data.find((row) => row.accountId === accountId)?.balanceDecimal;
}

async function snapshot() {
  const { rows } = await client.query(
    `select (select count(*)::int from app.movements) movements, (select count(*)::int from app.transfers) transfers,
       (select count(*)::int from app.recorded_events) audits, (select json_agg(balance order by id) from app.cashboxes) balances`,
  );
  return rows[0];
}

describe('POST /transfers', () => {
  // @proves spec, Transfer request fields: amountDecimal
  // @proves spec, Transfer request fields: description
  // @proves spec, Movements and transfers: POST · /transfers
  // @proves spec, Movements and transfers: GET · /transfers/{groupId}
  // @proves contract 3: transfer
  // @proves contract 3: Transfer legs
  it('creates exactly two movements with the same amount and changes both balances', async () => {
    const before = await snapshot();
    const { status, data, headers } = await transfer({ description: 'Rainy day' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/financial/transfers/${data.groupId}`);
    const [outgoing, incoming] = data.movements;
    expect(data).toMatchObject({
      amountDecimal: '5.00',
      currencyCode: 'EUR',
      description: 'Rainy day',
      from: { accountId: savings.id, cashboxId: savings.cashboxes[0]?.id, movementId: outgoing.id },
      to: { accountId: tracker.accountId, cashboxId: tracker.cashboxId, movementId: incoming.id },
    });
    for (const [leg, type] of [
      [outgoing, 'expense'],
      [incoming, 'income'],
    ]) {
      expect(leg).toMatchObject({
        type,
        kind: 'transfer',
        categoryId: null,
        transferGroupId: data.groupId,
        amountDecimal: '5.00',
      });
    }
    expect(await balanceOf(savings.id)).toBe('95.00');
    expect(await balanceOf(tracker.accountId)).toBe('5.00');
    const after = await snapshot();
    expect(after.movements).toBe(before.movements + 2);
    expect(after.transfers).toBe(before.transfers + 1);
    expect(after.audits).toBe(before.audits + 1);
    const sum = (values: string[]) => values.reduce((total, value) => total + Number(value), 0);
    expect(sum(after.balances)).toBeCloseTo(sum(before.balances), 4);
    const fetched = await server.call('getTransfer', { token: user.token, params: { groupId: data.groupId } });
    expect(fetched.data).toEqual(data);
  });

  // @proves contract 3: Cashbox balance
  it('leaves all balances unchanged after forty concurrent transfers of the same amount, half in each direction', async () => {
    const before = await snapshot();
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0 ? transfer() : transfer({ fromAccountId: tracker.accountId, toAccountId: savings.id }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 201));
    expect((await snapshot()).balances).toEqual(before.balances);
  });

  it('locks the balances in the order of the cashbox ids, even if the source cashbox has the higher id', async () => {
    const side = (accountId: string, cashboxId: string | undefined) => ({ accountId, cashboxId });
    const sides = [side(savings.id, savings.cashboxes[0]?.id), side(tracker.accountId, tracker.cashboxId)];
    const [first, last] = sides.sort((a, b) => ((a.cashboxId ?? '') < (b.cashboxId ?? '') ? -1 : 1));
    const other = new pg.Client({ connectionString: server.connectionString });
    await other.connect();
    const lock = 'select id from app.cashboxes where id = $1 for update skip locked';
    await client.query('begin');
    await client.query(lock, [first?.cashboxId]);
    const response = transfer({ fromAccountId: last?.accountId, toAccountId: first?.accountId });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await other.query(waiting)).rowCount, { timeout: 60_000 }).toBe(1);
    // The transfer waits for the first balance and has not locked the last balance yet.
    const { rowCount } = await other.query(lock, [last?.cashboxId]);
    await client.query('rollback');
    await other.end();
    expect(rowCount).toBe(1);
    expect((await response).status).toBe(201);
  });
});

describe('POST /transfers with a repeated Idempotency-Key', () => {
  // @proves spec, Movements and transfers: POST · /transfers
  // @proves spec, Idempotency rules: rule 1
  it('returns the first response and changes no balance', async () => {
    const key = randomUUID();
    const first = await transfer({}, key);
    const before = await snapshot();
    const second = await transfer({ amountDecimal: '5' }, key);
    expect(second.status).toBe(200);
    expect(second.meta.idempotentReplay).toBe(true);
    expect(second.data).toEqual(first.data);
    expect(await snapshot()).toEqual(before);
  });
});

describe('POST /transfers with invalid input', () => {
  // @proves spec, Transfer request fields: currencyCode
  // @proves contract 4: POST /transfers
  it('rejects different currencies, the same cashbox on both sides, and too many decimal places; records nothing', async () => {
    const dollars = await server.newAccount(user, tracker.id, { name: 'Dollars', currencyCode: 'USD' });
    const before = await snapshot();
    expect((await transfer({ toAccountId: dollars.id })).issues).toEqual(['toAccountId CURRENCY_MISMATCH']);
    expect((await transfer({ toAccountId: savings.id })).issues).toEqual(['toCashboxId SAME_SOURCE_AND_DESTINATION']);
    expect((await transfer({ amountDecimal: '1.001' })).issues).toEqual(['amountDecimal AMOUNT_PRECISION']);
    expect((await transfer({ currencyCode: 'USD' })).issues).toEqual(['currencyCode CURRENCY_MISMATCH']);
    expect((await transfer({ fromAccountId: undefined })).issues).toEqual(['fromAccountId REQUIRED']);
    expect(await snapshot()).toEqual(before);
  });

  // @proves spec, Transfer request fields: toCashboxId
  it('rejects a cashbox of an archived account', async () => {
    const closed = await server.newAccount(user, tracker.id, { name: 'Closed' });
    await server.call('updateAccount', {
      token: user.token,
      tracker: tracker.id,
      params: { accountId: closed.id },
      body: { status: 'archived' },
    });
    expect((await transfer({ toAccountId: closed.id })).issues).toEqual(['toCashboxId NO_ELIGIBLE_CASHBOX']);
    const named = { fromAccountId: closed.id, fromCashboxId: closed.cashboxes[0]?.id };
    expect((await transfer(named)).issues).toEqual(['fromCashboxId NO_ELIGIBLE_CASHBOX']);
  });

  // @proves spec, Transfer request fields: fromCashboxId
  // @proves spec, Transfer request fields: toCashboxId
  it('requires a cashbox for each side whose account has several eligible cashboxes', async () => {
    const wallet = await server.newAccount(user, tracker.id, { cashboxes: [{ name: 'a' }, { name: 'b' }] });
    const { issues } = await transfer({ fromAccountId: wallet.id, toAccountId: wallet.id });
    expect(issues).toEqual(['fromCashboxId CASHBOX_SELECTION_REQUIRED', 'toCashboxId CASHBOX_SELECTION_REQUIRED']);
    const inside = await transfer({
      fromAccountId: wallet.id,
      fromCashboxId: wallet.cashboxes[0]?.id,
      toAccountId: wallet.id,
      toCashboxId: wallet.cashboxes[1]?.id,
    });
    expect(inside.status).toBe(201);
  });
});

describe('POST /transfers and GET /transfers/{groupId}', () => {
  // @proves spec, Movements and transfers: GET · /transfers/{groupId}
  // @proves spec, Errors: 404
  it('return the same 404 for an account or transfer of another tracker and for one that does not exist', async () => {
    const otherUser = await server.newUser();
    const otherTracker = await server.newTracker(otherUser);
    const foreign = await transfer({ toAccountId: otherTracker.accountId });
    const none = await transfer({ toAccountId: randomUUID() });
    expect(foreign.status).toBe(404);
    expect(foreign.error).toEqual(none.error);
    const { data } = await transfer();
    const seen = await server.call('getTransfer', { token: otherUser.token, params: { groupId: data.groupId } });
    const nothing = await server.call('getTransfer', { token: otherUser.token, params: { groupId: randomUUID() } });
    expect(seen.status).toBe(404);
    expect(seen.error).toEqual(nothing.error);
  });
});
