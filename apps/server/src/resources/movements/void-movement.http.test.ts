import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newUser();
  tracker = await server.newTracker(user);
});

afterAll(() => server.close());

async function record(fields: Record<string, unknown> = {}) {
  const { data, headers } = await server.call('createMovement', {
    token: user.token,
    body: { type: 'expense', amountDecimal: '10.00', accountId: tracker.accountId, ...fields },
  });
  return { id: data.id, etag: headers.get('etag') ?? '', data };
}

function voidIt(id: string, etag: string, key: string = randomUUID()) {
  return server.call('voidMovement', {
    token: user.token,
    params: { movementId: id },
    idempotencyKey: key,
    ifMatch: etag,
  });
}

async function balanceCents(): Promise<number> {
  const { data } = await server.call('listBalances', { token: user.token });
  return Math.round(Number(data.find((row) => row.cashboxId === tracker.cashboxId)?.balanceDecimal) * 100);
}

async function list(query: Record<string, string> = {}) {
  const { data, meta } = await server.call('listMovements', {
    token: user.token,
    query: { includeTotal: 'true', limit: '200', ...query },
  });
  return { ids: data.map(({ id }) => id), total: (meta as { pagination: { total: number } }).pagination.total };
}

const reasonOf = (answer: { error?: { details: Record<string, unknown> } | undefined }) => answer.error?.details.reason;

describe('POST /movements/{movementId}/void', () => {
  // @proves contract 3: Voided movements
  it('removes the movement from the balance, list and total, but GET /movements/{movementId} still returns it', async () => {
    const [before, listed] = [await balanceCents(), await list()];
    const movement = await record();
    const answer = await voidIt(movement.id, movement.etag);
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ id: movement.id, version: 2, amountDecimal: '10.00' });
    expect(answer.data.voidedAt).toBe(answer.data.updatedAt);
    expect(answer.headers.get('etag')).not.toBe(movement.etag);
    expect(await balanceCents()).toBe(before);
    expect(await list()).toEqual(listed);
    const all = await list({ includeVoided: 'true' });
    expect(all.ids[0]).toBe(movement.id);
    expect(all.total).toBeGreaterThan(listed.total);
    const read = await server.call('getMovement', { token: user.token, params: { movementId: movement.id } });
    expect(read.data).toEqual(answer.data);
  });

  it.each([{}, { type: 'income' }, { from: '2020-01-01' }] as Record<string, string>[])(
    'keeps the total of GET /movements equal to the number of listed movements for the filters %j',
    async (filters) => {
      const movement = await record({ type: 'income' });
      await voidIt(movement.id, movement.etag);
      for (const includeVoided of ['false', 'true']) {
        const { ids, total } = await list({ ...filters, includeVoided });
        expect(total).toBe(ids.length);
      }
    },
  );

  it('checks, in this order, that the movement exists, that its version is current and that it is not voided yet', async () => {
    const movement = await record();
    expect((await voidIt(randomUUID(), movement.etag)).status).toBe(404);
    const first = await voidIt(movement.id, movement.etag);
    const stale = await voidIt(movement.id, movement.etag);
    expect(stale.error?.code).toBe('VERSION_CONFLICT');
    expect(stale.error?.details.currentEtag).toBe(first.headers.get('etag'));
    const again = await voidIt(movement.id, first.headers.get('etag') ?? '');
    expect(again.error?.details).toEqual({ reason: 'voided', voidedAt: first.data.voidedAt });
  });

  it('makes a later correction return 409 with the reason voided, but 400 if the corrected amount is invalid', async () => {
    const movement = await record();
    const etag = (await voidIt(movement.id, movement.etag)).headers.get('etag') ?? '';
    const correct = (body: unknown) =>
      server.call('correctMovement', { token: user.token, params: { movementId: movement.id }, ifMatch: etag, body });
    expect((await correct({ amountDecimal: '1.005' })).status).toBe(400);
    expect(reasonOf(await correct({ amountDecimal: '1.00' }))).toBe('voided');
  });

  it('replays its first response; a replay of POST /movements returns the movement as it was before the void', async () => {
    const key = randomUUID();
    const body = { type: 'expense', amountDecimal: '3.00', accountId: tracker.accountId };
    const create = () => server.call('createMovement', { token: user.token, idempotencyKey: key, body });
    const { data, headers } = await create();
    const voidKey = randomUUID();
    const first = await voidIt(data.id, headers.get('etag') ?? '', voidKey);
    const replay = await voidIt(data.id, headers.get('etag') ?? '', voidKey);
    expect(replay.data).toEqual(first.data);
    expect((await create()).data).toEqual(data);
  });

  it('returns 200 to one of six concurrent voids, and to only one of a concurrent void and correction; the others get 409', async () => {
    const before = await balanceCents();
    const movement = await record();
    const answers = await Promise.all(Array.from({ length: 6 }, () => voidIt(movement.id, movement.etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await balanceCents()).toBe(before);
    const other = await record();
    const [voided, corrected] = await Promise.all([
      voidIt(other.id, other.etag),
      server.call('correctMovement', {
        token: user.token,
        params: { movementId: other.id },
        ifMatch: other.etag,
        body: { amountDecimal: '7.00' },
      }),
    ]);
    expect([voided.status, corrected.status].sort()).toEqual([200, 409]);
    expect(await balanceCents()).toBe(before - (corrected.status === 200 ? 700 : 0));
  });

  it('voids a movement in an archived account', async () => {
    const { data: account } = await server.call('createAccount', {
      token: user.token,
      body: { name: 'Closed', type: 'checking' },
    });
    const movement = await record({ accountId: account.id });
    await server.call('updateAccount', {
      token: user.token,
      params: { accountId: account.id },
      body: { status: 'archived' },
    });
    expect((await voidIt(movement.id, movement.etag)).status).toBe(200);
  });

  it('returns 404 for a movement of another tracker', async () => {
    const movement = await record();
    const otherUser = await server.newUser();
    await server.newTracker(otherUser);
    const foreign = await server.call('voidMovement', {
      token: otherUser.token,
      params: { movementId: movement.id },
      ifMatch: movement.etag,
    });
    expect(foreign.status).toBe(404);
  });
});

describe('the externalId of a movement', () => {
  const post = (externalId: unknown, fields: Record<string, unknown> = {}) =>
    server.call('createMovement', {
      token: user.token,
      body: { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId, externalId, ...fields },
    });

  it('is returned trimmed, and a filter by externalId matches only the exact value', async () => {
    const id = randomUUID();
    const { data } = await post(` ${id} `);
    expect(data.externalId).toBe(id);
    expect((await list({ externalId: id })).ids).toEqual([data.id]);
    expect((await list({ externalId: id.toUpperCase().replace(/\d/g, 'X') })).ids).toEqual([]);
  });

  it('is unique in the account until its movement is voided', async () => {
    const id = randomUUID();
    const first = await post(id);
    const clash = await post(id);
    expect(clash.status).toBe(409);
    expect(clash.error?.details).toEqual({ reason: 'external_id_exists', movementId: first.data.id });
    expect((await post(id, { amountDecimal: '1.005' })).status).toBe(400);
    await voidIt(first.data.id, first.headers.get('etag') ?? '');
    expect((await post(id)).status).toBe(201);
    const all = await list({ externalId: id, includeVoided: 'true' });
    expect([all.ids.length, all.total]).toEqual([2, 2]);
  });

  it('is recorded once if six concurrent requests contain it; five of them return 409 external_id_exists', async () => {
    const id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(answers.filter(({ status }) => status === 409).map(reasonOf)).toEqual(Array(5).fill('external_id_exists'));
  });

  it('can be null or empty in a replay of a request that omitted it', async () => {
    const idempotencyKey = randomUUID();
    const body = { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId };
    const first = await server.call('createMovement', { token: user.token, idempotencyKey, body });
    for (const externalId of [null, '']) {
      const again = await server.call('createMovement', {
        token: user.token,
        idempotencyKey,
        body: { ...body, externalId },
      });
      expect([again.status, again.data]).toEqual([200, first.data]);
    }
  });
});

describe('GET /movements/summary and GET /balances?asOf', () => {
  it('exclude voided movements; the summary excludes transfers, but the balances include them', async () => {
    const owner = await server.newUser();
    const { accountId, id: trackerId } = await server.newTracker(owner);
    const savings = await server.newAccount(owner, trackerId, { name: 'Savings' });
    const body = {
      amountDecimal: '100.00',
      fromAccountId: savings.id,
      toAccountId: accountId,
      occurredOn: '2026-03-01',
    };
    await server.call('createTransfer', { token: owner.token, body });
    const post = (fields: Record<string, unknown>) =>
      server.call('createMovement', { token: owner.token, body: { type: 'expense', accountId, ...fields } });
    await post({ amountDecimal: '5.00', occurredOn: '2026-01-10', merchantName: 'b' });
    await post({ amountDecimal: '5.00', occurredOn: '2026-02-10', merchantName: 'B' });
    await post({ type: 'income', amountDecimal: '20.00', occurredOn: '2026-02-11' });
    const gone = await post({ amountDecimal: '9.00', occurredOn: '2026-02-12' });
    await server.call('voidMovement', {
      token: owner.token,
      params: { movementId: gone.data.id },
      ifMatch: gone.headers.get('etag') ?? '',
    });
    const summarize = (query: Record<string, string>) =>
      server.call('summarizeMovements', { token: owner.token, query });
    const months = await summarize({ groupBy: 'month' });
    const row = (key: string | null, amounts: readonly [string, string, string], movementCount: number) => ({
      key,
      currencyCode: 'EUR',
      expenseDecimal: amounts[0],
      incomeDecimal: amounts[1],
      netDecimal: amounts[2],
      movementCount,
    });
    expect(months.data).toEqual([
      row('2026-02', ['5.00', '20.00', '15.00'], 2),
      row('2026-01', ['5.00', '0.00', '-5.00'], 1),
    ]);
    const { key: _, ...total } = row(null, ['10.00', '20.00', '10.00'], 3);
    expect(months.meta).toMatchObject({ summary: { groupCount: 2, hasMore: false, totals: [total] } });
    const merchants = await summarize({ groupBy: 'merchant', limit: '2' });
    expect(merchants.data.map(({ key }) => key)).toEqual([null, 'B']);
    expect(merchants.meta).toMatchObject({ summary: { groupCount: 3, hasMore: true, totals: [total] } });
    expect((await summarize({ groupBy: 'account', to: '2026-01-31' })).data).toEqual([
      row(accountId, ['5.00', '0.00', '-5.00'], 1),
    ]);
    expect((await summarize({ groupBy: 'category', kind: 'regular' })).status).toBe(400);
    expect((await summarize({})).error?.details.issues).toMatchObject([{ path: 'query.groupBy', code: 'REQUIRED' }]);

    const balanceOn = async (asOf: string) => {
      const { data } = await server.call('listBalances', { token: owner.token, query: { asOf } });
      return [data.find((row) => row.accountId === accountId)?.balanceDecimal, data[0]?.asOfDate];
    };
    expect(await balanceOn('2026-01-09')).toEqual(['0.00', '2026-01-09']);
    expect(await balanceOn('2026-01-10')).toEqual(['-5.00', '2026-01-10']);
    expect(await balanceOn('2026-02-28')).toEqual(['10.00', '2026-02-28']);
    expect(await balanceOn('2999-01-01')).toEqual(['110.00', '2999-01-01']);
    const { data } = await server.call('listBalances', { token: owner.token });
    const own = data.find((row) => row.accountId === accountId);
    expect([own?.balanceDecimal, own?.asOfDate]).toEqual(['110.00', null]);
  });
});
