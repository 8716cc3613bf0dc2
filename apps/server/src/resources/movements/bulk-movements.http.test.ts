import { randomUUID } from 'node:crypto';
import type { BulkResult, Movement } from '@centavo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MovementFixture, startMovementFixture } from '../../../test-support/start-movement-fixture.js';

let fixture: MovementFixture;
const unknownId = '0190f2a0-0000-7000-8000-00000000000a';

beforeAll(async () => {
  fixture = await startMovementFixture();
});

afterAll(() => fixture.close());

function send(body: object, options: { key?: string; query?: Record<string, string>; token?: string } = {}) {
  const { key, query, token = fixture.user.token } = options;
  return fixture.server.call('createMovements', {
    token,
    body,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(query === undefined ? {} : { query }),
  });
}

const atomic = (movements: readonly object[], key: string = randomUUID()) => send({ movements }, { key });
const independent = (...movements: readonly object[]) => send({ mode: 'independent', movements });
const expense = (fields: Record<string, unknown> = {}) => fixture.expense(fields);
const keyed = (key: string, fields: Record<string, unknown> = {}) => ({ ...expense(fields), idempotencyKey: key });
const results = (answer: { data: unknown }) => answer.data as BulkResult[];
const issuesOf = (answer: { error?: { details: Record<string, unknown> } | undefined }) =>
  ((answer.error?.details.issues ?? []) as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`);

describe('a bulk request', () => {
  it('in mode atomic records all movements under one Idempotency-Key, and returns them in order and without an ETag', async () => {
    const before = await fixture.countRows();
    const answer = await atomic([
      expense({ amountDecimal: '1.00', description: 'a', externalId: 'bulk-1' }),
      expense({ type: 'income', amountDecimal: '2.50', occurredOn: '2026-01-02' }),
      expense({ amountDecimal: '3.00', merchantName: 'Shop', cashboxId: fixture.tracker.cashboxId }),
    ]);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/v1/financial/movements');
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.meta).toMatchObject({ bulk: { created: 3, replayed: 0, failed: 0 } });
    const movements = answer.data as Movement[];
    expect(movements.map(({ amountDecimal }) => amountDecimal)).toEqual(['1.00', '2.50', '3.00']);
    for (const movement of movements) {
      const params = { movementId: movement.id };
      const read = await fixture.server.call('getMovement', { token: fixture.user.token, params });
      expect(read.data).toEqual(movement);
    }
    const after = await fixture.countRows();
    expect(after).toMatchObject({
      movements: Number(before.movements) + 3,
      keys: Number(before.keys) + 1,
      audits: Number(before.audits) + 3,
    });
    expect(Number(after.balances) - Number(before.balances)).toBeCloseTo(-1.5, 6);
  });

  it('in mode atomic gets the first response if it is repeated, and IDEMPOTENCY_KEY_REUSED if its key is sent with different movements', async () => {
    const movements = [expense({ externalId: '' }), expense()];
    const first = await atomic(movements, 'bulk-repeat');
    const before = await fixture.countRows();
    const again = await send({ mode: 'atomic', movements: [expense(), expense()] }, { key: 'bulk-repeat' });
    expect([again.status, again.data]).toEqual([200, first.data]);
    expect(again.meta).toMatchObject({ idempotentReplay: true, bulk: { created: 0, replayed: 2, failed: 0 } });
    expect((await atomic([expense()], 'bulk-repeat')).error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await fixture.countRows()).toEqual(before);
  });

  describe('that is refused', () => {
    let before: Record<string, number>;
    beforeEach(async () => {
      before = await fixture.countRows();
    });

    it.each<[title: string, movements: () => object[], issues: string[]]>([
      [
        'the invalid fields of all movements together',
        () => [expense({ amountDecimal: '0' }), expense(), expense({ type: 'gift', note: 1 })],
        ['movements.0.amountDecimal OUT_OF_RANGE', 'movements.2.type INVALID_FORMAT', 'movements.2.note UNKNOWN_FIELD'],
      ],
      ['an idempotencyKey in a movement', () => [keyed('a')], ['movements.0.idempotencyKey FIELD_CONFLICT']],
      [
        'an external id that occurs twice',
        () => [expense({ externalId: 'twice' }), expense({ externalId: ' twice ' })],
        ['movements.1.externalId DUPLICATE_KEY'],
      ],
      [
        'all amounts and currencies that do not fit their account',
        () => [expense({ amountDecimal: '1.001' }), expense({ currencyCode: 'USD' })],
        ['movements.0.amountDecimal AMOUNT_PRECISION', 'movements.1.currencyCode CURRENCY_MISMATCH'],
      ],
      ['an empty list of movements', () => [], ['movements OUT_OF_RANGE']],
      ['more than 100 movements', () => Array(101).fill(expense()), ['movements OUT_OF_RANGE']],
      ['a movement that is not an object', () => [expense(), 'x' as never], ['movements.1 INVALID_FORMAT']],
    ])('reports %s in mode atomic, and records nothing', async (_, movements, issues) => {
      const answer = await atomic(movements());
      expect([answer.status, issuesOf(answer)]).toEqual([400, issues]);
      expect(await fixture.countRows()).toEqual(before);
    });

    it('returns 404 in mode atomic, with the path of an unknown account, even if the amount of another movement has too many decimal places', async () => {
      const answer = await atomic([expense({ amountDecimal: '1.001' }), expense({ accountId: unknownId })]);
      expect([answer.status, answer.error?.details]).toEqual([
        404,
        { resource: 'account', path: 'movements.1.accountId' },
      ]);
      expect(await fixture.countRows()).toEqual(before);
    });

    it('returns 409 in mode atomic with the path of an external id in use, but 400 if an amount has too many decimal places', async () => {
      const { data } = await fixture.create(expense({ externalId: 'taken' }));
      before = await fixture.countRows();
      const both = [expense(), expense({ externalId: 'taken' })];
      const answer = await atomic(both);
      expect([answer.status, answer.error?.details]).toEqual([
        409,
        { reason: 'external_id_exists', movementId: data.id, path: 'movements.1.externalId' },
      ]);
      expect((await atomic([...both, expense({ amountDecimal: '1.001' })])).status).toBe(400);
      expect(await fixture.countRows()).toEqual(before);
    });

    it('reports a missing Idempotency-Key, an unknown mode or a missing list of movements, and records nothing', async () => {
      expect(issuesOf(await send({ movements: [expense()] }))).toEqual([
        'header.Idempotency-Key IDEMPOTENCY_KEY_REQUIRED',
      ]);
      expect(issuesOf(await send({ mode: 'all', movements: [expense()] }, { key: 'k' }))).toEqual([
        'mode INVALID_FORMAT',
      ]);
      expect(issuesOf(await send({}, { key: 'k' }))).toEqual(['movements REQUIRED']);
      expect(await fixture.countRows()).toEqual(before);
    });

    it.each<[title: string, body: () => object, issues: string[]]>([
      ['an empty list of movements', () => ({ movements: [] }), ['movements OUT_OF_RANGE']],
      ['a movement that is not an object', () => ({ movements: [expense(), 1] }), ['movements.1 INVALID_FORMAT']],
      ['an unknown field', () => ({ movements: [expense()], note: 1 }), ['note UNKNOWN_FIELD']],
    ])('reports an unknown mode together with %s', async (_, body, issues) => {
      const answer = await send({ mode: 'all', ...body() }, { key: 'k' });
      expect(answer.status).toBe(400);
      expect(issuesOf(answer).toSorted()).toEqual(['mode INVALID_FORMAT', ...issues].toSorted());
    });
  });
});

it('two concurrent bulk requests with the same external ids in opposite order do not deadlock, and only one is recorded', async () => {
  const readDeadlocks = async () => {
    const { rows } = await fixture.client.query(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    );
    return rows[0].deadlocks;
  };
  const isWaiting = async (requests: number) => {
    // Inside a transaction, PostgreSQL caches pg_stat_activity after its first use. This call clears the cache.
    await fixture.client.query('select pg_stat_clear_snapshot()');
    const { rows } = await fixture.client.query(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like 'with item as materialized%'`,
    );
    return rows[0].waiting === requests;
  };
  const { data: other } = await fixture.create(expense());
  const before = await readDeadlocks();
  const movements = ['order-a', 'order-b', 'order-c'].map((externalId) => expense({ externalId }));
  // Holds the middle id until both requests wait for it. If each request inserted the ids in its own order, each would by then hold an id
  // that the other needs.
  await fixture.client.query('begin');
  await fixture.client.query(
    `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
       occurred_on, external_id, source_type, source_id)
     select tracker_id, gen_random_uuid(), type, kind, amount, currency_code, account_id, cashbox_id, category_id,
       occurred_on, 'order-b', source_type, source_id
     from app.movements where id = $1`,
    [other.id],
  );
  const sent = Promise.all([atomic(movements), atomic(movements.toReversed())]);
  for (let attempt = 0; attempt < 1_000 && !(await isWaiting(2)); attempt += 1);
  await fixture.client.query('rollback');
  expect((await sent).map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(await readDeadlocks()).toBe(before);
});

describe('a bulk request in the mode "independent"', () => {
  it('records each valid movement under its own idempotency key, and reports an error for each invalid movement', async () => {
    await fixture.create(expense({ amountDecimal: '7' }), { key: 'ind-used' });
    const before = await fixture.countRows();
    const answer = await independent(
      keyed('ind-1'),
      keyed('ind-2', { amountDecimal: '0' }),
      keyed('ind-used', { amountDecimal: '8' }),
      keyed('ind-3', { accountId: unknownId }),
      keyed('ind-4', { externalId: 'ind' }),
      keyed('ind-5', { externalId: 'ind' }),
    );
    expect([answer.status, answer.headers.get('location'), answer.headers.get('etag')]).toEqual([200, null, null]);
    expect(answer.meta).toMatchObject({ bulk: { created: 2, replayed: 0, failed: 4 } });
    const [first, invalid, reused, missing, fourth, fifth] = results(answer);
    expect(first).toMatchObject({ index: 0, status: 'created', error: null, movement: { amountDecimal: '12.50' } });
    expect(invalid).toMatchObject({
      status: 'failed',
      movement: null,
      error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'amountDecimal', code: 'OUT_OF_RANGE' }] } },
    });
    expect(reused?.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(missing?.error).toMatchObject({ code: 'NOT_FOUND', details: { resource: 'account' } });
    expect(fifth?.error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { reason: 'external_id_exists', movementId: fourth?.movement?.id },
    });
    expect(await fixture.countRows()).toMatchObject({
      movements: Number(before.movements) + 2,
      keys: Number(before.keys) + 2,
      audits: Number(before.audits) + 2,
    });
  });

  it('replays a movement that POST /movements recorded under the same idempotency key, and vice versa', async () => {
    const single = await fixture.create(expense({ amountDecimal: '4.00' }), { key: 'same-1' });
    const answer = await independent(
      keyed('same-1', { amountDecimal: '4' }),
      keyed('same-2', { amountDecimal: '5.0' }),
    );
    const [first, second] = results(answer);
    expect(first).toEqual({ index: 0, status: 'replayed', movement: single.data, error: null });
    const again = await fixture.create(expense({ amountDecimal: '5' }), { key: 'same-2' });
    expect([again.status, again.data, again.meta]).toMatchObject([200, second?.movement, { idempotentReplay: true }]);
    expect(again.headers.get('etag')).not.toBeNull();
    const movement = await fixture.server.call('getMovement', {
      token: fixture.user.token,
      params: { movementId: again.data.id },
    });
    expect(again.headers.get('etag')).toBe(movement.headers.get('etag'));
  });

  it('returns the status `replayed` for each recorded movement when the request is repeated, and records nothing', async () => {
    const movements = [keyed('rep-1'), keyed('rep-2', { amountDecimal: '-1' }), keyed('rep-3')];
    const first = await independent(...movements);
    const before = await fixture.countRows();
    const again = await independent(...movements);
    expect(again.meta).toMatchObject({ bulk: { created: 0, replayed: 2, failed: 1 } });
    expect(results(again).map(({ status }) => status)).toEqual(['replayed', 'failed', 'replayed']);
    expect(results(again)[2]?.movement).toEqual(results(first)[2]?.movement);
    expect(await fixture.countRows()).toEqual(before);
  });

  it.each<[title: string, body: () => object, issues: string[], key?: string]>([
    ['an Idempotency-Key header', () => ({ movements: [keyed('a')] }), ['header.Idempotency-Key FIELD_CONFLICT'], 'k'],
    [
      'missing, malformed and repeated idempotency keys',
      () => ({ movements: [expense(), keyed('é'), keyed('a'), keyed('a'), keyed('x'.repeat(201))] }),
      [
        'movements.0.idempotencyKey IDEMPOTENCY_KEY_REQUIRED',
        'movements.1.idempotencyKey INVALID_FORMAT',
        'movements.3.idempotencyKey DUPLICATE_KEY',
        'movements.4.idempotencyKey TOO_LONG',
      ],
    ],
    ['a movement that is not an object', () => ({ movements: [keyed('a'), null] }), ['movements.1 INVALID_FORMAT']],
    ['more than 100 movements', () => ({ movements: Array(101).fill(keyed('a')) }), ['movements OUT_OF_RANGE']],
  ])('is refused as a whole for %s, and records nothing', async (_, body, issues, key) => {
    const before = await fixture.countRows();
    const answer = await send({ mode: 'independent', ...body() }, key === undefined ? {} : { key });
    expect([answer.status, issuesOf(answer)]).toEqual([400, issues]);
    expect(await fixture.countRows()).toEqual(before);
  });

  it('gets IDEMPOTENCY_IN_PROGRESS for a movement whose idempotency key a concurrent transaction locks, and records the other movement', async () => {
    const root = `user:${await userId()}`;
    await fixture.client.query('begin');
    await fixture.client.query('select pg_advisory_xact_lock(hashtextextended($1, 3))', [`${root} held`]);
    const answer = await independent(keyed('held'), keyed('free'));
    await fixture.client.query('rollback');
    const [held, free] = results(answer);
    expect(held?.error).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS', details: { retryAfterSeconds: 1 } });
    expect(free?.status).toBe('created');
    expect(results(await independent(keyed('held'), keyed('free'))).map(({ status }) => status)).toEqual([
      'created',
      'replayed',
    ]);
  });

  it('records each movement once if two requests send the same idempotency keys at the same time, in opposite order', async () => {
    const movements = Array.from({ length: 20 }, (_, index) => keyed(`race-${index}`));
    const before = await fixture.countRows();
    const answers = await Promise.all([independent(...movements), independent(...movements.toReversed())]);
    const statuses = answers.flatMap((answer) => results(answer).map(({ status }) => status));
    expect(statuses.filter((status) => status === 'created')).toHaveLength(20);
    expect(statuses.filter((status) => status === 'replayed')).toHaveLength(20);
    expect((await fixture.countRows()).movements).toBe(Number(before.movements) + 20);
  });
});

async function userId(): Promise<string> {
  const { rows } = await fixture.client.query('select id from app.users where email = $1', [fixture.user.email]);
  return rows[0].id;
}

describe('a dry run of a bulk request', () => {
  it('returns the movements without generated values, and the effect on the balance, and records nothing', async () => {
    const before = await fixture.countRows();
    const movements = [expense({ amountDecimal: '1.00' }), expense({ type: 'income', amountDecimal: '3.00' })];
    const answer = await send({ movements }, { query: { dryRun: 'true' } });
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(answer.data).toMatchObject([
      { id: null, createdAt: null, updatedAt: null, amountDecimal: '1.00', version: 1 },
      { id: null, createdAt: null, updatedAt: null, amountDecimal: '3.00' },
    ]);
    expect(answer.meta).toMatchObject({ dryRun: true, bulk: { created: 2 } });
    const [effect] = (answer.meta as { effects: { balances: { beforeDecimal: string; afterDecimal: string }[] } })
      .effects.balances;
    expect(Number(effect?.afterDecimal) - Number(effect?.beforeDecimal)).toBeCloseTo(2, 6);
    expect(await fixture.countRows()).toEqual(before);
  });

  it('replays a movement that was recorded under its idempotency key, and does not record the key of a new movement', async () => {
    const [recorded] = results(await independent(keyed('dry-1')));
    const body = { mode: 'independent', movements: [keyed('dry-1'), keyed('dry-2')] };
    const [first, second] = results(await send(body, { query: { dryRun: 'true' } }));
    expect(first).toEqual({ index: 0, status: 'replayed', movement: recorded?.movement, error: null });
    expect(second).toMatchObject({ status: 'created', movement: { id: null, createdAt: null } });
    expect(results(await independent(keyed('dry-2')))).toMatchObject([{ status: 'created' }]);
  });
});

it('GET /movements/bulk returns 405', async () => {
  const response = await fetch(`${fixture.server.baseUrl}/movements/bulk`, {
    headers: { Authorization: `Bearer ${fixture.user.token}` },
  });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
});
