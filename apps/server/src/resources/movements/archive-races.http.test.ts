import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';
import { waitForLockedStatements } from '../../../test-support/wait-for-locked-statements.js';

let server: TestServer;
let user: TestUser;
/** A concurrent transaction that holds locks. */
let other: pg.Client;
/** Reads pg_stat_activity outside a transaction, because PostgreSQL caches these statistics within a transaction. */
let observer: pg.Client;
let tracker: { id: string; accountId: string; cashboxId: string };
let targetAccount: { id: string };

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newUser();
});
afterAll(() => server.close());

beforeEach(async () => {
  tracker = await server.newTracker(user);
  targetAccount = await server.newAccount(user, tracker.id);
  other = new pg.Client({ connectionString: server.connectionString });
  await other.connect();
  observer = new pg.Client({ connectionString: server.connectionString });
  await observer.connect();
});
afterEach(() => Promise.all([other.end(), observer.end()]));

function createExpense(key: string, cashboxId?: string) {
  const body = { type: 'expense', amountDecimal: '5.00', accountId: tracker.accountId, cashboxId };
  return server.call('createMovement', { token: user.token, tracker: tracker.id, body, idempotencyKey: key });
}

function transfer(key: string) {
  const body = { amountDecimal: '5.00', fromAccountId: tracker.accountId, toAccountId: targetAccount.id };
  return server.call('createTransfer', { token: user.token, tracker: tracker.id, body, idempotencyKey: key });
}

function archive(what: 'cashbox' | 'account', accountId = tracker.accountId) {
  const to = { token: user.token, tracker: tracker.id, body: { status: 'archived' } };
  return what === 'cashbox'
    ? server.call('updateCashbox', { ...to, params: { cashboxId: tracker.cashboxId } })
    : server.call('updateAccount', { ...to, params: { accountId } });
}

async function countRows(): Promise<Record<string, unknown>> {
  const { rows } = await observer.query(
    `select (select count(*)::int from app.movements where tracker_id = $1) as movements,
       (select count(*)::int from app.transfers where tracker_id = $1) as transfers,
       (select count(*)::int from app.idempotency_keys where tracker_id = $1) as keys,
       (select count(*)::int from app.recorded_events where tracker_id = $1 and resource_type in ('movement', 'transfer')) as audits,
       (select sum(balance)::text from app.cashboxes where tracker_id = $1) as balance`,
    [tracker.id],
  );
  return rows[0];
}

/** Expects the error for an archived cashbox, and unchanged row counts and balance. */
async function expectRefused(
  response: ReturnType<typeof createExpense> | ReturnType<typeof transfer>,
  before: Record<string, unknown>,
): Promise<void> {
  const { status, error } = await response;
  expect({ status, code: error?.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
  expect(JSON.stringify(error?.details)).toContain('NO_ELIGIBLE_CASHBOX');
  expect(await countRows()).toEqual(before);
}

describe.each([
  ['an expense', (key: string) => createExpense(key), () => tracker.accountId],
  ['a transfer', transfer, () => targetAccount.id],
])('%s whose request runs while its cashbox or account is being archived', (_, write, archivedAccountId) => {
  it('is rejected and changes nothing when the cashbox is archived between the check of the cashbox and the insert', async () => {
    const before = await countRows();
    await other.query('begin');
    await other.query(`update app.cashboxes set status = 'archived' where id = $1`, [tracker.cashboxId]);
    const response = write(randomUUID());
    await waitForLockedStatements({ client: observer, count: 1 });
    await other.query('commit');

    await expectRefused(response, before);
  });

  it('is rejected and changes nothing when an account is archived while the server loads that account', async () => {
    const before = await countRows();
    const archiving = [tracker.id, archivedAccountId()];
    await other.query('begin');
    await other.query(
      `select pg_advisory_xact_lock(hashtextextended($1::uuid::text || ' ' || $2::uuid::text, 5))`,
      archiving,
    );
    await other.query(`update app.accounts set status = 'archived' where tracker_id = $1 and id = $2`, archiving);
    const response = write(randomUUID());
    await waitForLockedStatements({ client: observer, count: 1 });
    await other.query('commit');

    await expectRefused(response, before);
  });

  it('is recorded once if the transaction that archives the cashbox is rolled back', async () => {
    await other.query('begin');
    await other.query(`update app.cashboxes set status = 'archived' where id = $1`, [tracker.cashboxId]);
    const key = randomUUID();
    const response = write(key);
    await waitForLockedStatements({ client: observer, count: 1 });
    await other.query('rollback');

    expect((await response).status).toBe(201);
    expect((await write(key)).meta).toMatchObject({ idempotentReplay: true });
    expect(await countRows()).toMatchObject({ keys: 1, audits: 1 });
  });

  it.each(['cashbox', 'account'] as const)(
    'is committed before the server responds to the request that archives the %s',
    async (what) => {
      // This lock on the row of the cashbox makes the write wait after the server has checked the cashbox. The transaction with the lock
      // does not change the row, because after a change PostgreSQL would wake the waiting statements in any order.
      await other.query('begin');
      await other.query('select from app.cashboxes where id = $1 for update', [tracker.cashboxId]);
      const response = write(randomUUID());
      await waitForLockedStatements({ client: observer, count: 1 });
      const archived = archive(what).then(async ({ status }) => ({ status, ...(await countRows()) }));
      await waitForLockedStatements({ client: observer, count: 2 });
      await other.query('commit');

      expect((await response).status).toBe(201);
      expect(await archived).toMatchObject({ status: 200, keys: 1, audits: 1 });
    },
  );
});

it('the server commits a started transfer before it responds to the request that archives the target account', async () => {
  await other.query('begin');
  await other.query('select from app.cashboxes where id = $1 for update', [tracker.cashboxId]);
  const response = transfer(randomUUID());
  await waitForLockedStatements({ client: observer, count: 1 });
  const archived = archive('account', targetAccount.id).then(async ({ status }) => ({
    status,
    ...(await countRows()),
  }));
  await waitForLockedStatements({ client: observer, count: 2 });
  await other.query('commit');

  expect((await response).status).toBe(201);
  expect(await archived).toMatchObject({ status: 200, movements: 2, transfers: 1, keys: 1, audits: 1 });
});

it('the server records expenses in two cashboxes of one account concurrently', async () => {
  const to = { token: user.token, tracker: tracker.id, params: { accountId: tracker.accountId } };
  const { data: second } = await server.call('createCashbox', { ...to, body: { name: 'Second' } });
  await other.query('begin');
  await other.query('select from app.cashboxes where id = $1 for update', [tracker.cashboxId]);
  const blocked = createExpense(randomUUID(), tracker.cashboxId);
  await waitForLockedStatements({ client: observer, count: 1 });
  const unblocked = createExpense(randomUUID(), second.id);
  const first = await Promise.race([unblocked.then(() => 'unblocked'), blocked.then(() => 'blocked')]);
  await other.query('commit');

  expect(first).toBe('unblocked');
  expect((await unblocked).status).toBe(201);
  expect((await blocked).status).toBe(201);
});
