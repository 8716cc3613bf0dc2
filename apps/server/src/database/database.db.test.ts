import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database, type Transaction } from './database.js';
import { query } from './query.js';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  database = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
  await write((tx) => query(tx, 'create table notes (id int unique deferrable initially deferred, day date)'));
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return database.transaction({ readOnly: false }, work);
}

async function backendOf(tx: Transaction): Promise<number | undefined> {
  const [row] = await query<{ pid: number }>(tx, 'select pg_backend_pid() as pid');
  return row?.pid;
}

it('fails as a whole when a statement failed, though nobody said so: PostgreSQL has rolled it back', async () => {
  const work = write(async (tx) => {
    await query(tx, 'insert into notes (id) values (1)');
    await query(tx, 'select 1 / 0').catch(() => {});
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
  expect(await write((tx) => query(tx, 'select id from notes'))).toEqual([]);
});

it('fails when the COMMIT is refused', async () => {
  const work = write((tx) => query(tx, 'insert into notes (id) values (2), (2)'));
  await expect(work).rejects.toMatchObject({ code: '23505' });
});

it('gives a connection that broke to nobody else', async () => {
  let broken: number | undefined;
  const work = write(async (tx) => {
    broken = await backendOf(tx);
    // What the driver says of a connection on which no answer comes any more; the pool takes it for a good one.
    throw new Error('Query read timeout');
  });
  await expect(work).rejects.toThrow('Query read timeout');
  expect(await write(backendOf)).not.toBe(broken);
});

it('gives a connection whose ROLLBACK was refused to nobody else: it is still in the transaction', async () => {
  let stuck: number | undefined;
  const work = write(async (tx) => {
    stuck = await backendOf(tx);
    await refuseRollback(tx);
    throw new Error('refused by the work');
  });
  await expect(work).rejects.toThrow();
  expect(await write(backendOf)).not.toBe(stuck);
});

/** Has PostgreSQL refuse the ROLLBACK of this transaction, as it does when somebody cancels it. */
async function refuseRollback(tx: Transaction): Promise<void> {
  const { client } = tx as unknown as {
    client: { acquireConnection(): Promise<{ query: (statement: unknown, ...rest: unknown[]) => unknown }> };
  };
  const connection = await client.acquireConnection();
  const pass = connection.query.bind(connection);
  connection.query = (statement, ...rest) => {
    const text = typeof statement === 'string' ? statement : (statement as { text: string }).text;
    return /^rollback/i.test(text) ? pass('select 1 / 0', ...rest.slice(-1)) : pass(statement, ...rest);
  };
}

it('gives a connection to a PostgreSQL that takes no writes any more to nobody else, and says that it is away', async () => {
  const standby = await write(backendOf);
  const work = write(async (tx) => {
    await query(tx, 'set transaction read only');
    await query(tx, 'insert into notes (id) values (3)');
  });
  await expect(work).rejects.toMatchObject({ name: 'DatabaseAway', cause: { code: '25006' } });
  expect(await write(backendOf)).not.toBe(standby);
});

it('tells a write in a transaction for reading as the fault of ours that it is', async () => {
  const work = database.transaction({ readOnly: true }, (tx) => query(tx, 'insert into notes (id) values (4)'));
  await expect(work).rejects.toMatchObject({ code: '25006' });
});

it('keeps a connection on which a statement was refused', async () => {
  const before = await write(backendOf);
  await expect(write((tx) => query(tx, 'select 1 / 0'))).rejects.toMatchObject({ code: '22012' });
  expect(await write(backendOf)).toBe(before);
});

it('reads a day as the text that it is', async () => {
  const days = await write((tx) => query(tx, `insert into notes (day) values ('2026-03-01') returning day`));
  expect(days).toEqual([{ day: '2026-03-01' }]);
});
