import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MovementFixture, startMovementFixture } from '../../../test-support/start-movement-fixture.js';
import type { TestServer } from '../../../test-support/start-test-server.js';

let fixture: MovementFixture;
let server: TestServer;
let tracker: MovementFixture['tracker'];
let create: MovementFixture['create'];
let expense: MovementFixture['expense'];
let countRows: MovementFixture['countRows'];

beforeAll(async () => {
  fixture = await startMovementFixture();
  ({ server, tracker, create, expense, countRows } = fixture);
});

afterAll(() => fixture.close());

describe('POST /movements with a repeated Idempotency-Key', () => {
  // @proves spec, Movements and transfers: POST · /movements
  // @proves spec, Idempotency rules: rule 1
  // @proves contract 6: Replay
  it('returns 200 with the data and the ETag of the first response, and records nothing', async () => {
    const key = randomUUID();
    const first = await create(expense(), { key });
    const before = await countRows();
    const second = await create(expense(), { key });
    expect(second.status).toBe(200);
    expect(second.data).toEqual(first.data);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.meta.idempotentReplay).toBe(true);
    expect(second.headers.get('location')).toBeNull();
    expect(second.meta.requestId).not.toBe(first.meta.requestId);
    expect(await countRows()).toEqual(before);
  });

  it('returns 200 for an equivalent request, for example with 10.00 instead of 10', async () => {
    const key = randomUUID();
    await create(expense({ amountDecimal: '10', description: 'x', merchantName: null }), { key });
    const { status } = await create(
      { description: ' x ', accountId: tracker.accountId.toUpperCase(), amountDecimal: '10.00', type: 'expense' },
      { key },
    );
    expect(status).toBe(200);
  });

  // @proves contract 6: Scope of a key
  it('replays the response to a request without a date, even if a new time zone of the tracker changes the default date', async () => {
    const other = await server.newUser();
    const otherTracker = await server.newTracker(other, { timeZone: 'Pacific/Kiritimati' });
    const key = randomUUID();
    const body = { type: 'income', amountDecimal: '1', accountId: otherTracker.accountId };
    const first = await create(body, { key, token: other.token });
    await server.call('updateTracker', {
      token: other.token,
      params: { trackerId: otherTracker.id },
      body: { timeZone: 'Pacific/Niue' },
    });
    const second = await create(body, { key, token: other.token });
    expect(second.status).toBe(200);
    expect(second.data.occurredOn).toBe(first.data.occurredOn);
  });

  // @proves spec, Idempotency rules: rule 1
  it('records one movement for a hundred concurrent duplicates, and returns it to all', async () => {
    const key = randomUUID();
    const before = await countRows();
    const results = await Promise.all(Array.from({ length: 100 }, () => create(expense(), { key })));
    expect(results.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(results.filter(({ status }) => status === 200)).toHaveLength(99);
    expect(new Set(results.map(({ data }) => data.id)).size).toBe(1);
    expect((await countRows()).movements).toBe((before.movements ?? 0) + 1);
  });

  // @proves spec, Idempotency rules: rule 3
  it('accepts only one of two concurrent requests with different bodies, and returns 409 IDEMPOTENCY_KEY_REUSED to the other', async () => {
    const key = randomUUID();
    const results = await Promise.all(
      ['1.00', '2.00'].map((amountDecimal) => create(expense({ amountDecimal }), { key })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(results.find(({ status }) => status === 409)?.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe('POST /movements with the Idempotency-Key of another request', () => {
  // @proves spec, Idempotency rules: rule 3
  // @proves spec, Errors: 409
  // @proves contract 5: 409
  it('returns IDEMPOTENCY_KEY_REUSED if the bodies have different amounts, and records nothing', async () => {
    const key = randomUUID();
    await create(expense({ amountDecimal: '3.00' }), { key });
    const before = await countRows();
    const refused = await create(expense({ amountDecimal: '4.00' }), { key });
    expect(refused.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await countRows()).toEqual(before);
  });

  // @proves spec, Idempotency rules: rule 2
  it('records a second movement if the two requests name different trackers in X-Service-Tracker-Id', async () => {
    const owner = await server.newUser();
    const [home, work] = [await server.newTracker(owner), await server.newTracker(owner)];
    const key = randomUUID();
    const send = (target: { id: string; accountId: string }, named: boolean) =>
      server.call('createMovement', {
        token: owner.token,
        idempotencyKey: key,
        ...(named ? { tracker: target.id } : {}),
        body: { type: 'expense', amountDecimal: '1', accountId: target.accountId },
      });
    expect((await send(home, true)).status).toBe(201);
    expect((await send(work, true)).status).toBe(201);
  });

  // @proves contract 6: Scope of a key
  it('returns IDEMPOTENCY_KEY_REUSED if the first request named no tracker, and the second names a tracker that the first did not use', async () => {
    const owner = await server.newUser();
    const [home, work] = [await server.newTracker(owner), await server.newTracker(owner)];
    const key = randomUUID();
    const body = (target: { accountId: string }) => ({
      type: 'expense',
      amountDecimal: '1',
      accountId: target.accountId,
    });
    await server.call('createMovement', { token: owner.token, idempotencyKey: key, body: body(home) });
    const other = await server.call('createMovement', {
      token: owner.token,
      idempotencyKey: key,
      tracker: work.id,
      body: body(work),
    });
    expect(other.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});
