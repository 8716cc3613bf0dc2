import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database } from './database.js';
import { query } from './query.js';
import type { Transaction } from './transaction.js';

let testDatabase: TestDatabase;
let database: Database;
let owner: pg.Client;
/** Everything that was sent since the test began. */
const statements: string[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  const { connectionString } = testDatabase;
  database = createDatabase({ connectionString, poolMax: 8, usualMax: 3, onStatement: (sql) => statements.push(sql) });
  owner = new pg.Client({ connectionString });
  await owner.connect();
  await owner.query('create table notes (id int primary key)');
});

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

beforeEach(() => {
  statements.length = 0;
});

afterEach(() => vi.restoreAllMocks());

const backend = 'pg_backend_pid() as pid';

/** One read, which COMMIT travels with. */
function read<Row>(sql: string): Promise<Row | undefined> {
  return database.transaction(
    { readOnly: true },
    async (tx) => (await query<Row>(tx, sql, {}, { isLastRead: true }))[0],
  );
}

/**
 * Begins a read, and those behind it as soon as all of it is on its way: by the clock at the same moment, however busy the
 * machine is.
 */
async function beginBefore<Behind>(
  sql: string,
  beginBehind: () => Behind,
): Promise<{ readonly first: Promise<unknown>; readonly behind: Behind }> {
  const sent = statements.length;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const first = read(sql);
  first.catch(() => {});
  // A connection may have to be made first.
  while (!statements.slice(sent).includes('COMMIT')) await new Promise((resolve) => setImmediate(resolve));
  const behind = beginBehind();
  clock.mockRestore();
  return { first, behind };
}

/** So many reads, each of its own number. */
const readNumbers = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, number) => read<{ number: number }>(`select ${number} as number`)));
const numbersTo = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

const begun = () => statements.filter((sql) => sql.startsWith('BEGIN')).length;

async function lockedByOwner(work: () => Promise<void>): Promise<void> {
  await owner.query('begin; lock table notes in access exclusive mode');
  try {
    await work();
  } finally {
    await owner.query('rollback');
  }
}

it('reads at once use few connections, and each is alone in its transaction: what it sets nobody else finds', async () => {
  const callers = Array.from({ length: 200 }, (_, caller) => String(caller));
  const seen = await Promise.all(
    callers.map((caller) =>
      database.transaction({ readOnly: true }, async (tx) => {
        const found = query<{ before: string | null }>(tx, `select current_setting('app.user_id', true) as before`);
        const set = query(tx, `select set_config('app.user_id', :caller, true)`, { caller });
        const [[before], , [own]] = await Promise.all([
          found,
          set,
          query<{ own: string; pid: number }>(
            tx,
            `select current_setting('app.user_id') as own, ${backend}`,
            {},
            { isLastRead: true },
          ),
        ]);
        return { before: before?.before ?? '', own: own?.own, pid: own?.pid };
      }),
    ),
  );
  expect(seen.map(({ own }) => own)).toEqual(callers);
  expect(new Set(seen.map(({ before }) => before))).toEqual(new Set(['']));
  expect(new Set(seen.map(({ pid }) => pid)).size).toBeLessThanOrEqual(8);
});

it('a read is sent to the backend that works for another', async () => {
  const { first, behind } = await beginBefore(`select ${backend}`, () => read<{ pid: number }>(`select ${backend}`));
  expect(await behind).toEqual(await first);
});

it('reads behind one that waits for a lock are answered all the same, from other backends', async () => {
  await lockedByOwner(async () => {
    const { first: stuck, behind } = await beginBefore('select id from notes', () => readNumbers(20));
    expect(await behind).toEqual(numbersTo(20));
    // One of them was behind it, and began once more.
    expect(begun()).toBeGreaterThan(21);
    await owner.query('rollback');
    expect(await stuck).toBeUndefined();
  });
  // What was left behind was carried out in its place, and its connection is good for the next.
  expect(await readNumbers(8)).toEqual(numbersTo(8));
});

it('reads behind one that fails have their answers, and only that one has the failure', async () => {
  const { first, behind } = await beginBefore('select 1 / (pg_backend_pid() - pg_backend_pid())', () =>
    readNumbers(10),
  );
  await Promise.all([
    expect(first).rejects.toMatchObject({ code: '22012' }),
    expect(behind).resolves.toEqual(numbersTo(10)),
  ]);
  expect(begun()).toBeGreaterThan(11);
});

it('reads behind one whose backend is killed have their answers from another', async () => {
  const { first, behind } = await beginBefore('select pg_terminate_backend(pg_backend_pid()), pg_sleep(1)', () =>
    readNumbers(10),
  );
  await Promise.all([
    expect(first).rejects.toMatchObject({ code: '57P01' }),
    expect(behind).resolves.toEqual(numbersTo(10)),
  ]);
  expect(begun()).toBeGreaterThan(11);
});

it('nothing is sent behind a transaction that writes, nor behind one that may read more', async () => {
  for (const readOnly of [false, true]) {
    await database.transaction({ readOnly }, async (tx: Transaction) => {
      const [own] = await query<{ pid: number }>(tx, `select ${backend}`);
      const others = await Promise.all([
        read<{ pid: number }>(`select ${backend}`),
        read<{ pid: number }>(`select ${backend}`),
      ]);
      expect(others.map((other) => other?.pid)).not.toContain(own?.pid);
    });
  }
});

it('writes among many reads have their turn', async () => {
  let areReading = true;
  const readers = Array.from({ length: 30 }, async () => {
    while (areReading) await read('select 1');
  });
  for (let id = 1; id <= 20; id += 1) {
    await database.transaction({ readOnly: false }, (tx) => query(tx, 'insert into notes values (:id)', { id }));
  }
  areReading = false;
  await Promise.all(readers);
  expect(await read('select count(*)::int as count from notes')).toEqual({ count: 20 });
});
