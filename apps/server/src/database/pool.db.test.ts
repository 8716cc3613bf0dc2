import { serialize } from 'pg-protocol';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { backendPid, type NotesDatabase, openNotesDatabase } from '../../test-support/open-notes-database.js';
import type { TestDatabase } from '../../test-support/test-database.js';
import { CommitOutcomeUnknown, isConnectionFailure } from './errors.js';
import { createDatabase, type Database } from './pool.js';
import { query } from './query.js';
import { Transaction } from './transaction.js';

let notes: NotesDatabase;
let testDatabase: TestDatabase;
let database: Database;
let write: NotesDatabase['write'];

beforeAll(async () => {
  notes = await openNotesDatabase();
  ({ testDatabase, database, write } = notes);
});

afterAll(() => notes.close());

it('the pool rejects a transaction in which a statement failed, even if the caller caught the error', async () => {
  const work = write(async (tx) => {
    await query(tx, 'insert into notes (id) values (1)');
    await query(tx, 'select 1 / 0').catch(() => {});
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
  expect(await write((tx) => query(tx, 'select id from notes'))).toEqual([]);
});

it('the pool rejects a transaction when a statement that the caller sent but did not await fails', async () => {
  const work = write(async (tx) => {
    await query(tx, 'insert into notes (id) values (13)');
    query(tx, 'select 1 / 0').catch(() => {});
    // After this await the batch is sent, but its result cannot have arrived.
    await new Promise<void>((resolve) => process.nextTick(resolve));
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
  expect(await write((tx) => query(tx, 'select id from notes where id = 13'))).toEqual([]);
});

it('the pool rejects a transaction when the COMMIT fails', async () => {
  const work = write((tx) => query(tx, 'insert into notes (id) values (2), (2)'));
  await expect(work).rejects.toMatchObject({ code: '23505' });
});

it('the pool discards a connection that no longer responds', async () => {
  let broken: number | undefined;
  const work = write(async (tx) => {
    broken = await backendPid(tx);
    // A batch rejects with this error when its connection no longer responds. The pool does not detect such a connection itself.
    throw new Error('timeout exceeded when waiting for the answers of PostgreSQL');
  });
  await expect(work).rejects.toThrow('timeout exceeded when waiting for the answers of PostgreSQL');
  expect(await write(backendPid)).not.toBe(broken);
});

it('the pool discards a connection whose ROLLBACK failed, because the connection is still in the transaction', async () => {
  let discardedPid: number | undefined;
  const refusal = vi.spyOn(Transaction.prototype, 'rollback').mockRejectedValueOnce(new Error('canceled'));
  const work = write(async (tx) => {
    discardedPid = await backendPid(tx);
    throw new Error('refused by the work');
  });
  await expect(work).rejects.toThrow('refused by the work');
  expect(refusal).toHaveBeenCalledOnce();
  expect(await write(backendPid)).not.toBe(discardedPid);
});

it('the pool releases the connection of a transaction that failed', async () => {
  const single = createDatabase({ ...testDatabase, poolMax: 1 });
  try {
    const failing = single.transaction({ readOnly: true }, (tx) => query(tx, 'select 1 / 0'));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(single.poolUse()).toEqual({ used: 0, idle: 1, opening: 0, waiting: 0 });
  } finally {
    await single.close();
  }
});

/** Sends `text` instead of `command` on new connections. */
function replaceCommand(command: string, text: string) {
  const { parse } = serialize;
  return vi
    .spyOn(serialize, 'parse')
    .mockImplementation((message) => parse(message.text === command ? { ...message, text } : message));
}

it.each([
  ['a write', 'the outcome is unknown', { readOnly: false, isUnknown: true }],
  ['a read', 'nothing was changed', { readOnly: true, isUnknown: false }],
])(
  'the pool reports, when %s loses its connection during COMMIT, that %s',
  async (_, _outcome, { readOnly, isUnknown }) => {
    const parse = replaceCommand('COMMIT', 'select pg_terminate_backend(pg_backend_pid())');
    const cut = createDatabase({ ...testDatabase, poolMax: 1 });
    try {
      const failure = await cut
        .transaction({ readOnly }, (tx) => query(tx, 'select 1'))
        .catch((error: unknown) => error);
      expect([failure instanceof CommitOutcomeUnknown, isConnectionFailure(failure)]).toEqual([isUnknown, !isUnknown]);
    } finally {
      parse.mockRestore();
      await cut.close();
    }
  },
);

it('the pool runs no statement of the batch when BEGIN fails, and rejects the transaction with the reason', async () => {
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

it('the pool, by default, sends BEGIN and COMMIT around a read, because a pooler may be in front of PostgreSQL', async () => {
  const parse = vi.spyOn(serialize, 'parse');
  const unshared = createDatabase({ ...testDatabase, poolMax: 1 });
  try {
    await unshared.transaction({ readOnly: true }, (tx) => query(tx, 'select 1', {}, { isLastRead: true }));
    expect(parse.mock.calls.map(([message]) => message.text)).toEqual(['BEGIN READ ONLY', 'select 1', 'COMMIT']);
  } finally {
    parse.mockRestore();
    await unshared.close();
  }
});

it('the pool rejects a statement that is sent during ROLLBACK, and does not run it outside the transaction', async () => {
  let lateStatement: Promise<unknown> | undefined;
  const work = write(async (tx) => {
    const first = query(tx, 'select 1');
    lateStatement = first.then(async () => {
      // After these microtasks the work has failed, and its ROLLBACK will be sent in the same turn of the event loop.
      for (let count = 0; count < 40; count += 1) await Promise.resolve();
      await query(tx, 'insert into notes (id) values (90)');
    });
    lateStatement.catch(() => {});
    await first;
    throw new Error('of the work itself');
  });
  await expect(work).rejects.toThrow('of the work itself');
  await expect(lateStatement).rejects.toThrow('The transaction is over.');
  expect(await write((tx) => query(tx, 'select id from notes where id = 90'))).toEqual([]);
});

it('a read-only transaction writes nothing', async () => {
  const reads = database.transaction({ readOnly: true }, async (tx) => {
    await query(tx, 'insert into notes (id) values (5)');
  });
  await expect(reads).rejects.toMatchObject({ code: '25006' });
  expect(await write((tx) => query(tx, 'select id from notes where id = 5'))).toEqual([]);
});

it('the pool discards a connection to a server that became read-only, and throws DatabaseUnavailable', async () => {
  const discardedPid = await write(backendPid);
  const work = write(async (tx) => {
    await query(tx, 'set transaction read only');
    await query(tx, 'insert into notes (id) values (3)');
  });
  await expect(work).rejects.toMatchObject({ name: 'DatabaseUnavailable', cause: { code: '25006' } });
  expect(await write(backendPid)).not.toBe(discardedPid);
});

it('a read-only transaction rejects a write with the error of PostgreSQL', async () => {
  const work = database.transaction({ readOnly: true }, (tx) => query(tx, 'insert into notes (id) values (4)'));
  await expect(work).rejects.toMatchObject({ code: '25006' });
});

it('the pool keeps a connection on which a statement failed', async () => {
  const before = await write(backendPid);
  await expect(write((tx) => query(tx, 'select 1 / 0'))).rejects.toMatchObject({ code: '22012' });
  expect(await write(backendPid)).toBe(before);
});

it('the pool runs a transaction on a connection that lost its prepared statements, as can happen behind a pooler', async () => {
  const backend = await write(backendPid);
  await write((tx) => query(tx, 'deallocate all'));
  expect(await write(backendPid)).toBe(backend);
  await write((tx) => query(tx, 'deallocate all'));
  expect(await write(backendPid)).toBe(backend);
});

it('a query returns a date as a string', async () => {
  const days = await write((tx) => query(tx, `insert into notes (day) values ('2026-03-01') returning day`));
  expect(days).toEqual([{ day: '2026-03-01' }]);
});
