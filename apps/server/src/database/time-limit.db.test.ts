import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backendPid, type NotesDatabase, openNotesDatabase } from '../../test-support/open-notes-database.js';
import type { TestDatabase } from '../../test-support/test-database.js';
import { DatabaseUnavailable, isConnectionFailure } from './errors.js';
import { createDatabase, type Database } from './pool.js';
import { query } from './query.js';
import type { Transaction } from './transaction.js';

let notes: NotesDatabase;
let testDatabase: TestDatabase;
let database: Database;
let write: NotesDatabase['write'];

beforeAll(async () => {
  notes = await openNotesDatabase();
  ({ testDatabase, database, write } = notes);
});

afterAll(() => notes.close());

describe('a time limit', () => {
  const tenMinutes = 'select pg_sleep(600)';

  it('of one statement does not apply to the next statement of the transaction', async () => {
    const slow = write(async (tx) => {
      await query(tx, 'select 1', {}, { answerMsMax: 30 });
      return query<{ name: string }>(tx, `select 'awake' as name from pg_sleep(0.2)`);
    });
    expect(await slow).toEqual([{ name: 'awake' }]);
  });

  it('of a transaction is overridden by a shorter limit of one of its statements', async () => {
    const limited = database
      .within(60_000)
      .transaction({ readOnly: true }, (tx) => query(tx, 'select pg_sleep(2)', {}, { answerMsMax: 30 }));
    await expect(limited).rejects.toThrow('timeout exceeded');
  });

  it('that is exceeded makes the pool reject the running statement and discard its connection', async () => {
    const broken = await write(backendPid);
    const limited = database.within(50);
    const failure = await limited
      .transaction({ readOnly: true }, (tx) => query(tx, tenMinutes))
      .catch((error) => error);
    expect(isConnectionFailure(failure)).toBe(true);
    expect(await write(backendPid)).not.toBe(broken);
    await write((tx) => query(tx, 'select pg_terminate_backend(:broken)', { broken: broken ?? 0 }));
  });

  it('that is exceeded ends the wait for a connection; a connection that becomes free afterwards serves the next transaction', async () => {
    let release = () => {};
    const held = write(
      (tx) =>
        new Promise<Transaction>((resolve) => {
          release = () => resolve(tx);
        }),
    );
    const limited = database.within(50).transaction({ readOnly: true }, (tx) => query(tx, 'select 1'));
    await expect(limited).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      cause: { message: 'No connection became free within the time limit' },
    });
    release();
    await held;
    expect(await write((tx) => query(tx, 'select 1 as one'))).toEqual([{ one: 1 }]);
    expect(database.poolUse()).toEqual({ used: 0, idle: 1, opening: 0, waiting: 0 });
  });

  it('prevents COMMIT when no time is left, so the caller knows that nothing was committed', async () => {
    let nowMs = 0;
    const clocked = createDatabase({ ...testDatabase, poolMax: 1, elapsedMs: () => nowMs });
    try {
      const late = clocked.within(100_000).transaction({ readOnly: false }, async (tx) => {
        await query(tx, 'insert into notes (id) values (14)');
        nowMs += 100_000;
      });
      await expect(late).rejects.toThrow(DatabaseUnavailable);
    } finally {
      await clocked.close();
    }
    expect(await write((tx) => query(tx, 'select id from notes where id = 14'))).toEqual([]);
  });

  it('applies to the total duration of all transactions that share it; the time between them does not count', async () => {
    let nowMs = 0;
    const clocked = createDatabase({ ...testDatabase, poolMax: 1, elapsedMs: () => nowMs });
    try {
      const limited = clocked.within(100_000);
      const lasting = (ms: number) =>
        limited.transaction({ readOnly: true }, async (tx) => {
          const [row] = await query(tx, 'select 1 as one');
          nowMs += ms;
          return row;
        });
      expect(await lasting(60_000)).toEqual({ one: 1 });
      nowMs += 1_000_000;
      expect(await lasting(30_000)).toEqual({ one: 1 });
      await limited.transaction({ readOnly: true }, async () => {
        nowMs += 10_000;
      });
      await expect(lasting(1)).rejects.toThrow(DatabaseUnavailable);
      const another = clocked.within(100_000);
      expect(await another.transaction({ readOnly: true }, (tx) => query(tx, 'select 1 as one'))).toEqual([{ one: 1 }]);
    } finally {
      await clocked.close();
    }
  });
});
