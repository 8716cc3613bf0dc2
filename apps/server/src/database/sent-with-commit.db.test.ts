import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NotesDatabase, openNotesDatabase } from '../../test-support/open-notes-database.js';
import type { TestDatabase } from '../../test-support/test-database.js';
import { createDatabase } from './pool.js';
import { assumeRole, query } from './query.js';
import type { Transaction } from './transaction.js';

let notes: NotesDatabase;
let testDatabase: TestDatabase;
let write: NotesDatabase['write'];

beforeAll(async () => {
  notes = await openNotesDatabase();
  ({ testDatabase, write } = notes);
});

afterAll(() => notes.close());

it('a transaction sends BEGIN before its first statement, sends a deferred statement right before COMMIT, and commits it', async () => {
  const statements: string[] = [];
  const counted = createDatabase({ ...testDatabase, poolMax: 1, onStatement: (sql) => statements.push(sql) });
  let sentFirst: readonly string[] = [];
  await counted.transaction({ readOnly: false }, async (tx) => {
    await query(tx, 'select 1');
    sentFirst = [...statements];
    tx.sendWithCommit(() => query(tx, 'insert into notes (id) values (3)'));
  });
  await counted.close();
  expect(sentFirst).toEqual(['BEGIN', 'select 1']);
  expect(statements).toEqual(['BEGIN', 'select 1', 'insert into notes (id) values (3)', 'COMMIT']);
  expect(await write((tx) => query(tx, 'select id from notes where id = 3'))).toEqual([{ id: 3 }]);
});

it('a transaction rejects with the error of a statement deferred to COMMIT, and commits nothing', async () => {
  const work = write(async (tx) => {
    await query(tx, 'insert into notes (id) values (4)');
    tx.sendWithCommit(async () => {
      await query(tx, 'select 1 / 0').catch(() => {
        throw new Error('the error that the caller throws');
      });
    });
  });
  await expect(work).rejects.toThrow('the error that the caller throws');
  expect(await write((tx) => query(tx, 'select id from notes where id = 4'))).toEqual([]);
});

it('a transaction commits nothing if a statement deferred to COMMIT cannot be sent', async () => {
  const work = write(async (tx) => {
    await query(tx, 'insert into notes (id) values (7)');
    tx.sendWithCommit(() => query(tx, 'select :forgotten'));
  });
  await expect(work).rejects.toThrow('The binding :forgotten is missing.');
  expect(await write((tx) => query(tx, 'select id from notes where id = 7'))).toEqual([]);
});

it('a transaction runs the statements deferred to COMMIT in the order in which they were deferred', async () => {
  await write(async (tx) => {
    tx.sendWithCommit(() => query(tx, 'insert into notes (id) values (8)'));
    tx.sendWithCommit(() => query(tx, 'update notes set id = 9 where id = 8'));
  });
  expect(await write((tx) => query(tx, 'select id from notes where id in (8, 9)'))).toEqual([{ id: 9 }]);
});

it('a transaction rejects with the first error of the statements deferred to COMMIT, and commits none of them', async () => {
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

it('a transaction commits nothing if the last of several statements deferred to COMMIT cannot be sent', async () => {
  const work = write(async (tx) => {
    tx.sendWithCommit(() => query(tx, 'insert into notes (id) values (11)'));
    tx.sendWithCommit(() => query(tx, 'select :forgotten'));
  });
  await expect(work).rejects.toThrow('The binding :forgotten is missing.');
  expect(await write((tx) => query(tx, 'select id from notes where id = 11'))).toEqual([]);
});

describe('a read that is marked as the last read of its transaction', () => {
  const lastRead = { isLastRead: true };
  const startCounting = () => {
    const statements: string[] = [];
    const counted = createDatabase({ ...testDatabase, poolMax: 1, onStatement: (sql) => statements.push(sql) });
    return { statements, counted };
  };

  it('is sent with COMMIT in a read-only transaction', async () => {
    const { statements, counted } = startCounting();
    let sentWithIt: readonly string[] = [];
    const rows = await counted.transaction({ readOnly: true }, async (tx) => {
      await query(tx, 'select 1');
      const reading = query(tx, 'select 2 as two', {}, lastRead);
      await setImmediate();
      sentWithIt = [...statements];
      return reading;
    });
    await counted.close();
    expect(rows).toEqual([{ two: 2 }]);
    expect(sentWithIt).toEqual(['BEGIN READ ONLY', 'select 1', 'select 2 as two', 'COMMIT']);
    expect(statements).toEqual(sentWithIt);
  });

  it('makes a read-only transaction reject a later statement without sending it', async () => {
    const { statements, counted } = startCounting();
    const work = counted.transaction({ readOnly: true }, async (tx) => {
      await query(tx, 'select 1', {}, lastRead);
      return query(tx, 'select 2');
    });
    await expect(work).rejects.toThrow('No statement may follow the last read of this transaction.');
    await counted.close();
    expect(statements).toEqual(['BEGIN READ ONLY', 'select 1', 'COMMIT']);
  });

  it('rejects with the error of its statement, and keeps the connection usable, if it fails', async () => {
    const { counted } = startCounting();
    const work = counted.transaction({ readOnly: true }, (tx) => query(tx, 'select 1 / 0', {}, lastRead));
    await expect(work).rejects.toMatchObject({ code: '22012' });
    expect(await counted.transaction({ readOnly: true }, (tx) => query(tx, 'select 1 as one'))).toEqual([{ one: 1 }]);
    await counted.close();
  });

  it('can be followed by another statement in a read-write transaction', async () => {
    await write(async (tx) => {
      await query(tx, 'select 1', {}, lastRead);
      await query(tx, 'insert into notes (id) values (12)');
    });
    expect(await write((tx) => query(tx, 'select id from notes where id = 12'))).toEqual([{ id: 12 }]);
  });
});

describe('a read-only transaction over a connection without a pooler', () => {
  const lastRead = { isLastRead: true };
  const connectDirectly = () => {
    const statements: string[] = [];
    const onStatement = (sql: string) => void statements.push(sql);
    return { statements, direct: createDatabase({ ...testDatabase, poolMax: 1, connectsDirectly: true, onStatement }) };
  };
  const readSetting = `select current_setting('app.note', true) as note`;

  it('needs no BEGIN and COMMIT if its statements fit in one batch', async () => {
    const { statements, direct } = connectDirectly();
    const read = (tx: Transaction) => query<{ note: string }>(tx, readSetting, {}, lastRead);
    const inside = await direct.transaction({ readOnly: true }, (tx) => {
      void query(tx, `select set_config('app.note', 'kept', true)`);
      return read(tx);
    });
    const after = await direct.transaction({ readOnly: true }, read);
    await direct.close();
    expect([inside, after]).toEqual([[{ note: 'kept' }], [{ note: '' }]]);
    expect(statements).toEqual([`select set_config('app.note', 'kept', true)`, readSetting, readSetting]);
  });

  it('remains read-only after it switches to another role', async () => {
    const { direct } = connectDirectly();
    const work = direct.transaction({ readOnly: true }, (tx) => {
      void assumeRole(tx, 'centavo_app');
      return query(tx, 'show transaction_read_only', {}, lastRead);
    });
    expect(await work).toEqual([{ transaction_read_only: 'on' }]);
    await direct.close();
  });

  it('has the initial role of its connection, even if the previous transaction switched to another role', async () => {
    const direct = createDatabase({
      ...testDatabase,
      poolMax: 1,
      connectsDirectly: true,
      initialRole: 'centavo_app',
    });
    const readRole = (tx: Transaction) => query(tx, 'select current_user::text as role', {}, lastRead);
    const roles = [
      await direct.transaction({ readOnly: true }, readRole),
      await direct.transaction({ readOnly: false }, async (tx) => {
        await assumeRole(tx, 'centavo_identity');
        return readRole(tx);
      }),
      await direct.transaction({ readOnly: true }, readRole),
    ];
    await direct.close();
    expect(roles.flat()).toEqual([{ role: 'centavo_app' }, { role: 'centavo_identity' }, { role: 'centavo_app' }]);
  });

  it('rejects with the error of a failed statement, needs no ROLLBACK, and keeps the connection usable', async () => {
    const { statements, direct } = connectDirectly();
    const work = direct.transaction({ readOnly: true }, (tx) => {
      void query(tx, `select set_config('app.note', 'kept', true)`);
      return query(tx, 'select 1 / 0', {}, lastRead);
    });
    await expect(work).rejects.toMatchObject({ code: '22012' });
    const after = direct.transaction({ readOnly: true }, (tx) => query(tx, readSetting, {}, lastRead));
    expect(await after).toEqual([{ note: '' }]);
    await direct.close();
    expect(statements).not.toContain('ROLLBACK');
  });

  it('is sent with BEGIN and COMMIT if it needs two batches', async () => {
    const { statements, direct } = connectDirectly();
    await direct.transaction({ readOnly: true }, async (tx) => {
      await query(tx, 'select 1');
      return query(tx, 'select 2', {}, lastRead);
    });
    await direct.close();
    expect(statements).toEqual(['BEGIN READ ONLY', 'select 1', 'select 2', 'COMMIT']);
  });
});
