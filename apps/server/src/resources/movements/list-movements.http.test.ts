import { randomUUID } from 'node:crypto';
import type { Movement } from '@centavo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MovementListFixture, startMovementListFixture } from '../../../test-support/start-movement-fixture.js';
import type { TestServer, TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let other: MovementListFixture['other'];
let categories: MovementListFixture['categories'];
let list: MovementListFixture['list'];

beforeAll(async () => {
  ({ server, user, other, categories, list } = await startMovementListFixture());
});

afterAll(() => server.close());

type Row = Movement;

describe('GET /movements', () => {
  // @proves spec, Movements and transfers: GET · /movements
  // @proves contract 1: lists
  // @proves contract 4: order of movements
  it('lists the newest movements first, by date, then by creation, then by id', async () => {
    const { data, meta } = await list();
    expect(data).toHaveLength(26);
    const keys = data.map((row: Row) => `${row.occurredOn} ${row.createdAt} ${row.id}`);
    expect(keys).toEqual([...keys].sort().reverse());
    expect(meta.pagination).toEqual({
      limit: 50,
      offset: 0,
      count: 26,
      total: null,
      hasMore: false,
      nextOffset: null,
      nextCursor: null,
    });
  });

  it.each<[string, Record<string, string>, (row: Row) => boolean]>([
    ['type', { type: 'income' }, (row) => row.type === 'income'],
    ['kind', { kind: 'transfer' }, (row) => row.kind === 'transfer'],
    // @proves spec, Movements and transfers: from, to
    ['from, inclusive', { from: '2026-01-04' }, (row) => row.occurredOn >= '2026-01-04'],
    // @proves spec, Movements and transfers: from, to
    ['to, inclusive', { to: '2026-01-02' }, (row) => row.occurredOn <= '2026-01-02'],
    // @proves spec, Movements and transfers: from, to
    ['the same day in from and to', { from: '2026-01-03', to: '2026-01-03' }, (row) => row.occurredOn === '2026-01-03'],
    // @proves spec, Movement request fields: type
    // @proves spec, Movements and transfers: type
    // @proves contract 4: GET /movements
  ])('filters by %s', async (_, query, matches) => {
    const all = (await list()).data;
    const filtered = (await list(query)).data;
    expect(filtered).toEqual(all.filter(matches));
    expect(filtered.length).toBeGreaterThan(0);
  });

  // @proves spec, Movements and transfers: categoryId
  // @proves spec, Movements and transfers: categoryIds
  // @proves spec, Movements and transfers: accountId
  // @proves spec, Movements and transfers: cashboxId
  it('filters by account, by cashbox, by one or several categories, and by a combination of filters', async () => {
    const all = (await list()).data;
    expect((await list({ accountId: other.id })).data).toEqual(all.filter((row: Row) => row.accountId === other.id));
    const cashboxId = other.cashboxes[0]?.id ?? '';
    expect((await list({ cashboxId })).data).toEqual(all.filter((row: Row) => row.cashboxId === cashboxId));
    const [a = '', b = ''] = categories;
    expect((await list({ categoryId: a })).data).toEqual(all.filter((row: Row) => row.categoryId === a));
    expect((await list({ categoryIds: `${a},${b}` })).data).toEqual(
      all.filter((row: Row) => row.categoryId === a || row.categoryId === b),
    );
    const together = await list({ accountId: other.id, categoryIds: `${a},${b}`, type: 'expense', to: '2026-01-03' });
    expect(together.data).toEqual(
      all.filter(
        (row: Row) =>
          row.accountId === other.id &&
          [a, b].includes(row.categoryId ?? '') &&
          row.type === 'expense' &&
          row.occurredOn <= '2026-01-03',
      ),
    );
    expect(together.data.length).toBeGreaterThan(0);
  });

  // @proves contract 10a: Ids
  it('returns an empty list if a filter contains an unknown id', async () => {
    for (const query of [{ accountId: randomUUID() }, { cashboxId: randomUUID() }, { categoryId: 'cat_nobody' }]) {
      const { status, data, meta } = await list({ ...query, includeTotal: 'true' });
      expect(status).toBe(200);
      expect(data).toEqual([]);
      expect(meta.pagination?.total).toBe(0);
    }
  });
});

describe('GET /movements with invalid parameters', () => {
  it.each<[Record<string, string>, string[]]>([
    [{ limit: '0' }, ['query.limit OUT_OF_RANGE']],
    [{ limit: '201' }, ['query.limit OUT_OF_RANGE']],
    [{ limit: 'ten' }, ['query.limit INVALID_FORMAT']],
    [{ offset: '-1' }, ['query.offset OUT_OF_RANGE']],
    [{ limit: '9999999999' }, ['query.limit OUT_OF_RANGE']],
    [{ offset: '100001' }, ['query.offset OUT_OF_RANGE']],
    [{ type: 'gift' }, ['query.type INVALID_FORMAT']],
    [{ accountId: 'mine' }, ['query.accountId INVALID_FORMAT']],
    [{ from: '2026-13-01' }, ['query.from INVALID_FORMAT']],
    [{ from: '2026-02-01', to: '2026-01-01' }, ['query.from FILTER_CONFLICT']],
    [{ categoryId: 'cat_a', categoryIds: 'cat_b' }, ['query.categoryIds FILTER_CONFLICT']],
    [{ categoryIds: 'a,b,c,d,e,f' }, ['query.categoryIds OUT_OF_RANGE']],
    [{ cursor: 'nonsense' }, ['query.cursor INVALID_FORMAT']],
    [{ page: '2' }, ['query.page UNKNOWN_FIELD']],
    [
      { limit: '0', type: 'gift', page: '2' },
      ['query.type INVALID_FORMAT', 'query.limit OUT_OF_RANGE', 'query.page UNKNOWN_FIELD'],
    ],
    // @proves spec, Errors: 400
  ])('returns 400 for %j with the issues %j', async (query, issues) => {
    const refused = await list(query);
    expect(refused.status).toBe(400);
    expect(refused.issues).toEqual(issues);
  });

  // @proves contract 1: unknown body fields, unknown or repeated query parameters
  it('returns REPEATED_PARAMETER for a parameter that is sent twice', async () => {
    const response = await fetch(`${server.baseUrl}/movements?limit=1&limit=2`, {
      headers: { Authorization: `Bearer ${user.token}` },
    });
    const { error } = (await response.json()) as { error: { details: { issues: unknown[] } } };
    expect(response.status).toBe(400);
    expect(error.details.issues).toMatchObject([{ path: 'query.limit', code: 'REPEATED_PARAMETER' }]);
  });
});

it('GET /movements and GET /movements/{movementId} return a description unchanged, in any script and with quotes', async () => {
  const owner = await server.newUser();
  const { accountId } = await server.newTracker(owner);
  const written = ['Café "Ñandú"', '咖啡 🧾', 'a\\b', 'plain'];
  for (const description of written) {
    const body = { type: 'expense', amountDecimal: '1', accountId, description, merchantName: description };
    await server.call('createMovement', { token: owner.token, body });
  }
  const { data } = await server.call('listMovements', { token: owner.token });
  expect(data.map(({ description }) => description).sort()).toEqual([...written].sort());
  for (const movement of data) {
    const single = await server.call('getMovement', { token: owner.token, params: { movementId: movement.id } });
    expect(single.data).toEqual(movement);
  }
});
