import { serialize } from 'pg-protocol';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database } from './pool.js';
import { query } from './query.js';
import type { Transaction } from './transaction.js';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  database = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
  await write((tx) => query(tx, 'create table notes (id int, day date)'));
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return database.transaction({ readOnly: false }, work);
}

/** Runs `work` in a transaction, and returns the log positions that the transaction reported. */
async function writeAndCollect(work: (tx: Transaction) => Promise<unknown>): Promise<readonly string[]> {
  const positions: string[] = [];
  await database.transaction({ readOnly: false, onPosition: (position) => positions.push(position) }, work);
  return positions;
}

async function backendOf(tx: Transaction): Promise<number | undefined> {
  const [row] = await query<{ pid: number }>(tx, 'select pg_backend_pid() as pid');
  return row?.pid;
}

it('a transaction reports a position in the write-ahead log between the position before its write and the current position', async () => {
  const before = await write((tx) => query<{ lsn: string }>(tx, 'select pg_current_wal_insert_lsn() as lsn'));
  const [position = ''] = await writeAndCollect((tx) => query(tx, 'insert into notes (id) values (1)'));
  const [row] = await write((tx) =>
    query(
      tx,
      'select cast(:position as pg_lsn) > cast(:before as pg_lsn) as further, pg_current_wal_insert_lsn() >= cast(:position as pg_lsn) as there',
      {
        position,
        before: before[0]?.lsn ?? '',
      },
    ),
  );
  expect(row).toEqual({ further: true, there: true });
});

it('a transaction reads the position of the write-ahead log right after COMMIT, and only if the caller requests it', async () => {
  const statements: string[] = [];
  const counted = createDatabase({ ...testDatabase, poolMax: 1, onStatement: (sql) => statements.push(sql) });
  await counted.transaction({ readOnly: false, onPosition: () => {} }, (tx) => query(tx, 'select 1'));
  await counted.transaction({ readOnly: false }, (tx) => query(tx, 'select 2'));
  await counted.close();
  const readPosition = 'select pg_current_wal_insert_lsn() as position';
  expect(statements).toEqual(['BEGIN', 'select 1', 'COMMIT', readPosition, 'BEGIN', 'select 2', 'COMMIT']);
});

it('a transaction reports no position in the write-ahead log after a rollback', async () => {
  const positions: string[] = [];
  const work = database.transaction(
    { readOnly: false, onPosition: (position) => positions.push(position) },
    async () => {
      throw new Error('refused by the work');
    },
  );
  await expect(work).rejects.toThrow('refused by the work');
  expect(positions).toEqual([]);
});

it.each([
  ['fails', 'select 1 / 0'],
  ['loses the connection', 'select pg_terminate_backend(pg_backend_pid())'],
])(
  'a transaction stays committed and its connection is discarded when the read of the log position %s',
  async (_, replacement) => {
    const before = await write(backendOf);
    const { parse } = serialize;
    const failing = vi.spyOn(serialize, 'parse').mockImplementation((message) => {
      const readsPosition = message.text.includes('pg_current_wal_insert_lsn');
      return parse(readsPosition ? { ...message, text: replacement } : message);
    });
    try {
      expect(
        await writeAndCollect((tx) =>
          query(tx, 'insert into notes (day) values (cast(:day as date))', { day: '2026-04-01' }),
        ),
      ).toEqual([]);
    } finally {
      failing.mockRestore();
    }
    expect(await write(backendOf)).not.toBe(before);
    const rows = await write((tx) => query(tx, `delete from notes where day = '2026-04-01' returning day`));
    expect(rows).toHaveLength(1);
  },
);
