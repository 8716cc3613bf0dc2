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
  return { id: data.id as string, etag: headers.get('etag') ?? '', data };
}

function correct(id: string, etag: string | undefined, body: unknown, key: string = randomUUID()) {
  return server.call('correctMovement', {
    token: user.token,
    params: { movementId: id },
    idempotencyKey: key,
    ...(etag === undefined ? {} : { ifMatch: etag }),
    body,
  });
}

async function balance(): Promise<string> {
  const { data } = await server.call('listBalances', { token: user.token });
  return data.find((row) => row.cashboxId === tracker.cashboxId)?.balanceDecimal ?? 'no such cashbox';
}

describe('PATCH /movements/{movementId}', () => {
  // @proves spec, Movement correction fields: amountDecimal
  // @proves spec, Movements and transfers: PATCH · /movements/{movementId}
  it('corrects the given fields, increments the version and changes the balance by the difference', async () => {
    const movement = await record({ description: 'before' });
    const before = await balance();
    const corrected = await correct(movement.id, movement.etag, { amountDecimal: '12.5', description: null });
    expect(corrected.status).toBe(200);
    expect(corrected.data).toMatchObject({ amountDecimal: '12.50', description: null, version: 2 });
    expect(corrected.headers.get('etag')).not.toBe(movement.etag);
    expect(Math.round((Number(await balance()) - Number(before)) * 100)).toBe(-250);
    const fetched = await server.call('getMovement', { token: user.token, params: { movementId: movement.id } });
    expect(fetched.data).toEqual(corrected.data);
    expect(fetched.headers.get('etag')).toBe(corrected.headers.get('etag'));
  });

  it('returns the movement exactly as GET /movements lists it', async () => {
    const [changed, kept] = [await record(), await record()];
    const { data: corrected } = await correct(changed.id, changed.etag, { description: 'after' });
    expect(corrected.updatedAt > corrected.createdAt).toBe(true);
    expect(kept.data.updatedAt).toBe(kept.data.createdAt);
    for (const includeTotal of ['false', 'true']) {
      const { data } = await server.call('listMovements', { token: user.token, query: { includeTotal } });
      expect(data.find(({ id }) => id === changed.id)).toEqual(corrected);
      expect(data.find(({ id }) => id === kept.id)).toEqual(kept.data);
    }
  });

  // @proves contract 3: Cashbox balance
  it('increases the balance when the amount of an income is increased', async () => {
    const movement = await record({ type: 'income' });
    const before = await balance();
    await correct(movement.id, movement.etag, { amountDecimal: '12.5' });
    expect(Math.round((Number(await balance()) - Number(before)) * 100)).toBe(250);
  });

  // @proves spec, Movement correction fields: categoryId
  it('sets the category cat_unknown if categoryId is null', async () => {
    const { data: category } = await server.call('createCategory', { token: user.token, body: { name: 'Food' } });
    const movement = await record({ categoryId: category.id });
    const corrected = await correct(movement.id, movement.etag, { categoryId: null });
    expect(corrected.data.categoryId).toBe('cat_unknown');
  });

  it('accepts a new category that the tracker has not used before', async () => {
    const movement = await record();
    const { data: category } = await server.call('createCategory', { token: user.token, body: { name: 'Travel' } });
    const corrected = await correct(movement.id, movement.etag, { categoryId: category.id });
    expect(corrected.status).toBe(200);
    expect(corrected.data.categoryId).toBe(category.id);
  });

  // @proves contract 6: ETag and If-Match
  it('changes nothing and keeps the version when the values equal the current ones', async () => {
    const movement = await record({ description: 'same' });
    const corrected = await correct(movement.id, movement.etag, { amountDecimal: '10', description: 'same' });
    expect(corrected.status).toBe(200);
    expect(corrected.data).toEqual(movement.data);
    expect(corrected.headers.get('etag')).toBe(movement.etag);
  });

  // @proves contract 6: ETag and If-Match
  it('accepts an If-Match list that contains the current ETag', async () => {
    const movement = await record();
    const corrected = await correct(movement.id, `"older", ${movement.etag}`, { description: 'x' });
    expect(corrected.status).toBe(200);
  });

  // @proves spec, Idempotency rules: rule 1
  // @proves contract 6: ETag and If-Match
  it('replays the first response for a repeated Idempotency-Key, although the first request has made the ETag stale', async () => {
    const movement = await record();
    const key = randomUUID();
    const first = await correct(movement.id, movement.etag, { amountDecimal: '11' }, key);
    const second = await correct(movement.id, movement.etag, { amountDecimal: '11.00' }, key);
    expect(second.status).toBe(200);
    expect(second.meta.idempotentReplay).toBe(true);
    expect(second.data).toEqual(first.data);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  it('replays the first response for a repeated Idempotency-Key if the path has the movement id in upper case', async () => {
    const movement = await record();
    const key = randomUUID();
    const first = await correct(movement.id, movement.etag, { amountDecimal: '11' }, key);
    const second = await correct(movement.id.toUpperCase(), movement.etag, { amountDecimal: '11' }, key);
    expect([second.status, second.meta.idempotentReplay, second.data]).toEqual([200, true, first.data]);
  });
});

describe('GET /movements/{movementId}', () => {
  // @proves spec, Movements and transfers: GET · /movements/{movementId}
  // @proves contract 6: ETag and If-Match
  it('returns 304 without a body when If-None-Match names the current ETag', async () => {
    const movement = await record();
    const fetched = await server.call('getMovement', {
      token: user.token,
      params: { movementId: movement.id },
      headers: { 'If-None-Match': `W/${movement.etag}` },
    });
    expect(fetched.status).toBe(304);
    expect(fetched.headers.get('etag')).toBe(movement.etag);
  });
});

describe('PATCH /movements/{movementId} with invalid input', () => {
  // @proves spec, Endpoints: If-Match
  // @proves spec, Movements and transfers: PATCH · /movements/{movementId}
  // @proves contract 6: ETag and If-Match
  it('returns IF_MATCH_REQUIRED without If-Match', async () => {
    const movement = await record();
    const { issues } = await correct(movement.id, undefined, { description: 'x' });
    expect(issues).toEqual(['header.If-Match IF_MATCH_REQUIRED']);
  });

  // @proves contract 6: ETag and If-Match › returns INVALID_FORMAT for If-Match %j
  it.each(['*', 'W/"abc"', 'abc', '"abc', '', '"a", W/"b"'])('returns INVALID_FORMAT for If-Match %j', async (etag) => {
    const movement = await record();
    const { issues } = await correct(movement.id, etag, { description: 'x' });
    expect(issues).toEqual(['header.If-Match INVALID_FORMAT']);
  });

  it('rejects an empty patch, a field that cannot be corrected, and null as the amount', async () => {
    const movement = await record();
    expect((await correct(movement.id, movement.etag, {})).issues).toEqual([' EMPTY_PATCH']);
    expect((await correct(movement.id, movement.etag, { occurredOn: '2026-01-01' })).issues).toEqual([
      'occurredOn UNKNOWN_FIELD',
      ' EMPTY_PATCH',
    ]);
    expect((await correct(movement.id, movement.etag, { amountDecimal: null })).issues).toEqual([
      'amountDecimal INVALID_FORMAT',
    ]);
  });
});

describe('PATCH /movements/{movementId}', () => {
  // @proves spec, Errors: 404
  // @proves contract 2: Invisible records
  it('returns the same 404 for a movement of another tracker, a missing movement and a malformed id', async () => {
    const otherUser = await server.newUser();
    const otherTracker = await server.newTracker(otherUser);
    const { data: foreign } = await server.call('createMovement', {
      token: otherUser.token,
      body: { type: 'expense', amountDecimal: '1', accountId: otherTracker.accountId },
    });
    const responses = await Promise.all(
      [foreign.id, randomUUID(), 'nonsense'].map((id) => correct(id, '"x"', { description: 'x' })),
    );
    for (const { status, error } of responses) {
      expect(status).toBe(404);
      expect(error).toEqual(responses[0]?.error);
    }
  });
});

describe('PATCH /movements/{movementId} in conflict with the current movement', () => {
  // @proves spec, Endpoints: If-Match
  // @proves spec, Errors: 409
  // @proves contract 5: 409
  it('returns 409 VERSION_CONFLICT with the current ETag and changes nothing when If-Match is stale', async () => {
    const movement = await record();
    const second = await correct(movement.id, movement.etag, { description: 'first' });
    const late = await correct(movement.id, movement.etag, { description: 'second' });
    expect(late.error?.code).toBe('VERSION_CONFLICT');
    expect(late.error?.details.currentEtag).toBe(second.headers.get('etag'));
    const { data } = await server.call('getMovement', { token: user.token, params: { movementId: movement.id } });
    expect(data.description).toBe('first');
  });

  it('accepts only one of sixteen concurrent corrections of one version', async () => {
    const movement = await record();
    const before = await balance();
    const results = await Promise.all(
      Array.from({ length: 16 }, (_, index) => correct(movement.id, movement.etag, { amountDecimal: `${20 + index}` })),
    );
    expect(results.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(results.filter(({ error }) => error?.code === 'VERSION_CONFLICT')).toHaveLength(15);
    const { data } = await server.call('getMovement', { token: user.token, params: { movementId: movement.id } });
    expect(data.version).toBe(2);
    expect(Number(await balance())).toBe(Number(before) + 10 - Number(data.amountDecimal));
  });

  // @proves contract 3: Transfer legs
  it('returns transfer_leg for a leg of a transfer', async () => {
    const savings = await server.newAccount(user, tracker.id, { name: 'Savings' });
    const { data: transfer } = await server.call('createTransfer', {
      token: user.token,
      body: { amountDecimal: '5', fromAccountId: tracker.accountId, toAccountId: savings.id },
    });
    const leg = await server.call('getMovement', {
      token: user.token,
      params: { movementId: transfer.from.movementId },
    });
    const refused = await correct(transfer.from.movementId, leg.headers.get('etag') ?? '', { description: 'x' });
    expect(refused.error?.code).toBe('STATE_CONFLICT');
    expect(refused.error?.details).toEqual({ reason: 'transfer_leg', transferGroupId: transfer.groupId });
    const withStaleTag = await correct(transfer.from.movementId, '"stale"', { description: 'x' });
    expect(withStaleTag.error?.details).toEqual(refused.error?.details);
  });
});
