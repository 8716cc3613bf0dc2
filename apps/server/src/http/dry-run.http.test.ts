import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MovementFixture, startMovementFixture } from '../../test-support/start-movement-fixture.js';
import type { CallOptions, TestUser } from '../../test-support/start-test-server.js';

const dryRun = { query: { dryRun: 'true' } };
let fixture: MovementFixture;
let user: TestUser;
let tracker: MovementFixture['tracker'];

beforeAll(async () => {
  fixture = await startMovementFixture();
  ({ user, tracker } = fixture);
});

afterAll(() => fixture.close());

/** Returns a checksum of all rows of each table. */
async function checksums(): Promise<Record<string, string>> {
  const { rows: tables } = await fixture.client.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'app' order by 1`,
  );
  const sums: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await fixture.client.query(
      `select coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as sum from ${name} t`,
    );
    sums[name] = rows[0].sum;
  }
  return sums;
}

function tryMovement(options: CallOptions = {}, fields: Record<string, unknown> = {}) {
  return fixture.server.call('createMovement', {
    token: user.token,
    body: fixture.expense(fields),
    ...dryRun,
    ...options,
  });
}

interface RawBody {
  readonly error?: { readonly details: { readonly issues?: readonly { path: string; code: string }[] } };
}

async function tryRaw(
  path: string,
  options: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${fixture.server.baseUrl}${path}`, {
    method: options.method ?? 'POST',
    headers: { Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json', ...options.headers },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as RawBody };
}

describe('a dry run of POST /movements', () => {
  it('returns 200 with the result, null for generated values, and the change of the balance, and records nothing', async () => {
    const before = await checksums();
    const { status, data, meta, headers } = await tryMovement();
    expect(status).toBe(200);
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('location')).toBeNull();
    expect(data).toMatchObject({ id: null, createdAt: null, updatedAt: null, version: 1, amountDecimal: '12.50' });
    expect(data).toMatchObject({ trackerId: tracker.id, accountId: tracker.accountId, cashboxId: tracker.cashboxId });
    expect(meta).toMatchObject({
      dryRun: true,
      effects: {
        balances: [
          { cashboxId: tracker.cashboxId, currencyCode: 'EUR', beforeDecimal: '0.00', afterDecimal: '-12.50' },
        ],
      },
    });
    expect(await checksums()).toEqual(before);
  });

  it('returns the same data as the write that follows, except for generated values', async () => {
    const tried = await tryMovement();
    const written = await fixture.create(fixture.expense());
    expect(written.status).toBe(201);
    expect(tried.data).toEqual({ ...written.data, id: null, createdAt: null, updatedAt: null });
  });

  it('needs no Idempotency-Key, and does not store a key that is sent', async () => {
    const body = fixture.expense();
    expect((await tryRaw('/movements?dryRun=true', { body })).status).toBe(200);
    const idempotencyKey = randomUUID();
    expect((await tryMovement({ idempotencyKey })).meta).not.toHaveProperty('idempotentReplay');
    expect((await tryMovement({ idempotencyKey })).meta).not.toHaveProperty('idempotentReplay');
    expect((await fixture.create(body, { key: idempotencyKey })).status).toBe(201);
  });

  it('replays the response stored under its Idempotency-Key, with the ETag and an empty effects.balances', async () => {
    const key = randomUUID();
    const first = await fixture.create(fixture.expense(), { key });
    const { status, data, meta, headers } = await tryMovement({ idempotencyKey: key });
    expect(status).toBe(200);
    expect(data).toEqual(first.data);
    expect(headers.get('etag')).toBe(first.headers.get('etag'));
    expect(meta).toMatchObject({ idempotentReplay: true, dryRun: true, effects: { balances: [] } });
  });

  it('returns null as effects.balances to a credential without balances:read, for a new movement, a replay and a bulk request', async () => {
    const { data: client } = await fixture.server.call('createIntegrationClient', {
      token: user.token,
      body: { name: 'Writer', scopes: ['movements:write'], access: { mode: 'selected', trackerIds: [tracker.id] } },
    });
    const token = client.secret;
    expect((await tryMovement({ token })).meta).toMatchObject({ dryRun: true, effects: { balances: null } });
    const key = randomUUID();
    await fixture.create(fixture.expense(), { key, token });
    const replay = await tryMovement({ token, idempotencyKey: key });
    expect(replay.meta).toMatchObject({ idempotentReplay: true, effects: { balances: null } });
    const body = { movements: [fixture.expense()] };
    const bulk = await fixture.server.call('createMovements', { token, body, ...dryRun });
    expect(bulk.meta).toMatchObject({ bulk: { created: 1 }, effects: { balances: null } });
  });

  it('returns IDEMPOTENCY_KEY_REUSED for the Idempotency-Key of another request', async () => {
    const key = randomUUID();
    await fixture.create(fixture.expense(), { key });
    const { error } = await tryMovement({ idempotencyKey: key }, { amountDecimal: '1' });
    expect(error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('returns the errors of the write: 404 for an unknown account, AMOUNT_PRECISION for a third decimal place', async () => {
    expect((await tryMovement({}, { accountId: randomUUID() })).status).toBe(404);
    expect((await tryMovement({}, { amountDecimal: '1.234' })).issues).toEqual(['amountDecimal AMOUNT_PRECISION']);
  });
});

describe('the parameter dryRun', () => {
  it('does not prevent the write if its value is false', async () => {
    const { status, meta } = await tryMovement({ query: { dryRun: 'false' } });
    expect(status).toBe(201);
    expect(meta).not.toHaveProperty('dryRun');
  });

  it('does not make the Idempotency-Key optional if its value is false', async () => {
    const { body } = await tryRaw('/movements?dryRun=false', { body: fixture.expense() });
    expect(body.error?.details.issues?.[0]?.code).toBe('IDEMPOTENCY_KEY_REQUIRED');
  });

  it('is refused if its value is neither true nor false, or if it is repeated', async () => {
    for (const [search, code] of [
      ['dryRun=1', 'INVALID_FORMAT'],
      ['dryRun=', 'INVALID_FORMAT'],
      ['dryRun=TRUE', 'INVALID_FORMAT'],
      ['dryRun=true&dryRun=true', 'REPEATED_PARAMETER'],
    ]) {
      const { status, body } = await tryRaw(`/movements?${search}`, {
        body: fixture.expense(),
        headers: { 'Idempotency-Key': randomUUID() },
      });
      expect(status).toBe(400);
      expect(body.error?.details.issues).toMatchObject([{ path: 'query.dryRun', code }]);
    }
  });

  it('is refused by reads, by DELETE and PUT, and by operations on credentials and identity', async () => {
    const trackerId = tracker.id;
    for (const [method, path, body] of [
      ['GET', '/movements', undefined],
      ['GET', '/accounts', undefined],
      ['DELETE', `/trackers/${trackerId}/members/${user.userId}`, undefined],
      ['PUT', '/context/active-tracker', { trackerId }],
      ['POST', '/integration-clients', { name: 'x', scopes: ['movements:read'] }],
      ['POST', `/api-keys/${randomUUID()}/rotate`, undefined],
      ['POST', '/../identity/totp/verify', { code: '123456' }],
    ] as const) {
      const answer = await tryRaw(`${path}?dryRun=true`, { method, body });
      // The rotation of an API key is refused earlier, because this user has entered no one-time code.
      expect
        .soft([path, answer.body.error?.details.issues?.[0]?.code ?? answer.status])
        .toEqual([path, path.startsWith('/api-keys') ? 401 : 'UNKNOWN_FIELD']);
    }
  });
});

describe('a dry run', () => {
  it('lists the balance changes of both cashboxes of a transfer by cashbox id, and returns null for all generated ids', async () => {
    const other = await fixture.server.newAccount(user, tracker.id, { name: 'Cash', openingBalanceDecimal: '5' });
    const before = await checksums();
    const { data, meta } = await fixture.server.call('createTransfer', {
      token: user.token,
      body: { amountDecimal: '9', fromAccountId: other.id, toAccountId: tracker.accountId },
      ...dryRun,
    });
    const { effects } = meta as { effects: { balances: { cashboxId: string }[] } };
    const ids = effects.balances.map(({ cashboxId }) => cashboxId);
    expect(ids).toEqual([tracker.cashboxId, other.cashboxes[0]?.id].sort());
    expect(effects.balances).toContainEqual(expect.objectContaining({ beforeDecimal: '5.00', afterDecimal: '-4.00' }));
    expect(data).toMatchObject({
      groupId: null,
      createdAt: null,
      from: { movementId: null },
      to: { movementId: null },
    });
    for (const leg of data.movements) {
      expect(leg).toMatchObject({ id: null, transferGroupId: null, createdAt: null, updatedAt: null, version: 1 });
    }
    expect(await checksums()).toEqual(before);
  });

  it('of a correction returns the next version, the unchanged createdAt and the change of the balance', async () => {
    const { data: recorded, headers } = await fixture.create(fixture.expense());
    const options = { token: user.token, params: { movementId: recorded.id }, body: { amountDecimal: '20' } };
    const before = await checksums();
    const tried = await fixture.server.call('correctMovement', {
      ...options,
      ifMatch: headers.get('etag') ?? '',
      ...dryRun,
    });
    expect(tried.headers.get('etag')).toBeNull();
    expect(tried.data).toEqual({ ...recorded, amountDecimal: '20.00', version: 2, updatedAt: null });
    const [change] = (tried.meta as { effects: { balances: Record<string, string>[] } }).effects.balances;
    expect(Number(change?.afterDecimal) - Number(change?.beforeDecimal)).toBeCloseTo(-7.5);
    expect(await checksums()).toEqual(before);
    const stale = await fixture.server.call('correctMovement', { ...options, ifMatch: '"other"', ...dryRun });
    expect(stale.error?.code).toBe('VERSION_CONFLICT');
  });

  it('requires If-Match for a correction', async () => {
    const { data } = await fixture.create(fixture.expense());
    const { body } = await tryRaw(`/movements/${data.id}?dryRun=true`, {
      method: 'PATCH',
      body: { description: 'x' },
    });
    expect(body.error?.details.issues).toMatchObject([{ code: 'IF_MATCH_REQUIRED' }]);
  });

  it('returns the current updatedAt and an empty effects.balances for a correction that changes nothing', async () => {
    const { data, headers } = await fixture.create(fixture.expense({ description: 'same' }));
    const tried = await fixture.server.call('correctMovement', {
      token: user.token,
      params: { movementId: data.id },
      body: { description: 'same' },
      ifMatch: headers.get('etag') ?? '',
      ...dryRun,
    });
    expect(tried.data).toEqual(data);
    expect(tried.meta).toMatchObject({ effects: { balances: [] } });
  });

  it('returns null for the ids of a new account, its cashboxes, a category, a budget, its lines and a tracker', async () => {
    const before = await checksums();
    const { token } = user;
    const run = fixture.server.call;
    const account = await run('createAccount', { token, body: { name: 'New', type: 'cash' }, ...dryRun });
    expect(account.data).toMatchObject({ id: null, createdAt: null, updatedAt: null });
    expect(account.data.cashboxes).toMatchObject([{ id: null, accountId: null, createdAt: null, updatedAt: null }]);
    expect(account.meta).toMatchObject({ effects: { balances: [] } });
    const category = await run('createCategory', { token, body: { name: 'New' }, ...dryRun });
    expect(category.data).toMatchObject({ id: null, name: 'New', createdAt: null, updatedAt: null });
    const body = {
      name: 'May',
      mode: 'tracking',
      periodStart: '2026-05-01',
      periodEnd: '2026-05-31',
      lines: [{ categoryId: 'cat_unknown', plannedDecimal: '1' }],
    };
    const budget = await run('createBudget', { token, body, ...dryRun });
    expect(budget.data).toMatchObject({ id: null, createdAt: null, updatedAt: null, lineCount: 1 });
    expect(budget.data.lines).toMatchObject([{ id: null, budgetId: null, createdAt: null }]);
    const home = { name: 'Other', currencyCode: 'EUR', timeZone: 'Europe/Madrid' };
    const created = await run('createTracker', { token, body: home, ...dryRun });
    expect(created.data).toMatchObject({ id: null, name: 'Other', createdAt: null, updatedAt: null });
    expect(await checksums()).toEqual(before);
  });

  it('returns null for createdAt of a member who accepts an invitation, because the write generates that time', async () => {
    const owner = await fixture.server.newUser();
    const { id: trackerId } = await fixture.server.newTracker(owner);
    const guest = await fixture.server.newUser();
    const body = { email: guest.email, role: 'viewer' };
    const member = { token: owner.token, params: { trackerId }, body };
    const invited = await fixture.server.call('addMember', { ...member, ...dryRun });
    expect(invited.data).toMatchObject({ userId: guest.userId, status: 'invited', createdAt: null });
    await fixture.server.call('addMember', member);
    const accept = { token: guest.token, params: { trackerId } };
    const tried = await fixture.server.call('acceptInvitation', { ...accept, ...dryRun });
    const { data, status } = await fixture.server.call('acceptInvitation', accept);
    expect(status).toBe(200);
    expect(tried.data).toEqual({ ...data, createdAt: null });
  });

  it('lists only its own balance change while other writes are committed', async () => {
    const writes = Array.from({ length: 10 }, () => fixture.create(fixture.expense({ amountDecimal: '1' })));
    const tries = await Promise.all(Array.from({ length: 10 }, () => tryMovement({}, { amountDecimal: '3' })));
    await Promise.all(writes);
    for (const { meta, status } of tries) {
      expect(status).toBe(200);
      const { effects } = meta as { effects: { balances: Record<string, string>[] } };
      const differences = effects.balances.map(
        ({ beforeDecimal, afterDecimal }) => Number(afterDecimal) - Number(beforeDecimal),
      );
      expect(differences).toEqual([expect.closeTo(-3)]);
    }
  });
});
