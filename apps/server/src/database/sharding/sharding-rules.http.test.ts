import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';
import { createTestDatabase } from '../../../test-support/test-database.js';
import { applyShardingRules } from './apply-sharding-rules.js';

// The server runs with the policies and functions of a sharded database, on one machine.
const directory = fileURLToPath(new URL('../../../sharding', import.meta.url));
let server: TestServer;
let ana: TestUser;
let ben: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };

beforeAll(async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  await client.query('begin');
  await applyShardingRules(client, { directory });
  await client.query('commit');
  await client.end();
  server = await startTestServer({ database });
  ana = await server.newUser();
  ben = await server.newUser();
  tracker = await server.newTracker(ana);
});
afterAll(() => server.close());

it('under the sharding rules, the server replays a repeated category, movement, correction or transfer, and records each once', async () => {
  const asAna = { token: ana.token, tracker: tracker.id };
  const savings = await server.newAccount(ana, tracker.id, { name: 'Savings' });
  const category = { ...asAna, idempotencyKey: randomUUID(), body: { name: 'Mine', scope: 'user' } };
  const made = await server.call('createCategory', category);
  expect((await server.call('createCategory', category)).data).toEqual(made.data);
  const movement = {
    ...asAna,
    idempotencyKey: randomUUID(),
    body: { type: 'expense', amountDecimal: '12.50', accountId: tracker.accountId, categoryId: made.data.id },
  };
  const first = await server.call('createMovement', movement);
  expect(first.status).toBe(201);
  const again = await server.call('createMovement', movement);
  expect(again).toMatchObject({ status: 200, data: first.data, meta: { idempotentReplay: true } });
  const correction = {
    ...asAna,
    idempotencyKey: randomUUID(),
    params: { movementId: first.data.id },
    ifMatch: first.headers.get('ETag') ?? '',
    body: { amountDecimal: '10.00' },
  };
  const corrected = await server.call('correctMovement', correction);
  expect((await server.call('correctMovement', correction)).data).toEqual(corrected.data);
  const transfer = {
    ...asAna,
    idempotencyKey: randomUUID(),
    body: { amountDecimal: '1.00', fromAccountId: tracker.accountId, toAccountId: savings.id },
  };
  const moved = await server.call('createTransfer', transfer);
  expect((await server.call('createTransfer', transfer)).data).toEqual(moved.data);
  const balances = await server.call('listBalances', asAna);
  expect(balances.data.map(({ balanceDecimal }) => balanceDecimal)).toEqual(['-11.00', '1.00']);
});

it('a new member sees the category of the owner that a movement uses, and gets 403 after being removed', async () => {
  const asBen = { token: ben.token, tracker: tracker.id };
  expect(await server.call('listMovements', asBen)).toMatchObject({ status: 403 });
  await server.addMember({ by: ana, trackerId: tracker.id, user: ben, role: 'viewer' });
  const { data } = await server.call('listMovements', asBen);
  const used = data.find(({ categoryId }) => categoryId !== null && categoryId !== 'cat_unknown')?.categoryId;
  const categories = await server.call('listCategories', asBen);
  expect(categories.data.map(({ id }) => id)).toContain(used);
  await server.call('removeMember', { token: ana.token, params: { trackerId: tracker.id, userId: ben.userId } });
  expect(await server.call('listMovements', asBen)).toMatchObject({ status: 403 });
});

it('the server hides and refuses the category of another user if the tracker does not use it, although the sharding policies let it read the row', async () => {
  const elsewhere = await server.newTracker(ben);
  const made = await server.call('createCategory', {
    token: ben.token,
    tracker: elsewhere.id,
    body: { name: 'Hidden', scope: 'user' },
  });
  const asAna = { token: ana.token, tracker: tracker.id };
  const { data } = await server.call('listCategories', asAna);
  expect(data.map(({ name }) => name)).not.toContain('Hidden');
  const refused = await server.call('createMovement', {
    ...asAna,
    body: { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId, categoryId: made.data.id },
  });
  expect(refused.status).toBeGreaterThanOrEqual(400);
});

it('under the sharding rules, the server returns 409 for a second category with the same name', async () => {
  const asAna = { token: ana.token, tracker: tracker.id };
  await server.call('createCategory', { ...asAna, body: { name: 'Twice' } });
  expect(await server.call('createCategory', { ...asAna, body: { name: 'Twice' } })).toMatchObject({ status: 409 });
});
