import type pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSharedConnections, type SharedConnections } from '../../test-support/open-shared-connections.js';
import type { Database } from './database.js';
import { RideLost, Seat } from './line.js';
import { DatabaseAway } from './postgres-errors.js';
import { query } from './query.js';
import type { Transaction } from './transaction.js';

let shared: SharedConnections;
let database: Database;
let owner: pg.Client;
/** Everything that was sent. */
let statements: SharedConnections['statements'];
let read: SharedConnections['read'];
let beginBefore: SharedConnections['beginBefore'];
let lockedByOwner: SharedConnections['lockedByOwner'];

// Each test has its own: what reads took before says whether they share.
beforeEach(async () => {
  shared = await openSharedConnections();
  ({ database, owner, statements, read, beginBefore, lockedByOwner } = shared);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await shared.close();
});

const backend = 'pg_backend_pid() as pid';

/** So many reads, each of its own number. */
const readNumbers = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, number) => read<{ number: number }>(`select ${number} as number`)));
const numbersTo = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

const begun = () => statements.filter((sql) => sql.startsWith('BEGIN')).length;

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

it.each(['one packet', 'several packets'])(
  'a read of %s that gave up and fails then leaves nothing on its connection to whoever comes next',
  async (packets) => {
    const failing = (tx: Transaction) => query(tx, `select 1 / length(pg_sleep(0.02)::text)`, {}, { isLastRead: true });
    await lockedByOwner(async () => {
      const { first: stuck, behind } = await beginBefore('select id from notes', () =>
        database.transaction({ readOnly: true }, async (tx) => {
          if (packets === 'several packets') await query(tx, `select 1 / length(pg_sleep(0.02)::text)`);
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
    await vi.waitFor(() => expect(database.poolUse()).toMatchObject({ used: 0, waiting: 0 }));
  },
);

it('a read of several packets has all that its last one brings', async () => {
  const brought = await database.transaction({ readOnly: true }, async (tx) => {
    await query(tx, `select set_config('app.user_id', 'the first', true)`);
    const own = query(tx, `select current_setting('app.user_id') as own`);
    return Promise.all([own, query(tx, 'select 2 as two', {}, { isLastRead: true })]);
  });
  expect(brought).toEqual([[{ own: 'the first' }], [{ two: 2 }]]);
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

it.each(['one packet', 'several packets'])(
  'a read of %s whose work does not mind failures begins again all the same when others kept it from its answers',
  async (packets) => {
    await lockedByOwner(async () => {
      const { first: stuck, behind } = await beginBefore('select id from notes', () =>
        database.transaction({ readOnly: true }, async (tx) => {
          if (packets === 'several packets') await query(tx, 'select 1').catch(() => {});
          return query<{ one: number }>(tx, 'select 1 as one', {}, { isLastRead: true }).catch(() => []);
        }),
      );
      expect(await behind).toEqual([{ one: 1 }]);
      await owner.query('rollback');
      await stuck;
    });
  },
);

it('a read that does not mind its loss leaves its transaction to nobody, however late it ends', async () => {
  const answered = vi.spyOn(Seat.prototype, 'answered');
  let endFirst = () => {};
  let endBehind = () => {};
  let attempts = 0;
  await lockedByOwner(async () => {
    const firstMayEnd = new Promise<void>((resolve) => (endFirst = resolve));
    const behindMayEnd = new Promise<void>((resolve) => (endBehind = resolve));
    const sent = vi.spyOn(Seat.prototype, 'sent');
    const first = database.transaction({ readOnly: true }, async (tx) => {
      await query(tx, 'select id from notes', {}, { isLastRead: true });
      await firstMayEnd;
    });
    while (sent.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    let behind: Promise<unknown> | undefined;
    await new Promise<void>((lost) => {
      behind = database.transaction({ readOnly: true }, async (tx) => {
        attempts += 1;
        if (attempts > 1) return query(tx, 'select 1', {}, { isLastRead: true });
        await query(tx, `select set_config('app.user_id', 'behind', true)`).catch(() => lost());
        await behindMayEnd;
        return query(tx, 'select 1');
      });
    });
    await owner.query('rollback');
    while (answered.mock.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    endBehind();
    await behind;
    const found = `select current_setting('app.user_id', true) as found`;
    for (const seen of await Promise.all(Array.from({ length: 16 }, () => read<{ found: string }>(found)))) {
      expect(seen?.found ?? '').toBe('');
    }
    endFirst();
    await first;
  });
  expect(attempts).toBe(2);
});

it('a read whose prepared statements somebody in front took away begins again elsewhere, and statements are prepared as before', async () => {
  const own = () => read<{ pid: number }>(`select ${backend}`);
  const before = await own();
  const { first, behind } = await beginBefore('deallocate all', own);
  await first;
  expect((await behind)?.pid).not.toBe(before?.pid);
  for (let count = 0; count < 16; count += 1) expect((await own())?.pid).not.toBe(before?.pid);
  const prepared = await read<{ count: number }>('select count(*)::int as count from pg_prepared_statements');
  expect(prepared?.count).toBeGreaterThan(1);
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
