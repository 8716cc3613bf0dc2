import type { Movement } from '@centavo/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MovementListFixture, startMovementListFixture } from '../../../test-support/start-movement-fixture.js';
import type { TestServer } from '../../../test-support/start-test-server.js';

let server: TestServer;
let tracker: MovementListFixture['tracker'];
let other: MovementListFixture['other'];
let categories: MovementListFixture['categories'];
let record: MovementListFixture['record'];
let list: MovementListFixture['list'];

beforeAll(async () => {
  ({ server, tracker, other, categories, record, list } = await startMovementListFixture());
});

afterAll(() => server.close());

/** Creates a user with a tracker, and inserts `length` expenses with SQL, because one request per expense is slow. */
async function newHistory({ length }: { length: number }) {
  const user = await server.newUser();
  const { id, accountId, cashboxId } = await server.newTracker(user);
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    await client.query(
      `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
         occurred_on, source_type, source_id)
       select $1, gen_random_uuid(), 'expense', 'regular', 1, 'EUR', $2, $3, 'cat_unknown',
         date '2024-01-01' + number / 2, 'user', $4
       from generate_series(1, $5::integer) as number`,
      [id, accountId, cashboxId, user.userId, length],
    );
    await client.query(
      'update app.cashboxes set balance = balance - $3, expense_count = $3 where tracker_id = $1 and id = $2',
      [id, cashboxId, length],
    );
  } finally {
    await client.end();
  }
  return { token: user.token, accountId, cashboxId };
}

type Row = Movement;

describe('GET /movements', () => {
  // @proves spec, Movements and transfers: GET · /movements
  // @proves spec, Movements and transfers: limit, offset
  // @proves contract 3: meta.pagination
  it('pages by offset, and returns the total only if includeTotal is true', async () => {
    const all = (await list()).data;
    const page = await list({ limit: '10', offset: '20', includeTotal: 'true' });
    expect(page.data).toEqual(all.slice(20));
    expect(page.meta.pagination).toMatchObject({ offset: 20, count: 6, total: 26, hasMore: false, nextOffset: null });
    expect((await list({ limit: '10' })).meta.pagination).toMatchObject({ hasMore: true, nextOffset: 10, total: null });
  });

  it('returns the exact total for each of sixteen combinations of filters', async () => {
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

  it('includes the movements of an archived cashbox in the total', async () => {
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

  it('returns hasMore and nextOffset for each page of 405 movements with the limit 200', async () => {
    const { token } = await newHistory({ length: 405 });
    const seen: string[] = [];
    const reported: unknown[] = [];
    for (const offset of [0, 200, 400]) {
      const to = { token, query: { limit: '200', offset: String(offset) } };
      const { data, meta } = await server.call('listMovements', to);
      seen.push(...data.map((row: Row) => row.id));
      reported.push([data.length, meta.pagination?.hasMore, meta.pagination?.nextOffset]);
    }
    expect(reported).toEqual([
      [200, true, 200],
      [200, true, 400],
      [5, false, null],
    ]);
    expect(new Set(seen).size).toBe(405);
  });

  it('lists the movements of several categories in the same order by cursor and by offset', async () => {
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

  // @proves contract 4: order of movements
  it('returns each existing movement exactly once to a client that pages by cursor while newer movements are recorded', async () => {
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
