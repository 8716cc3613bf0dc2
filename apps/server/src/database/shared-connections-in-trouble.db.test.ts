import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database } from './database.js';
import { CommitOutcomeUnknown } from './postgres-errors.js';
import { query } from './query.js';
import type { Transaction } from './transaction.js';

let testDatabase: TestDatabase;
let database: Database;
let owner: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  const { connectionString } = testDatabase;
  database = createDatabase({ connectionString, poolMax: 8, usualMax: 3 });
  owner = new pg.Client({ connectionString });
  await owner.connect();
  await owner.query('create table notes (id int primary key)');
});

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

it('whatever is cancelled, killed or refused among many: everybody finds what they set, and what was written is there', async () => {
  const random = fc.sample(fc.nat(999), { numRuns: 2_000, seed: 20_261_122 });
  const roll = (sides: number) => (random.pop() ?? 0) % sides;
  const acknowledged: number[] = [];
  const unknown: number[] = [];
  const strangers: unknown[] = [];
  const own = `select current_setting('app.user_id', true) as own, pg_backend_pid() as pid`;
  const acts: ((caller: string, tx: Transaction) => Promise<unknown>)[] = [
    (_, tx) => query(tx, `select 1 / (pg_backend_pid() - pg_backend_pid())`, {}, { isLastRead: true }),
    (_, tx) => query(tx, `select 'infinity'::timestamptz`, {}, { isLastRead: true }),
    (_, tx) => query(tx, 'select pg_sleep(0.03)', {}, { isLastRead: true }),
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
    while (!isOver) {
      const how = roll(3) === 0 ? 'pg_terminate_backend' : 'pg_cancel_backend';
      await owner.query(
        `select ${how}(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         order by random() limit 1`,
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  let id = 0;
  await Promise.all(
    Array.from({ length: 24 }, async (_, worker) => {
      for (let count = 0; count < 25; count += 1) {
        id += 1;
        const caller = `${worker}-${count}`;
        await (worker < 6 ? writeAs(caller, id) : readAs(caller).catch(() => {}));
      }
    }),
  );
  isOver = true;
  await vandal;
  expect(strangers).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(0);
  const { rows } = await owner.query<{ id: number }>('select id from notes');
  const there = new Set(rows.map((row) => row.id));
  expect(acknowledged.filter((written) => !there.has(written))).toEqual([]);
  expect([...there].filter((found) => !acknowledged.includes(found) && !unknown.includes(found))).toEqual([]);
  await vi.waitFor(() => expect(database.poolUse()).toMatchObject({ used: 0, waiting: 0 }));
});
