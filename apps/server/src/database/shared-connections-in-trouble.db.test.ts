import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database } from './database.js';
import { Line, Seat } from './line.js';
import { CommitOutcomeUnknown } from './postgres-errors.js';
import { query } from './query.js';
import type { Transaction } from './transaction.js';

let testDatabase: TestDatabase;
let database: Database;
let owner: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  const { connectionString } = testDatabase;
  database = createDatabase({ connectionString, poolMax: 8, usualMax: 7 });
  owner = new pg.Client({ connectionString });
  await owner.connect();
  await owner.query('create table notes (id int primary key)');
});

afterAll(async () => {
  vi.restoreAllMocks();
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

it('whatever is cancelled, killed or refused among many: everybody finds what they set, and what was written is there', async () => {
  const random = fc.sample(fc.nat(999), { numRuns: 20_000, seed: 20_261_122 });
  const roll = (sides: number) => (random.pop() as number) % sides;
  // Whoever may share does, however long the others take.
  const { isRideable } = Line.prototype;
  vi.spyOn(Line.prototype, 'isRideable').mockImplementation(function (this: Line) {
    return isRideable.call(this, Number.NEGATIVE_INFINITY);
  });
  vi.spyOn(Line.prototype, 'answered').mockReturnValue();
  const sent = vi.spyOn(Seat.prototype, 'sent');
  // Asked where somebody has waited too long.
  const looks = vi.spyOn(Line.prototype, 'hasOthersBefore');
  let done = 0;
  const acknowledged: number[] = [];
  const unknown: number[] = [];
  const strangers: unknown[] = [];
  const own = `select current_setting('app.user_id', true) as own, pg_backend_pid() as pid`;
  const acts: ((caller: string, tx: Transaction) => Promise<unknown>)[] = [
    (_, tx) => query(tx, `select 1 / (pg_backend_pid() - pg_backend_pid())`, {}, { isLastRead: true }),
    (_, tx) => query(tx, `select 'infinity'::timestamptz`, {}, { isLastRead: true }),
    (_, tx) => query(tx, 'select pg_sleep(0.08)', {}, { isLastRead: true }),
    async (_, tx) => {
      await query(tx, 'select pg_sleep(0.002)');
      throw new Error('refused by the work');
    },
  ];
  async function look(caller: string, tx: Transaction, options = {}): Promise<void> {
    const [row] = await query<{ own: string }>(tx, own, {}, options);
    if (row?.own !== caller) strangers.push({ caller, row });
  }
  async function readAs(caller: string): Promise<void> {
    const act = acts[roll(12)];
    await database.within(5_000).transaction({ readOnly: true }, async (tx) => {
      const set = query(tx, `select set_config('app.user_id', :caller, true)`, { caller });
      set.catch(() => {});
      if (act !== undefined) return act(caller, tx);
      if (roll(3) > 0) return look(caller, tx, { isLastRead: true });
      for (let count = 0; count < 3; count += 1) await look(caller, tx);
    });
  }
  async function writeAs(caller: string, id: number): Promise<void> {
    const writing = database.transaction({ readOnly: false }, async (tx) => {
      await query(tx, `select set_config('app.user_id', :caller, true)`, { caller });
      await look(caller, tx);
      tx.sendWithCommit(() => query(tx, 'insert into notes values (:id)', { id }));
    });
    await writing.then(
      () => acknowledged.push(id),
      (error: unknown) => error instanceof CommitOutcomeUnknown && unknown.push(id),
    );
  }
  let isOver = false;
  const vandal = (async () => {
    for (let next = 5; !isOver; next += 5) {
      // Cancelled all the time, nobody would ever come to an end.
      while (done < next && !isOver) await new Promise((resolve) => setImmediate(resolve));
      const how = roll(3) === 0 ? 'pg_terminate_backend' : 'pg_cancel_backend';
      await owner.query(
        `select ${how}(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         order by random() limit 1`,
      );
    }
  })();
  let id = 0;
  await Promise.all(
    // As many as need not wait for a turn: where somebody does, nobody shares.
    Array.from({ length: 7 }, async (_, worker) => {
      for (let count = 0; count < 150; count += 1) {
        id += 1;
        const caller = `${worker}-${count}`;
        await (worker < 1 ? writeAs(caller, id) : readAs(caller).catch(() => {}));
        done += 1;
      }
    }),
  );
  isOver = true;
  await vandal;
  const seats = [...new Set(sent.mock.contexts)] as Seat[];
  expect(seats.filter(({ isRide }) => isRide).length).toBeGreaterThan(50);
  expect(looks.mock.results.filter(({ value: areOthersBefore }) => areOthersBefore === true)).not.toEqual([]);
  expect(strangers).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(0);
  const { rows } = await owner.query<{ id: number }>('select id from notes');
  const there = new Set(rows.map((row) => row.id));
  expect(acknowledged.filter((written) => !there.has(written))).toEqual([]);
  expect([...there].filter((found) => !acknowledged.includes(found) && !unknown.includes(found))).toEqual([]);
  await vi.waitFor(() => expect(database.poolUse()).toMatchObject({ used: 0, waiting: 0 }));
});
