import { randomUUID } from 'node:crypto';
import type { Movement } from '@centavo/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };
let other: { id: string; cashboxes: { id: string }[] };
let categories: string[];

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newUser();
  tracker = await server.newTracker(user);
  other = await server.newAccount(user, tracker.id, { name: 'Card', type: 'credit_card' });
  categories = [];
  for (const name of ['a', 'b', 'c']) {
    const { data } = await server.call('createCategory', { token: user.token, body: { name } });
    categories.push(data.id);
  }
  // Many share a day, so that the order needs its ties broken.
  for (let index = 0; index < 24; index += 1) {
    await record({
      type: index % 3 === 0 ? 'income' : 'expense',
      amountDecimal: `${index + 1}`,
      accountId: index % 4 === 0 ? other.id : tracker.accountId,
      categoryId: categories[index % 3],
      occurredOn: `2026-01-${String(1 + (index % 5)).padStart(2, '0')}`,
    });
  }
  await server.call('createTransfer', {
    token: user.token,
    body: { amountDecimal: '9', fromAccountId: other.id, toAccountId: tracker.accountId, occurredOn: '2026-02-01' },
  });
});

afterAll(() => server.close());

function record(body: Record<string, unknown>) {
  return server.call('createMovement', { token: user.token, body });
}

/** Somebody with a tracker and that many expenses in its one cashbox, which would take long one by one. */
async function newHistory({ length }: { length: number }) {
  const somebody = await server.newUser();
  const { id, accountId, cashboxId } = await server.newTracker(somebody);
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    await client.query(
      `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
         occurred_on, source_type, source_id)
       select $1, gen_random_uuid(), 'expense', 'regular', 1, 'EUR', $2, $3, 'cat_unknown',
         date '2024-01-01' + number / 2, 'user', $4
       from generate_series(1, $5::integer) as number`,
      [id, accountId, cashboxId, somebody.userId, length],
    );
    await client.query(
      'update app.cashboxes set balance = balance - $3, expense_count = $3 where tracker_id = $1 and id = $2',
      [id, cashboxId, length],
    );
  } finally {
    await client.end();
  }
  return { token: somebody.token, accountId, cashboxId };
}

type Row = Movement;

function list(query: Record<string, string> = {}) {
  return server.call('listMovements', { token: user.token, query });
}

describe('200', () => {
  it('lists newest first by date, then by creation, then by id', async () => {
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
    ['from, inclusive', { from: '2026-01-04' }, (row) => row.occurredOn >= '2026-01-04'],
    ['to, inclusive', { to: '2026-01-02' }, (row) => row.occurredOn <= '2026-01-02'],
    ['both ends of one day', { from: '2026-01-03', to: '2026-01-03' }, (row) => row.occurredOn === '2026-01-03'],
  ])('filters by %s', async (_, query, matches) => {
    const all = (await list()).data;
    const filtered = (await list(query)).data;
    expect(filtered).toEqual(all.filter(matches));
    expect(filtered.length).toBeGreaterThan(0);
  });

  it('filters by account, cashbox, one category and several, and by all of them together', async () => {
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

  it('gives an empty list for ids that are nobody’s or somebody else’s', async () => {
    for (const query of [{ accountId: randomUUID() }, { cashboxId: randomUUID() }, { categoryId: 'cat_nobody' }]) {
      const { status, data, meta } = await list({ ...query, includeTotal: 'true' });
      expect(status).toBe(200);
      expect(data).toEqual([]);
      expect(meta.pagination?.total).toBe(0);
    }
  });

  it('pages by offset, and counts the whole only when it is asked to', async () => {
    const all = (await list()).data;
    const page = await list({ limit: '10', offset: '20', includeTotal: 'true' });
    expect(page.data).toEqual(all.slice(20));
    expect(page.meta.pagination).toMatchObject({ offset: 20, count: 6, total: 26, hasMore: false, nextOffset: null });
    expect((await list({ limit: '10' })).meta.pagination).toMatchObject({ hasMore: true, nextOffset: 10, total: null });
  });

  it('counts as many as there are, whatever is filtered by', async () => {
    const cashboxId = other.cashboxes[0]?.id ?? '';
    const [a = '', b = ''] = categories;
    const queries: Record<string, string>[] = [
      {},
      { type: 'income' },
      { type: 'expense' },
      { kind: 'transfer' },
      { kind: 'regular', type: 'income' },
      { accountId: other.id },
      { accountId: other.id, type: 'expense' },
      { cashboxId },
      { cashboxId, accountId: other.id, type: 'income' },
      { cashboxId, accountId: tracker.accountId },
      { categoryId: a },
      { categoryIds: `${a},${b}`, accountId: other.id },
      { from: '2026-01-02', to: '2026-01-04' },
      { from: '2026-01-04' },
      { to: '2026-01-02' },
      { accountId: other.id, to: '2026-01-02' },
    ];
    for (const query of queries) {
      const { length } = (await list({ ...query, limit: '200' })).data;
      const { meta } = await list({ ...query, limit: '1', includeTotal: 'true' });
      expect({ query, total: meta.pagination?.total }).toEqual({ query, total: length });
    }
  });

  it('counts what is in an archived cashbox too', async () => {
    const { token, cashboxId, accountId } = await newHistory({ length: 3 });
    const queries: Record<string, string>[] = [{}, { type: 'expense' }, { accountId }, { cashboxId }];
    const totals = () =>
      Promise.all(
        queries.map(async (query) => {
          const to = { token, query: { ...query, includeTotal: 'true' } };
          return (await server.call('listMovements', to)).meta.pagination?.total;
        }),
      );
    expect(await totals()).toEqual([3, 3, 3, 3]);
    const archived = await server.call('updateCashbox', { token, params: { cashboxId }, body: { status: 'archived' } });
    expect(archived.status).toBe(200);
    expect(await totals()).toEqual([3, 3, 3, 3]);
  });

  it('tells of the largest page whether there is more, wherever it begins', async () => {
    const { token } = await newHistory({ length: 405 });
    const seen: string[] = [];
    const told: unknown[] = [];
    for (const offset of [0, 200, 400]) {
      const to = { token, query: { limit: '200', offset: String(offset) } };
      const { data, meta } = await server.call('listMovements', to);
      seen.push(...data.map((row: Row) => row.id));
      told.push([data.length, meta.pagination?.hasMore, meta.pagination?.nextOffset]);
    }
    expect(told).toEqual([
      [200, true, 200],
      [200, true, 400],
      [5, false, null],
    ]);
    expect(new Set(seen).size).toBe(405);
  });

  it('pages through several categories as through one list, by cursor and by offset', async () => {
    const query = { categoryIds: categories.slice(0, 2).join(',') };
    const all = (await list(query)).data;
    const byCursor: Row[] = [];
    const byOffset: Row[] = [];
    let cursor: string | null = null;
    for (let offset = 0; offset < all.length; offset += 3) {
      const page: Awaited<ReturnType<typeof list>> = await list({
        ...query,
        limit: '3',
        ...(cursor === null ? {} : { cursor }),
      });
      byCursor.push(...page.data);
      cursor = page.meta.pagination?.nextCursor ?? null;
      byOffset.push(...(await list({ ...query, limit: '3', offset: String(offset) })).data);
    }
    expect(all.length).toBeGreaterThan(6);
    expect(byCursor).toEqual(all);
    expect(byOffset).toEqual(all);
    expect(cursor).toBeNull();
  });

  it('walks by cursor through every movement once, while others are recorded in front and behind', async () => {
    const before = (await list()).data.map((row: Row) => row.id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: '4', ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.data.map((row: Row) => row.id));
      if (cursor !== null) expect(page.meta.pagination).toMatchObject({ offset: null, nextOffset: null });
      cursor = page.meta.pagination?.nextCursor ?? null;
      await record({ type: 'expense', amountDecimal: '1', accountId: other.id, occurredOn: '2026-03-01' });
    } while (cursor !== null);
    expect(seen.filter((id) => before.includes(id))).toEqual(before);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('400', () => {
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
  ])('refuses %j', async (query, issues) => {
    const refused = await list(query);
    expect(refused.status).toBe(400);
    expect(refused.issues).toEqual(issues);
  });

  it('refuses a parameter that is sent twice', async () => {
    const response = await fetch(`${server.baseUrl}/movements?limit=1&limit=2`, {
      headers: { Authorization: `Bearer ${user.token}` },
    });
    const { error } = (await response.json()) as { error: { details: { issues: unknown[] } } };
    expect(response.status).toBe(400);
    expect(error.details.issues).toMatchObject([{ path: 'query.limit', code: 'REPEATED_PARAMETER' }]);
  });
});

it('a page shows what people wrote as each movement does, in any script and with quotes', async () => {
  const somebody = await server.newUser();
  const { accountId } = await server.newTracker(somebody);
  const written = ['Café "Ñandú"', '咖啡 🧾', 'a\\b', 'plain'];
  for (const description of written) {
    const body = { type: 'expense', amountDecimal: '1', accountId, description, merchantName: description };
    await server.call('createMovement', { token: somebody.token, body });
  }
  const { data } = await server.call('listMovements', { token: somebody.token });
  expect(data.map(({ description }) => description).sort()).toEqual([...written].sort());
  for (const movement of data) {
    const single = await server.call('getMovement', { token: somebody.token, params: { movementId: movement.id } });
    expect(single.data).toEqual(movement);
  }
});
