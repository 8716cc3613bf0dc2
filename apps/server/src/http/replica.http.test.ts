import { randomUUID } from 'node:crypto';
import { type RouteName, routes, takesReadAfter } from '@centavo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplicatedServer, startReplicatedServer } from '../../test-support/start-replicated-server.js';
import { type CallOptions, startTestServer, type TestUser } from '../../test-support/start-test-server.js';

const header = 'centavo-read-after';
let replicated: ReplicatedServer;
let user: TestUser;
let tracker: { id: string; accountId: string };

beforeAll(async () => {
  replicated = await startReplicatedServer();
  user = await replicated.server.newUser();
  tracker = await replicated.server.newTracker(user);
  await replicated.postgres.catchUp();
});

afterAll(() => replicated.close());

function write(options: CallOptions = {}) {
  const body = { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId } as const;
  return replicated.server.call('createMovement', { token: user.token, tracker: tracker.id, body, ...options });
}

/** Reads a state at least as new as the position `readAfter`; without a position, the latest state. */
function read<Name extends RouteName>(name: Name, readAfter: string | undefined, options: CallOptions = {}) {
  const headers: Record<string, string> = readAfter === undefined ? {} : { [header]: readAfter };
  return replicated.server.call(name, { token: user.token, tracker: tracker.id, ...options, headers });
}

describe('the header Centavo-Read-After of a write', () => {
  it('is returned when the write is recorded, replayed or changes nothing, and never decreases', async () => {
    const idempotencyKey = randomUUID();
    const positions: string[] = [];
    for (const answer of [await write({ idempotencyKey }), await write({ idempotencyKey })]) {
      positions.push(answer.headers.get(header) ?? 'nothing');
    }
    const unchanged = await replicated.server.call('setActiveTracker', {
      token: user.token,
      body: { trackerId: tracker.id },
    });
    positions.push(unchanged.headers.get(header) ?? 'nothing');
    const offsets = positions.map((at) => {
      expect(at).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
      const [high = '', low = ''] = at.split('/');
      return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
    });
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
  });

  it('is not returned by refusals, reads and identity operations', async () => {
    const refused = await write({ body: {} });
    const session = await replicated.server.call('createSession', {
      body: { email: user.email, password: user.password },
    });
    const answers = [refused, session, await read('listMovements', undefined), await read('listMovements', '0/0')];
    expect(answers.map(({ status }) => status)).toEqual([400, 201, 200, 200]);
    for (const { headers } of answers) expect(headers.has(header)).toBe(false);
  });

  it('is read in the same batch as COMMIT', async () => {
    await write();
    const before = replicated.toPrimary.count();
    const statementsBefore = replicated.server.statements.length;
    await write();
    expect(replicated.toPrimary.count() - before).toBe(2);
    expect(replicated.server.statements.slice(statementsBefore).slice(-2)).toEqual([
      'COMMIT',
      'select pg_current_wal_insert_lsn() as position',
    ]);
  });

  it('is not returned by a server without a replica', async () => {
    const plain = await startTestServer();
    const owner = await plain.newUser();
    const { accountId } = await plain.newTracker(owner);
    const body = { type: 'expense', amountDecimal: '1.00', accountId } as const;
    const { status, headers } = await plain.call('createMovement', { token: owner.token, body });
    const readings = await plain.call('listMovements', { token: owner.token, headers: { [header]: '0/0' } });
    await plain.close();
    expect([status, headers.has(header), readings.data.length]).toEqual([201, false, 1]);
    expect(plain.statements.join()).not.toContain('lsn');
  });
});

describe('a read with the header Centavo-Read-After', () => {
  it('finds the write at that position although the replica lags; with the position 0/0, it does not find the write', async () => {
    let position = '';
    let id = '';
    const outcomes = await replicated.outcomesOf(() =>
      replicated.whileBehind(async () => {
        const written = await write();
        [position, id] = [written.headers.get(header) ?? '', written.data.id];
        const params = { movementId: id };
        expect((await read('getMovement', position, { params })).data.id).toBe(id);
        expect((await read('getMovement', undefined, { params })).data.id).toBe(id);
        expect((await read('getMovement', '0/0', { params })).status).toBe(404);
        const { data } = await read('listMovements', '0/0');
        expect(data.map((movement) => movement.id)).not.toContain(id);
      }),
    );
    expect(outcomes).toEqual({ behind: 1, answered: 2 });
    const caughtUp = await replicated.outcomesOf(async () => {
      expect((await read('getMovement', position, { params: { movementId: id } })).data.id).toBe(id);
    });
    expect(caughtUp).toEqual({ answered: 1 });
  });

  it('gets the same data and ETag from the replica as from the primary, and 304 for a matching If-None-Match', async () => {
    const params = await createRecords();
    await replicated.postgres.catchUp();
    const names = Object.values(routes).flatMap(({ call }) => (takesReadAfter(call) ? [call.name as RouteName] : []));
    expect(names).toEqual(expect.arrayContaining(['getContext', 'listBalances', 'getTransfer', 'listMembers']));
    const outcomes = await replicated.outcomesOf(async () => {
      for (const name of names) {
        const options = name === 'summarizeMovements' ? { params, query: { groupBy: 'month' } } : { params };
        const [onPrimary, onReplica] = [await read(name, undefined, options), await read(name, '0/0', options)];
        expect([name, onReplica.status, timeless(onReplica.data)]).toEqual([name, 200, timeless(onPrimary.data)]);
        expect(onReplica.headers.get('etag')).toBe(onPrimary.headers.get('etag'));
      }
    });
    expect(outcomes).toEqual({ answered: names.length });
    const first = await read('getMovement', '0/0', { params });
    const again = await replicated.server.call('getMovement', {
      token: user.token,
      params,
      headers: { [header]: '0/0', 'If-None-Match': first.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('returns balances whose asOf is earlier than the latest write if the replica lacks that write', async () => {
    await replicated.whileBehind(async () => {
      const { data: movement } = await write();
      const [stale, fresh] = [await read('listBalances', '0/0'), await read('listBalances', undefined)];
      expect(Date.parse(stale.data[0]?.asOf ?? '')).toBeLessThan(Date.parse(movement.createdAt));
      expect(Date.parse(fresh.data[0]?.asOf ?? '')).toBeGreaterThanOrEqual(Date.parse(movement.createdAt));
    });
  });

  it('takes one round trip to the primary, two to the replica, and nine statements', async () => {
    const { server, toPrimary, toStandby } = replicated;
    await read('listMovements', '0/0');
    const [primaryBefore, standbyBefore, sentBefore] = [toPrimary.count(), toStandby.count(), server.statements.length];
    expect((await read('listMovements', '0/0')).status).toBe(200);
    expect([toPrimary.count() - primaryBefore, toStandby.count() - standbyBefore]).toEqual([1, 2]);
    expect(server.statements.slice(sentBefore)).toEqual([
      'BEGIN READ ONLY',
      'SET LOCAL ROLE centavo_app',
      expect.stringContaining('app.enter_request('),
      'COMMIT',
      'BEGIN READ ONLY',
      'SET LOCAL ROLE centavo_app',
      expect.stringContaining('app.enter_replica('),
      expect.stringContaining('from app.movements'),
      'COMMIT',
    ]);
  });

  it.each(['', '16', '0/G', '0/123456789', 'x'])(
    'is refused with 400 and the name of the header when the position is %j',
    async (text) => {
      const { status, issues } = await read('listMovements', text);
      expect([status, issues]).toEqual([400, ['header.Centavo-Read-After INVALID_FORMAT']]);
    },
  );

  /** Returns the data with an empty `asOf` in each balance, because `asOf` differs between primary and replica. */
  const timeless = (data: unknown) => JSON.parse(JSON.stringify(data, (key, value) => (key === 'asOf' ? '' : value)));

  /** Creates one record of each resource that a read can return. Returns the path parameters of all these reads. */
  async function createRecords(): Promise<Record<string, string>> {
    const { token } = user;
    const options = { token, tracker: tracker.id };
    const savings = await replicated.server.newAccount(user, tracker.id, { name: 'Savings', type: 'savings' });
    const transferBody = { amountDecimal: '5.00', fromAccountId: tracker.accountId, toAccountId: savings.id };
    const transfer = await replicated.server.call('createTransfer', { ...options, body: transferBody });
    const category = await replicated.server.call('createCategory', { ...options, body: { name: 'Food' } });
    const lines = [{ categoryId: category.data.id, plannedDecimal: '10.00', type: 'expense' }];
    const budgetBody = { name: 'Year', mode: 'planning', periodStart: '2026-01-01', periodEnd: '2026-12-31', lines };
    const budget = await replicated.server.call('createBudget', { ...options, body: budgetBody });
    // An integration client, unlike a user, needs no one-time code to create a webhook.
    const writer = await replicated.server.call('createIntegrationClient', {
      ...options,
      body: { name: 'Hooks', scopes: ['webhooks:write'] },
    });
    const webhook = await replicated.server.call('createWebhook', {
      token: writer.data.secret,
      tracker: tracker.id,
      body: { url: 'https://example.org/' },
    });
    return {
      accountId: savings.id,
      groupId: transfer.data.groupId,
      movementId: (await write()).data.id,
      categoryId: category.data.id,
      budgetId: budget.data.id,
      trackerId: tracker.id,
      webhookId: webhook.data.id,
    };
  }
});
