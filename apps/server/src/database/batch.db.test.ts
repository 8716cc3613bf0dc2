import pg from 'pg';
import { serialize } from 'pg-protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { Deadlines } from '../optimizations/deadlines.js';
import { Batch } from './batch.js';
import { isConnectionFailure, isPlanOutdated, isPreparedStatementLost, isRetryable } from './errors.js';
import { createDatabase, type Database } from './pool.js';
import { type Binding, query } from './query.js';
import type { Transaction } from './transaction.js';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  // With one connection, a statement that one transaction has prepared is still prepared in the next transaction.
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

/** Advances a sequence. A rollback does not revert this. */
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

describe('statements of one batch', () => {
  it('succeed if they precede a failed statement, and are not run if they follow it', async () => {
    const before = await stepsTaken();
    let settled: readonly PromiseSettledResult<unknown>[] = [];
    const work = write(async (tx) => {
      settled = await Promise.allSettled([step(tx), divide(tx, 0), step(tx), step(tx)]);
    });
    await expect(work).rejects.toMatchObject({ code: '22012' });
    const refused = { status: 'rejected', reason: { code: '22012' } };
    expect(settled).toMatchObject([{ status: 'fulfilled' }, refused, refused, refused]);
    expect(await stepsTaken()).toBe(before + 1);
  });

  it('have their own results, in the order in which they were sent', async () => {
    const answers = await write((tx) => Promise.all([1, 2, 3, 1].map((divisor) => divide(tx, divisor))));
    expect(answers).toEqual([[{ quotient: 6 }], [{ quotient: 3 }], [{ quotient: 2 }], [{ quotient: 6 }]]);
  });

  it('are rolled back if one of them fails before the COMMIT in the same batch', async () => {
    await write((tx) => query(tx, 'create table kept (id int)'));
    const work = write(async (tx) => {
      tx.sendWithCommit(() => query(tx, 'insert into kept values (1)'));
      tx.sendWithCommit(() => divide(tx, 0));
    });
    await expect(work).rejects.toMatchObject({ code: '22012' });
    expect(await write((tx) => query(tx, 'select id from kept'))).toEqual([]);
  });
});

describe('a prepared statement', () => {
  it('is parsed once on each connection', async () => {
    const parse = vi.spyOn(serialize, 'parse');
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

  it('is prepared again by the next transaction, without a retry, if the batch that prepared it failed', async () => {
    const statements: string[] = [];
    const recorded = createDatabase({ ...testDatabase, poolMax: 1, onStatement: (sql) => statements.push(sql) });
    const writeRecorded = (divisor: number) => recorded.transaction({ readOnly: false }, (tx) => divide(tx, divisor));
    await expect(writeRecorded(0)).rejects.toMatchObject({ code: '22012' });
    statements.length = 0;
    expect(await writeRecorded(2)).toEqual([{ quotient: 3 }]);
    await recorded.close();
    expect(statements).toEqual(['BEGIN', 'select 6 / cast($1 as int) as quotient', 'COMMIT']);
  });

  it('returns the correct rows in the next two transactions if the batch that prepared it failed', async () => {
    const half = (tx: Transaction, divisor: number) =>
      query(tx, 'select 1 / cast(:divisor as numeric) as half', { divisor });
    await expect(write((tx) => half(tx, 0))).rejects.toMatchObject({ code: '22012' });
    expect(await write((tx) => half(tx, 2))).toEqual([{ half: '0.50000000000000000000' }]);
    expect(await write((tx) => half(tx, 2))).toEqual([{ half: '0.50000000000000000000' }]);
  });

  it('returns the correct result each time it is reused, also when there are no rows or a value is null', async () => {
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

  it('fails once with a retryable error when a migration changed the columns of its result, and is prepared again', async () => {
    await write((tx) => query(tx, 'create table altered (name text)'));
    await write((tx) => query(tx, `insert into altered values ('a')`));
    const read = () => write((tx) => query(tx, 'select * from altered'));
    expect([await read(), await read()]).toEqual([[{ name: 'a' }], [{ name: 'a' }]]);
    await write((tx) => query(tx, 'alter table altered add column size int'));
    const failure = await read().catch((error: unknown) => error);
    expect([isPlanOutdated(failure), isRetryable(failure)]).toEqual([true, true]);
    expect([await read(), await read()]).toEqual([[{ name: 'a', size: null }], [{ name: 'a', size: null }]]);
  });

  it('returns an empty list if it is a command that returns no rows, also when it is reused', async () => {
    const setLockTimeout = () => write((tx) => query(tx, `set local lock_timeout = '1s'`));
    expect([await setLockTimeout(), await setLockTimeout()]).toEqual([[], []]);
  });
});

it.each<{ name: string; type: string; value: Binding; read?: unknown }>([
  { name: 'text', type: 'text', value: `it's {a,"b"} \\ c` },
  { name: 'text outside of ASCII', type: 'text', value: 'žluťoučký 🐎' },
  { name: 'an empty text', type: 'text', value: '' },
  { name: 'null', type: 'text', value: null },
  { name: 'a number', type: 'int', value: -12 },
  { name: 'a boolean', type: 'boolean', value: false },
  { name: 'bytes', type: 'bytea', value: Buffer.from([0, 39, 92, 255]) },
  { name: 'a timestamp', type: 'timestamptz', value: new Date(1_767_225_600_123), read: '2026-01-01T00:00:00.123Z' },
  { name: 'a list', type: 'text[]', value: ['a', '', 'with "quotes"', 'back\\slash', 'com,ma {}', 'NULL'] },
  { name: 'an empty list', type: 'text[]', value: [] },
])('a query returns the value of its parameter: $name', async ({ type, value, read = value }) => {
  expect(await write((tx) => query(tx, `select cast(:value as ${type}) as value`, { value }))).toEqual([
    { value: read },
  ]);
});

it('a batch rejects the statement and its transaction when a row cannot be decoded, and keeps the connection usable', async () => {
  const { builtins } = pg.types;
  const readMacaddr = pg.types.getTypeParser(builtins.MACADDR, 'text');
  pg.types.setTypeParser(builtins.MACADDR, () => {
    throw new Error('unreadable');
  });
  try {
    let rejection: unknown;
    const work = write(async (tx) => {
      const failing = query(tx, `select cast('08:00:2b:01:02:03' as macaddr) as address`);
      rejection = await failing.catch((error: unknown) => error);
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
    expect(rejection).toMatchObject({ message: 'unreadable' });
  } finally {
    pg.types.setTypeParser(builtins.MACADDR, readMacaddr as (text: string) => unknown);
  }
  expect(await write((tx) => divide(tx, 3))).toEqual([{ quotient: 2 }]);
});

describe('a batch on a pg.Client', () => {
  let client: pg.Client;

  beforeEach(async () => {
    client = new pg.Client({ connectionString: testDatabase.connectionString });
    client.on('error', () => {});
    await client.connect();
  });

  afterEach(() => client.end().catch(() => {}));

  /** Sends statements as one batch. Resolves with the result or the error of each statement. */
  function send(
    texts: readonly string[],
    { expiresInMs = 60_000, name }: { expiresInMs?: number; name?: string } = {},
  ) {
    const batch = new Batch({ deadlines: new Deadlines(), onFailure: () => {} });
    const results = texts.map((text) => batch.add(name === undefined ? { text } : { text, name }));
    batch.expiresAt = performance.now() + expiresInMs;
    client.query(batch);
    return Promise.allSettled(results);
  }

  it('leaves the connection usable for the driver and for the next batch after one of its statements fails', async () => {
    const settled = await send(['select 1 as one', 'select 1 / 0', 'select 2 as two']);
    expect(settled).toMatchObject([
      { value: { rows: [{ one: 1 }] } },
      { reason: { code: '22012' } },
      { reason: { code: '22012' } },
    ]);
    expect((await client.query('select 3 as three')).rows).toEqual([{ three: 3 }]);
    expect(await send(['select 4 as four'])).toMatchObject([{ value: { rows: [{ four: 4 }], command: 'SELECT' } }]);
  });

  it('succeeds if it is sent before the results of another batch have arrived', async () => {
    const [first, second] = await Promise.all([send(['select 1 as one']), send(['select 2 as two'])]);
    expect([first, second]).toMatchObject([[{ status: 'fulfilled' }], [{ value: { rows: [{ two: 2 }] } }]]);
  });

  it('rejects every statement whose result has not arrived when the connection is lost', async () => {
    const settled = await send(['select 1 as one', 'select pg_terminate_backend(pg_backend_pid())', 'select 2 as two']);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    for (const { reason } of settled.slice(1) as PromiseRejectedResult[])
      expect(isConnectionFailure(reason)).toBe(true);
  });

  it('rejects its statements and destroys the connection when the time limit passes', async () => {
    const closed = new Promise((resolve) => client.once('end', resolve));
    const settled = await send(['select pg_sleep(60)'], { expiresInMs: 10 });
    expect(settled).toMatchObject([
      { reason: { message: 'timeout exceeded when waiting for the answers of PostgreSQL' } },
    ]);
    await closed;
  });

  it('rejects with an error that isPreparedStatementLost recognizes if the connection lost its prepared statements', async () => {
    expect(await send(['select 1 as one'], { name: 'one' })).toMatchObject([{ status: 'fulfilled' }]);
    await client.query('deallocate all');
    const [lost] = await send(['select 1 as one'], { name: 'one' });
    expect(isPreparedStatementLost((lost as PromiseRejectedResult).reason)).toBe(true);
    expect(await send(['select 1 as one'])).toMatchObject([{ value: { rows: [{ one: 1 }] } }]);
  });
});
