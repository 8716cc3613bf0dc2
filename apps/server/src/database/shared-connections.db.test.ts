import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database } from './database.js';
import { RideLost, Seat } from './line.js';
import { DatabaseAway } from './postgres-errors.js';
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

/** Begins a read, and those behind it in the moment in which all of it is on its way. */
async function beginBefore<Behind>(
  sql: string,
  beginBehind: () => Behind,
): Promise<{ readonly first: Promise<unknown>; readonly behind: Behind }> {
  const { sent } = Seat.prototype;
  let first: Promise<unknown> | undefined;
  const behind = await new Promise<readonly [Behind]>((resolve) => {
    const spy = vi.spyOn(Seat.prototype, 'sent').mockImplementation(function (this: Seat, options) {
      spy.mockRestore();
      sent.call(this, options);
      resolve([beginBehind()]);
    });
    first = read(sql);
    first.catch(() => {});
  });
  return { first: first as Promise<unknown>, behind: behind[0] };
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

it('reads behind one that fails have their answers from the same backend, and only that one has the failure', async () => {
  const { first, behind } = await beginBefore('select 1 / (pg_backend_pid() - pg_backend_pid())', () =>
    readNumbers(10),
  );
  await Promise.all([
    expect(first).rejects.toMatchObject({ code: '22012' }),
    expect(behind).resolves.toEqual(numbersTo(10)),
  ]);
  expect(begun()).toBe(11);
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

it('a read of several packets keeps its transaction, whatever becomes of the one in front', async () => {
  // Nobody can read such a moment: PostgreSQL has done all, and the read fails here.
  const { first, behind } = await beginBefore(`select 'infinity'::timestamptz as at`, () =>
    database.transaction({ readOnly: true }, async (tx) => {
      await query(tx, `select set_config('app.user_id', 'behind', true)`);
      const seen: unknown[] = [];
      for (let count = 0; count < 5; count += 1) {
        const [row] = await query<object>(
          tx,
          `select current_setting('app.user_id') as own, current_setting('transaction_read_only') as "isReadOnly"`,
        );
        seen.push(row);
      }
      return seen;
    }),
  );
  await expect(first).rejects.toThrow();
  expect(await behind).toEqual(Array(5).fill({ own: 'behind', isReadOnly: 'on' }));
});

it('a read that gave up and fails then leaves nothing on its connection to whoever comes next', async () => {
  const failing = (tx: Transaction) => query(tx, `select 1 / length(pg_sleep(0.02)::text)`, {}, { isLastRead: true });
  for (const several of [false, true]) {
    await lockedByOwner(async () => {
      const { first: stuck, behind } = await beginBefore('select id from notes', () =>
        database.transaction({ readOnly: true }, async (tx) => {
          if (several) await query(tx, `select 1 / length(pg_sleep(0.02)::text)`);
          return failing(tx);
        }),
      );
      await expect(behind).rejects.toMatchObject({ code: '22012' });
      await owner.query('rollback');
      await stuck;
    });
    // All connections that there are.
    const writes = Array.from({ length: 8 }, () =>
      database.transaction({ readOnly: false }, (tx) => query(tx, 'select 1')),
    );
    expect(await Promise.all(writes)).toHaveLength(8);
  }
  await vi.waitFor(() => expect(database.poolUse()).toMatchObject({ used: 0, waiting: 0 }));
});

it('statements are prepared again where those in front, or behind, could not be', async () => {
  const sql = 'select id from notes where id < 0';
  const { first, behind } = await beginBefore(sql, () =>
    database.transaction({ readOnly: true }, (tx) => {
      query(tx, `select set_config('search_path', 'nowhere', true)`).catch(() => {});
      return query(tx, sql, {}, { isLastRead: true });
    }),
  );
  await Promise.all([expect(first).resolves.toBeUndefined(), expect(behind).rejects.toMatchObject({ code: '42P01' })]);
  // The pool gives its connections out in turn.
  for (let count = 0; count < 16; count += 1) expect(await read(sql)).toBeUndefined();
  // Nobody was told that one is lost: this one is still prepared, and finds itself.
  const prepared = `select count(*)::int as count from pg_prepared_statements where statement like '%finds itself%'`;
  expect(await read(prepared)).toEqual({ count: 1 });
});

it('a read has the columns of its statement, whatever becomes of those that prepare it in front', async () => {
  const alone = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1, usualMax: 1 });
  const readAlone = (sql: string) =>
    alone.transaction({ readOnly: true }, (tx) => query<object>(tx, sql, {}, { isLastRead: true }));
  const sql = 'select 42 as answer';
  const seats = vi.spyOn(Seat.prototype, 'sent');
  const sentAfter = async (count: number) => {
    while (seats.mock.calls.length <= count) await new Promise((resolve) => setImmediate(resolve));
  };
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const first = readAlone(sql);
  await sentAfter(0);
  // Prepares it anew, and fails in another statement, when the first has had its answers for long.
  const failing = alone.transaction({ readOnly: true }, (tx) => {
    query(tx, sql).catch(() => {});
    query(tx, 'select pg_sleep(0.02)').catch(() => {});
    return query(tx, 'select 1 / (pg_backend_pid() - pg_backend_pid())', {}, { isLastRead: true });
  });
  failing.catch(() => {});
  await sentAfter(1);
  expect(await first).toEqual([{ answer: 42 }]);
  const third = readAlone(sql);
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  await third;
  // Until then nobody had waited for long.
  clock.mockRestore();
  expect([await third, await readAlone(sql), await readAlone(sql)]).toEqual(Array(3).fill([{ answer: 42 }]));
  expect(seats.mock.contexts.map((seat) => (seat as Seat).isRide)).toEqual([false, true, true, false, false]);
  await alone.close();
});

it('nothing is sent for a transaction that is over: its connection belongs to others', async () => {
  let late: Promise<unknown> | undefined;
  let straggler: Promise<unknown> | undefined;
  const failed = database.transaction({ readOnly: true }, async (tx) => {
    await query(tx, 'select 1');
    straggler = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => query(tx, 'select 2'));
    straggler.catch(() => {});
    late = query(tx, 'select 3');
    late.catch(() => {});
    throw new DatabaseAway(new Error('refused by the work'));
  });
  await expect(failed).rejects.toThrow(DatabaseAway);
  await expect(late).rejects.toThrow('The transaction is over.');
  await expect(straggler).rejects.toThrow('The transaction is over.');
  await vi.waitFor(() => expect(database.poolUse()).toMatchObject({ used: 0, waiting: 0 }));
});

it('an error of its own that looks like one of the connection takes nobody else along', async () => {
  const { first, behind } = await beginBefore(`select pg_sleep(0.02)::text, ${backend}`, () =>
    database.transaction({ readOnly: true }, () => Promise.reject(new Error('The operation was aborted'))),
  );
  await Promise.all([
    expect(first).resolves.toMatchObject({ pid: expect.any(Number) }),
    expect(behind).rejects.toThrow('The operation was aborted'),
  ]);
});

it('a read with little time left does not take the connection of those in front along', async () => {
  await lockedByOwner(async () => {
    const { first, behind } = await beginBefore('select id from notes', () =>
      database.transaction({ readOnly: true }, (tx) => query(tx, 'select 1', {}, { isLastRead: true, answerMsMax: 5 })),
    );
    expect(await behind).toHaveLength(1);
    await owner.query('rollback');
    expect(await first).toBeUndefined();
  });
});

it('a read whose work does not mind failures begins again all the same when others kept it from its answers', async () => {
  for (const several of [false, true]) {
    await lockedByOwner(async () => {
      const { first: stuck, behind } = await beginBefore('select id from notes', () =>
        database.transaction({ readOnly: true }, async (tx) => {
          if (several) await query(tx, 'select 1').catch(() => {});
          return query<{ one: number }>(tx, 'select 1 as one', {}, { isLastRead: true }).catch(() => []);
        }),
      );
      expect(await behind).toEqual([{ one: 1 }]);
      await owner.query('rollback');
      await stuck;
    });
  }
});

it('a read that lost its place twice has a connection to itself', async () => {
  const { sent } = Seat.prototype;
  const seats: Seat[] = [];
  await lockedByOwner(async () => {
    vi.spyOn(Seat.prototype, 'sent').mockImplementation(function (this: Seat, options) {
      seats.push(this);
      sent.call(this, options);
      if (this.isRide) options.giveUp(new RideLost());
    });
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const stuck = read('select id from notes');
    while (seats.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await read<{ one: number }>('select 1 as one')).toEqual({ one: 1 });
    expect(seats.map(({ isRide }) => isRide)).toEqual([false, true, true, false]);
    clock.mockRestore();
    await owner.query('rollback');
    await stuck;
  });
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

it('nothing is sent behind the COMMIT of a write, and a write behind nothing', async () => {
  const sent = vi.spyOn(Seat.prototype, 'sent');
  await lockedByOwner(async () => {
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const write = database.transaction({ readOnly: false }, async (tx) => {
      tx.sendWithCommit(() => query(tx, 'insert into notes values (1000)'));
    });
    while (sent.mock.calls.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const reading = read('select id from notes');
    while (sent.mock.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    // Both are on their way as a whole, and wait for the lock.
    await database.transaction({ readOnly: false }, (tx) => query(tx, 'select 1'));
    expect(sent.mock.contexts.map((seat) => (seat as Seat).isRide)).toEqual([false, false, false, false]);
    await owner.query('rollback');
    await Promise.all([write, reading]);
  });
  await database.transaction({ readOnly: false }, (tx) => query(tx, 'delete from notes'));
});

it('nothing is written by a read, though its packet has no BEGIN', async () => {
  await expect(read('insert into notes values (4711)')).rejects.toMatchObject({ code: '25006' });
  expect(await read('select id from notes where id = 4711')).toBeUndefined();
  // And whoever has the connection next may write.
  const write = () => database.transaction({ readOnly: false }, (tx) => query(tx, 'insert into notes values (4712)'));
  expect(await write()).toEqual([]);
  await database.transaction({ readOnly: false }, (tx) => query(tx, 'delete from notes where id = 4712'));
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
  await owner.query('delete from notes');
});
