import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase, type Database } from './database.js';
import { CommitOutcomeUnknown, DatabaseAway, isConnectionFailure } from './postgres-errors.js';
import { query } from './query.js';
import { Transaction } from './transaction.js';

const parseReally = pg.Connection.prototype.parse as (message: object) => void;

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

it('fails where a statement of an earlier trip failed and nobody waited to hear it: COMMIT is answered with ROLLBACK', async () => {
  const work = write(async (tx) => {
    await query(tx, 'insert into notes (id) values (13)');
    query(tx, 'select 1 / 0').catch(() => {});
    // It has departed then, and its answer cannot have come.
    await new Promise<void>((resolve) => process.nextTick(resolve));
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
  expect(await write((tx) => query(tx, 'select id from notes where id = 13'))).toEqual([]);
});

it('fails when the COMMIT is refused', async () => {
  const work = write((tx) => query(tx, 'insert into notes (id) values (2), (2)'));
  await expect(work).rejects.toMatchObject({ code: '23505' });
});

it('gives a connection that broke to nobody else', async () => {
  let broken: number | undefined;
  const work = write(async (tx) => {
    broken = await backendOf(tx);
    // What is said of a connection on which no answer comes any more; the pool takes it for a good one.
    throw new Error('timeout exceeded when waiting for the answers of PostgreSQL');
  });
  await expect(work).rejects.toThrow('timeout exceeded when waiting for the answers of PostgreSQL');
  expect(await write(backendOf)).not.toBe(broken);
});

it('gives a connection whose ROLLBACK was refused to nobody else: it is still in the transaction', async () => {
  let stuck: number | undefined;
  const refusal = vi.spyOn(Transaction.prototype, 'rollback').mockRejectedValueOnce(new Error('canceled'));
  const work = write(async (tx) => {
    stuck = await backendOf(tx);
    throw new Error('refused by the work');
  });
  await expect(work).rejects.toThrow('refused by the work');
  expect(refusal).toHaveBeenCalledOnce();
  expect(await write(backendOf)).not.toBe(stuck);
});

it('sends BEGIN with the first statement and the last one with COMMIT, and waits for both', async () => {
  const statements: string[] = [];
  const counted = createDatabase({ ...testDatabase, poolMax: 1, onStatement: (sql) => statements.push(sql) });
  let begunWith: number | undefined;
  await counted.transaction({ readOnly: false }, async (tx) => {
    const first = query(tx, 'select 1');
    begunWith = statements.length;
    await first;
    tx.sendWithCommit(() => query(tx, 'insert into notes (id) values (3)'));
  });
  await counted.close();
  expect(begunWith).toBe(2);
  expect(statements).toEqual(['BEGIN', 'select 1', 'insert into notes (id) values (3)', 'COMMIT']);
  expect(await write((tx) => query(tx, 'select id from notes where id = 3'))).toEqual([{ id: 3 }]);
});

it('fails as the statement does that travels with the COMMIT, and has recorded nothing', async () => {
  const work = write(async (tx) => {
    await query(tx, 'insert into notes (id) values (4)');
    tx.sendWithCommit(async () => {
      await query(tx, 'select 1 / 0').catch(() => {
        throw new Error('as the caller calls it');
      });
    });
  });
  await expect(work).rejects.toThrow('as the caller calls it');
  expect(await write((tx) => query(tx, 'select id from notes where id = 4'))).toEqual([]);
});

it('commits nothing where the statement that travels with the COMMIT could not even be sent', async () => {
  const work = write(async (tx) => {
    await query(tx, 'insert into notes (id) values (7)');
    tx.sendWithCommit(() => query(tx, 'select :forgotten'));
  });
  await expect(work).rejects.toThrow('The binding :forgotten is missing.');
  expect(await write((tx) => query(tx, 'select id from notes where id = 7'))).toEqual([]);
});

it('sends all that is kept for the COMMIT with it, in the order in which it was kept', async () => {
  await write(async (tx) => {
    tx.sendWithCommit(() => query(tx, 'insert into notes (id) values (8)'));
    tx.sendWithCommit(() => query(tx, 'update notes set id = 9 where id = 8'));
  });
  expect(await write((tx) => query(tx, 'select id from notes where id in (8, 9)'))).toEqual([{ id: 9 }]);
});

it('fails as the first does of those that travel with the COMMIT, and has recorded none of them', async () => {
  const failing = (tx: Transaction, name: string) => () =>
    query(tx, 'select 1 / 0').catch(() => {
      throw new Error(`the ${name} fails`);
    });
  const work = write(async (tx) => {
    tx.sendWithCommit(() => query(tx, 'insert into notes (id) values (10)'));
    tx.sendWithCommit(failing(tx, 'second'));
    tx.sendWithCommit(failing(tx, 'third'));
  });
  await expect(work).rejects.toThrow('the second fails');
  expect(await write((tx) => query(tx, 'select id from notes where id = 10'))).toEqual([]);
});

it('commits nothing of what is kept where the last of it could not be sent', async () => {
  const work = write(async (tx) => {
    tx.sendWithCommit(() => query(tx, 'insert into notes (id) values (11)'));
    tx.sendWithCommit(() => query(tx, 'select :forgotten'));
  });
  await expect(work).rejects.toThrow('The binding :forgotten is missing.');
  expect(await write((tx) => query(tx, 'select id from notes where id = 11'))).toEqual([]);
});

describe('the last read', () => {
  const lastRead = { isLastRead: true };
  const startCounting = () => {
    const statements: string[] = [];
    const counted = createDatabase({ ...testDatabase, poolMax: 1, onStatement: (sql) => statements.push(sql) });
    return { statements, counted };
  };

  it('of a transaction that only reads takes COMMIT along', async () => {
    const { statements, counted } = startCounting();
    let sentWithIt: readonly string[] = [];
    const rows = await counted.transaction({ readOnly: true }, async (tx) => {
      await query(tx, 'select 1');
      const reading = query(tx, 'select 2 as two', {}, lastRead);
      await Promise.resolve();
      sentWithIt = [...statements];
      return reading;
    });
    await counted.close();
    expect(rows).toEqual([{ two: 2 }]);
    expect(sentWithIt).toEqual(['BEGIN READ ONLY', 'select 1', 'select 2 as two', 'COMMIT']);
    expect(statements).toEqual(sentWithIt);
  });

  it('is the last: what is sent behind it is refused, and never sent', async () => {
    const { statements, counted } = startCounting();
    const work = counted.transaction({ readOnly: true }, async (tx) => {
      await query(tx, 'select 1', {}, lastRead);
      return query(tx, 'select 2');
    });
    await expect(work).rejects.toThrow('The last read of this transaction was sent already.');
    await counted.close();
    expect(statements).toEqual(['BEGIN READ ONLY', 'select 1', 'COMMIT']);
  });

  it('tells its own failure, and the connection is good for the next', async () => {
    const { counted } = startCounting();
    const work = counted.transaction({ readOnly: true }, (tx) => query(tx, 'select 1 / 0', {}, lastRead));
    await expect(work).rejects.toMatchObject({ code: '22012' });
    expect(await counted.transaction({ readOnly: true }, (tx) => query(tx, 'select 1 as one'))).toEqual([{ one: 1 }]);
    await counted.close();
  });

  it('ends nothing where the transaction also writes', async () => {
    await write(async (tx) => {
      await query(tx, 'select 1', {}, lastRead);
      await query(tx, 'insert into notes (id) values (12)');
    });
    expect(await write((tx) => query(tx, 'select id from notes where id = 12'))).toEqual([{ id: 12 }]);
  });
});

it('uses another connection than usual for whoever waits behind one that waits, and no more than there may be', async () => {
  const few = createDatabase({ ...testDatabase, poolMax: 2, usualMax: 1 });
  try {
    let release = () => {};
    const held = few.transaction({ readOnly: true }, async (tx) => {
      await query(tx, 'select 1');
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    expect(await few.transaction({ readOnly: true }, (tx) => query(tx, 'select 1 as one'))).toEqual([{ one: 1 }]);
    release();
    await held;
    expect(few.poolUse()).toEqual({ used: 0, idle: 2, waiting: 0 });
  } finally {
    await few.close();
  }
});

it('gives the turn of what failed to the next', async () => {
  const few = createDatabase({ ...testDatabase, poolMax: 2, usualMax: 1 });
  try {
    const failing = few.transaction({ readOnly: true }, (tx) => query(tx, 'select 1 / 0'));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    const next = few.transaction({ readOnly: true }, (tx) => query(tx, 'select 1'));
    expect(few.poolUse().waiting).toBe(0);
    await next;
  } finally {
    await few.close();
  }
});

describe('within a limit of time', () => {
  const aWhile = 'select pg_sleep(600)';

  it('loses nothing by the patience of an answer that came within it', async () => {
    const slow = write(async (tx) => {
      await query(tx, 'select 1', {}, { answerMsMax: 30 });
      return query<{ name: string }>(tx, `select 'awake' as name from pg_sleep(0.2)`);
    });
    expect(await slow).toEqual([{ name: 'awake' }]);
  });

  it('is given up by the shorter patience: that of the statement, or of whoever waits for all', async () => {
    const asked = database
      .within(60_000)
      .transaction({ readOnly: true }, (tx) => query(tx, 'select pg_sleep(2)', {}, { answerMsMax: 30 }));
    await expect(asked).rejects.toThrow('timeout exceeded');
  });

  it('gives up what is on its way when the time is over, with its connection', async () => {
    const broken = await write(backendOf);
    const hurried = database.within(50);
    const failure = await hurried.transaction({ readOnly: true }, (tx) => query(tx, aWhile)).catch((error) => error);
    expect(isConnectionFailure(failure)).toBe(true);
    expect(await write(backendOf)).not.toBe(broken);
    await write((tx) => query(tx, 'select pg_terminate_backend(:broken)', { broken: broken ?? 0 }));
  });

  it('gives up waiting for a connection too, and gives the one that comes later to the next', async () => {
    let release = () => {};
    const held = write(
      (tx) =>
        new Promise<Transaction>((resolve) => {
          release = () => resolve(tx);
        }),
    );
    const hurried = database.within(50).transaction({ readOnly: true }, (tx) => query(tx, 'select 1'));
    await expect(hurried).rejects.toMatchObject({
      name: 'DatabaseAway',
      cause: { message: 'No connection came in the time that was left' },
    });
    release();
    await held;
    expect(await write((tx) => query(tx, 'select 1 as one'))).toEqual([{ one: 1 }]);
    expect(database.poolUse()).toEqual({ used: 0, idle: 1, waiting: 0 });
  });

  it('commits nothing when the time is over: what is rolled back is known', async () => {
    let nowMs = 0;
    const clocked = createDatabase({ ...testDatabase, poolMax: 1, elapsedMs: () => nowMs });
    try {
      const late = clocked.within(100_000).transaction({ readOnly: false }, async (tx) => {
        await query(tx, 'insert into notes (id) values (14)');
        nowMs += 100_000;
      });
      await expect(late).rejects.toThrow(DatabaseAway);
    } finally {
      await clocked.close();
    }
    expect(await write((tx) => query(tx, 'select id from notes where id = 14'))).toEqual([]);
  });

  it('counts all transactions together, and nothing between them', async () => {
    let nowMs = 0;
    const clocked = createDatabase({ ...testDatabase, poolMax: 1, elapsedMs: () => nowMs });
    try {
      const patient = clocked.within(100_000);
      const lasting = (ms: number) =>
        patient.transaction({ readOnly: true }, async (tx) => {
          const [row] = await query(tx, 'select 1 as one');
          nowMs += ms;
          return row;
        });
      expect(await lasting(60_000)).toEqual({ one: 1 });
      nowMs += 1_000_000;
      expect(await lasting(30_000)).toEqual({ one: 1 });
      await patient.transaction({ readOnly: true }, async () => {
        nowMs += 10_000;
      });
      await expect(lasting(1)).rejects.toThrow(DatabaseAway);
      const another = clocked.within(100_000);
      expect(await another.transaction({ readOnly: true }, (tx) => query(tx, 'select 1 as one'))).toEqual([{ one: 1 }]);
    } finally {
      await clocked.close();
    }
  });
});

/** Has PostgreSQL carry out `text` where it is asked for `command`, on connections that are new. */
function replaceCommand(command: string, text: string) {
  return vi.spyOn(pg.Connection.prototype, 'parse').mockImplementation(function (this: pg.Connection, message) {
    parseReally.call(this, message.text === command ? { ...message, text } : message);
  });
}

it.each([
  ['a write', 'unknown', { readOnly: false, isUnknown: true }],
  ['a read', 'that it has changed nothing', { readOnly: true, isUnknown: false }],
])('of %s whose COMMIT loses the connection the outcome is %s', async (_, _outcome, { readOnly, isUnknown }) => {
  const parse = replaceCommand('COMMIT', 'select pg_terminate_backend(pg_backend_pid())');
  const cut = createDatabase({ ...testDatabase, poolMax: 1 });
  try {
    const failure = await cut.transaction({ readOnly }, (tx) => query(tx, 'select 1')).catch((error: unknown) => error);
    expect([failure instanceof CommitOutcomeUnknown, isConnectionFailure(failure)]).toEqual([isUnknown, !isUnknown]);
  } finally {
    parse.mockRestore();
    await cut.close();
  }
});

it('does nothing where BEGIN was refused: what travels with it is not carried out, and is told why', async () => {
  const parse = replaceCommand('BEGIN', 'select 1 / 0');
  const unused = createDatabase({ ...testDatabase, poolMax: 1 });
  try {
    const insert = unused.transaction({ readOnly: false }, (tx) => query(tx, 'insert into notes (id) values (6)'));
    await expect(insert).rejects.toMatchObject({ code: '22012' });
  } finally {
    parse.mockRestore();
    await unused.close();
  }
  expect(await write((tx) => query(tx, 'select id from notes where id = 6'))).toEqual([]);
});

it('writes nothing in a transaction that only reads', async () => {
  const reads = database.transaction({ readOnly: true }, async (tx) => {
    await query(tx, 'insert into notes (id) values (5)');
  });
  await expect(reads).rejects.toMatchObject({ code: '25006' });
  expect(await write((tx) => query(tx, 'select id from notes where id = 5'))).toEqual([]);
});

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

it('goes on without prepared statements behind a pooler that loses them', async () => {
  const backend = await write(backendOf);
  await write((tx) => query(tx, 'deallocate all'));
  expect(await write(backendOf)).toBe(backend);
  await write((tx) => query(tx, 'deallocate all'));
  expect(await write(backendOf)).toBe(backend);
});

it('reads a day as the text that it is', async () => {
  const days = await write((tx) => query(tx, `insert into notes (day) values ('2026-03-01') returning day`));
  expect(days).toEqual([{ day: '2026-03-01' }]);
});
