import type pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSharedConnections, type SharedConnections } from '../../test-support/open-shared-connections.js';
import type { TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database } from './database.js';
import { Seat } from './line.js';
import { query } from './query.js';
import type { Transaction } from './transaction.js';

let shared: SharedConnections;
let testDatabase: TestDatabase;
let database: Database;
let owner: pg.Client;
let read: SharedConnections['read'];
let beginBefore: SharedConnections['beginBefore'];
let lockedByOwner: SharedConnections['lockedByOwner'];

// Each test has its own: what reads took before says whether they share.
beforeEach(async () => {
  shared = await openSharedConnections();
  ({ testDatabase, database, owner, read, beginBefore, lockedByOwner } = shared);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await shared.close();
});

const backend = 'pg_backend_pid() as pid';

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
