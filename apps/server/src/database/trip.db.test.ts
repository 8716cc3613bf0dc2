import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database } from './database.js';
import { isPlanOutdated, isRepeatable } from './postgres-errors.js';
import { type Binding, query } from './query.js';
import type { Transaction } from './transaction.js';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  // One connection, so that what one transaction has prepared is there in the next.
  database = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
  await write((tx) => query(tx, 'create sequence steps'));
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return database.transaction({ readOnly: false }, work);
}

/** Takes a step, which no rollback takes back. */
function step(tx: Transaction): Promise<{ step: string }[]> {
  return query<{ step: string }>(tx, `select nextval('steps') as step`);
}

async function stepsTaken(): Promise<number> {
  const [row] = await write((tx) =>
    query<{ steps: number }>(tx, 'select case when is_called then last_value else 0 end::int as steps from steps'),
  );
  return row?.steps ?? 0;
}

function divide(tx: Transaction, divisor: number): Promise<{ quotient: number }[]> {
  return query<{ quotient: number }>(tx, 'select 6 / cast(:divisor as int) as quotient', { divisor });
}

describe('of statements that travel together', () => {
  it('those in front of one that failed have their answers, and none behind it is carried out', async () => {
    const before = await stepsTaken();
    let told: readonly PromiseSettledResult<unknown>[] = [];
    const work = write(async (tx) => {
      told = await Promise.allSettled([step(tx), divide(tx, 0), step(tx), step(tx)]);
    });
    await expect(work).rejects.toMatchObject({ code: '22012' });
    const refused = { status: 'rejected', reason: { code: '22012' } };
    expect(told).toMatchObject([{ status: 'fulfilled' }, refused, refused, refused]);
    expect(await stepsTaken()).toBe(before + 1);
  });

  it('each has its own answer, in the order in which they were sent', async () => {
    const answers = await write((tx) => Promise.all([1, 2, 3, 1].map((divisor) => divide(tx, divisor))));
    expect(answers).toEqual([[{ quotient: 6 }], [{ quotient: 3 }], [{ quotient: 2 }], [{ quotient: 6 }]]);
  });

  it('a COMMIT is not carried out behind one that failed', async () => {
    await write((tx) => query(tx, 'create table kept (id int)'));
    const work = write(async (tx) => {
      tx.sendWithCommit(() => query(tx, 'insert into kept values (1)'));
      tx.sendWithCommit(() => divide(tx, 0));
    });
    await expect(work).rejects.toMatchObject({ code: '22012' });
    expect(await write((tx) => query(tx, 'select id from kept'))).toEqual([]);
  });
});

describe('a statement that is prepared', () => {
  it('is parsed once for a connection', async () => {
    const parse = vi.spyOn(pg.Connection.prototype, 'parse');
    const text = `select 'parsed once' as name`;
    try {
      for (let run = 0; run < 3; run += 1) {
        expect(await write((tx) => query(tx, text))).toEqual([{ name: 'parsed once' }]);
      }
      expect(parse.mock.calls.filter(([message]) => message.text === text)).toHaveLength(1);
    } finally {
      parse.mockRestore();
    }
  });

  it('for the first time on a trip that failed is prepared again at the first attempt', async () => {
    const statements: string[] = [];
    const told = createDatabase({ ...testDatabase, poolMax: 1, onStatement: (sql) => statements.push(sql) });
    const writeTold = (divisor: number) => told.transaction({ readOnly: false }, (tx) => divide(tx, divisor));
    await expect(writeTold(0)).rejects.toMatchObject({ code: '22012' });
    statements.length = 0;
    expect(await writeTold(2)).toEqual([{ quotient: 3 }]);
    await told.close();
    expect(statements).toEqual(['BEGIN', 'select 6 / cast($1 as int) as quotient', 'COMMIT']);
  });

  it('for the first time on a trip that failed is prepared again', async () => {
    const half = (tx: Transaction, divisor: number) =>
      query(tx, 'select 1 / cast(:divisor as numeric) as half', { divisor });
    await expect(write((tx) => half(tx, 0))).rejects.toMatchObject({ code: '22012' });
    expect(await write((tx) => half(tx, 2))).toEqual([{ half: '0.50000000000000000000' }]);
    expect(await write((tx) => half(tx, 2))).toEqual([{ half: '0.50000000000000000000' }]);
  });

  it('and known has the same rows as when it was described: many, none, and those without a value', async () => {
    const count = (to: number) =>
      write((tx) =>
        query(tx, `select n, nullif(n, 2) as other, 'n' as name from generate_series(1, cast(:to as int)) n`, { to }),
      );
    const rows = [
      { n: 1, other: 1, name: 'n' },
      { n: 2, other: null, name: 'n' },
    ];
    expect([await count(2), await count(0), await count(2)]).toEqual([rows, [], rows]);
  });

  it('whose columns a migration has changed fails once, as what may be repeated, and is prepared again', async () => {
    await write((tx) => query(tx, 'create table altered (name text)'));
    await write((tx) => query(tx, `insert into altered values ('a')`));
    const read = () => write((tx) => query(tx, 'select * from altered'));
    expect([await read(), await read()]).toEqual([[{ name: 'a' }], [{ name: 'a' }]]);
    await write((tx) => query(tx, 'alter table altered add column size int'));
    const failure = await read().catch((error: unknown) => error);
    expect([isPlanOutdated(failure), isRepeatable(failure)]).toEqual([true, true]);
    expect([await read(), await read()]).toEqual([[{ name: 'a', size: null }], [{ name: 'a', size: null }]]);
  });

  it('and gives no rows has none, and says so again', async () => {
    const touch = () => write((tx) => query(tx, `set local lock_timeout = '1s'`));
    expect([await touch(), await touch()]).toEqual([[], []]);
  });
});

it.each<{ name: string; type: string; value: Binding; read?: unknown }>([
  { name: 'text', type: 'text', value: `it's {a,"b"} \\ c` },
  { name: 'text outside of ASCII', type: 'text', value: 'žluťoučký 🐎' },
  { name: 'an empty text', type: 'text', value: '' },
  { name: 'nothing', type: 'text', value: null },
  { name: 'a number', type: 'int', value: -12 },
  { name: 'a truth', type: 'boolean', value: false },
  { name: 'bytes', type: 'bytea', value: Buffer.from([0, 39, 92, 255]) },
  { name: 'a moment', type: 'timestamptz', value: new Date(1_767_225_600_123), read: '2026-01-01T00:00:00.123Z' },
  { name: 'a list', type: 'text[]', value: ['a', '', 'with "quotes"', 'back\\slash', 'com,ma {}', 'NULL'] },
  { name: 'an empty list', type: 'text[]', value: [] },
])('comes back as the value that it is: $name', async ({ type, value, read = value }) => {
  expect(await write((tx) => query(tx, `select cast(:value as ${type}) as value`, { value }))).toEqual([
    { value: read },
  ]);
});

it('an answer that cannot be read fails its transaction and who asked, and the connection is good for the next', async () => {
  const { builtins } = pg.types;
  const readMacaddr = pg.types.getTypeParser(builtins.MACADDR, 'text');
  pg.types.setTypeParser(builtins.MACADDR, () => {
    throw new Error('unreadable');
  });
  try {
    let told: unknown;
    const work = write(async (tx) => {
      const asking = query(tx, `select cast('08:00:2b:01:02:03' as macaddr) as address`);
      told = await asking.catch((error: unknown) => error);
    });
    await expect(work).rejects.toThrow('unreadable');
    let both: readonly PromiseSettledResult<unknown>[] = [];
    const failing = write(async (tx) => {
      both = await Promise.allSettled([
        query(tx, `select cast('08:00:2b:01:02:03' as macaddr) as address`),
        divide(tx, 0),
      ]);
    });
    await expect(failing).rejects.toThrow('unreadable');
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(told).toMatchObject({ message: 'unreadable' });
  } finally {
    pg.types.setTypeParser(builtins.MACADDR, readMacaddr as (text: string) => unknown);
  }
  expect(await write((tx) => divide(tx, 3))).toEqual([{ quotient: 2 }]);
});
