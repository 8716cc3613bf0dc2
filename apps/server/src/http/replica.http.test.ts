import { randomUUID } from 'node:crypto';
import { type RouteName, routes, takesReadAfter } from '@centavo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplicatedServer, startReplicatedServer } from '../../test-support/start-replicated-server.js';
import { type CallOptions, startTestServer, type TestUser } from '../../test-support/start-test-server.js';

const header = 'centavo-read-after';
let place: ReplicatedServer;
let user: TestUser;
let tracker: { id: string; accountId: string };

beforeAll(async () => {
  place = await startReplicatedServer();
  user = await place.server.newUser();
  tracker = await place.server.newTracker(user);
  await place.postgres.catchUp();
});

afterAll(() => place.close());

function write(options: CallOptions = {}) {
  const body = { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId } as const;
  return place.server.call('createMovement', { token: user.token, tracker: tracker.id, body, ...options });
}

/** Reads what is true after `readAfter`; left out, what is true now. */
function read<Name extends RouteName>(name: Name, readAfter: string | undefined, options: CallOptions = {}) {
  const headers: Record<string, string> = readAfter === undefined ? {} : { [header]: readAfter };
  return place.server.call(name, { token: user.token, tracker: tracker.id, ...options, headers });
}

describe('a write tells what a read has to see that should find it', () => {
  it('when it is recorded, when it is replayed and when it changes nothing, and each time a place no earlier', async () => {
    const idempotencyKey = randomUUID();
    const told: string[] = [];
    for (const answer of [await write({ idempotencyKey }), await write({ idempotencyKey })]) {
      told.push(answer.headers.get(header) ?? 'nothing');
    }
    const unchanged = await place.server.call('setActiveTracker', {
      token: user.token,
      body: { trackerId: tracker.id },
    });
    told.push(unchanged.headers.get(header) ?? 'nothing');
    const places = told.map((at) => {
      expect(at).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
      const [high = '', low = ''] = at.split('/');
      return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
    });
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('and a refusal, a read, and what belongs to the provider of sessions do not', async () => {
    const refused = await write({ body: {} });
    const session = await place.server.call('createSession', { body: { email: user.email, password: user.password } });
    const answers = [refused, session, await read('listMovements', undefined), await read('listMovements', '0/0')];
    expect(answers.map(({ status }) => status)).toEqual([400, 201, 200, 200]);
    for (const { headers } of answers) expect(headers.has(header)).toBe(false);
  });

  it('in the packet of its COMMIT', async () => {
    await write();
    const before = place.toPrimary.count();
    const statementsBefore = place.server.statements.length;
    await write();
    expect(place.toPrimary.count() - before).toBe(2);
    expect(place.server.statements.slice(statementsBefore).slice(-2)).toEqual([
      'COMMIT',
      'select pg_current_wal_insert_lsn() as position',
    ]);
  });

  it('only where there is a replica', async () => {
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

describe('a read', () => {
  it('sees the write whose place it takes along though the replica is behind, and without one, and nothing of it from 0/0', async () => {
    let told = '';
    let id = '';
    const outcomes = await place.outcomesOf(() =>
      place.whileBehind(async () => {
        const written = await write();
        [told, id] = [written.headers.get(header) ?? '', written.data.id];
        const params = { movementId: id };
        expect((await read('getMovement', told, { params })).data.id).toBe(id);
        expect((await read('getMovement', undefined, { params })).data.id).toBe(id);
        expect((await read('getMovement', '0/0', { params })).status).toBe(404);
        const { data } = await read('listMovements', '0/0');
        expect(data.map((movement) => movement.id)).not.toContain(id);
      }),
    );
    expect(outcomes).toEqual({ behind: 1, answered: 2 });
    const caughtUp = await place.outcomesOf(async () => {
      expect((await read('getMovement', told, { params: { movementId: id } })).data.id).toBe(id);
    });
    expect(caughtUp).toEqual({ answered: 1 });
  });

  it('of any kind is answered by the replica as the primary answers it, to the version and 304', async () => {
    const params = await fillBooks();
    await place.postgres.catchUp();
    const names = Object.values(routes).flatMap(({ call }) => (takesReadAfter(call) ? [call.name as RouteName] : []));
    expect(names).toEqual(expect.arrayContaining(['getContext', 'listBalances', 'getTransfer', 'listMembers']));
    const outcomes = await place.outcomesOf(async () => {
      for (const name of names) {
        const [here, there] = [await read(name, undefined, { params }), await read(name, '0/0', { params })];
        expect([name, there.status, timeless(there.data)]).toEqual([name, 200, timeless(here.data)]);
        expect(there.headers.get('etag')).toBe(here.headers.get('etag'));
      }
    });
    expect(outcomes).toEqual({ answered: names.length });
    const first = await read('getMovement', '0/0', { params });
    const again = await place.server.call('getMovement', {
      token: user.token,
      params,
      headers: { [header]: '0/0', 'If-None-Match': first.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('of balances says as of when they are: no later than what the replica has seen', async () => {
    await place.whileBehind(async () => {
      const { data: movement } = await write();
      const [stale, fresh] = [await read('listBalances', '0/0'), await read('listBalances', undefined)];
      expect(Date.parse(stale.data[0]?.asOf ?? '')).toBeLessThan(Date.parse(movement.createdAt));
      expect(Date.parse(fresh.data[0]?.asOf ?? '')).toBeGreaterThanOrEqual(Date.parse(movement.createdAt));
    });
  });

  it('takes one round trip to the primary and two to the replica, and nine statements', async () => {
    const { server, toPrimary, toStandby } = place;
    await read('listMovements', '0/0');
    const [primaryBefore, standbyBefore, sentBefore] = [toPrimary.count(), toStandby.count(), server.statements.length];
    expect((await read('listMovements', '0/0')).status).toBe(200);
    expect([toPrimary.count() - primaryBefore, toStandby.count() - standbyBefore]).toEqual([1, 2]);
    expect(server.statements.slice(sentBefore)).toEqual([
      'BEGIN READ ONLY',
      `select set_config('role', 'centavo_app', true)`,
      expect.stringContaining('app.enter_request('),
      'COMMIT',
      'BEGIN READ ONLY',
      `select set_config('role', 'centavo_app', true)`,
      expect.stringContaining('app.enter_replica('),
      expect.stringContaining('from app.movements'),
      'COMMIT',
    ]);
  });

  it.each(['', '16', '0/G', '0/123456789', 'x'])(
    'is refused with 400 that names the header when that is %j',
    async (text) => {
      const { status, issues } = await read('listMovements', text);
      expect([status, issues]).toEqual([400, ['header.Centavo-Read-After INVALID_FORMAT']]);
    },
  );

  /** Balances say as of when they are, which differs; all else has to be the same. */
  const timeless = (data: unknown) => JSON.parse(JSON.stringify(data, (key, value) => (key === 'asOf' ? '' : value)));

  /** One of everything that a read of a tracker shows; gives the parameters of every path. */
  async function fillBooks(): Promise<Record<string, string>> {
    const { token } = user;
    const options = { token, tracker: tracker.id };
    const savings = await place.server.newAccount(user, tracker.id, { name: 'Savings', type: 'savings' });
    const transferBody = { amountDecimal: '5.00', fromAccountId: tracker.accountId, toAccountId: savings.id };
    const transfer = await place.server.call('createTransfer', { ...options, body: transferBody });
    const category = await place.server.call('createCategory', { ...options, body: { name: 'Food' } });
    const lines = [{ categoryId: category.data.id, plannedDecimal: '10.00', type: 'expense' }];
    const budgetBody = { name: 'Year', mode: 'planning', periodStart: '2026-01-01', periodEnd: '2026-12-31', lines };
    const budget = await place.server.call('createBudget', { ...options, body: budgetBody });
    return {
      accountId: savings.id,
      groupId: transfer.data.groupId,
      movementId: (await write()).data.id,
      categoryId: category.data.id,
      budgetId: budget.data.id,
      trackerId: tracker.id,
    };
  }
});
