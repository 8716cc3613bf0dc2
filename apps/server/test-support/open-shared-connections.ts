import pg from 'pg';
import { vi } from 'vitest';
import { createDatabase, type Database } from '../src/database/database.js';
import { Seat } from '../src/database/line.js';
import { query } from '../src/database/query.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** Few connections for many reads of a table of notes, and an owner of that table who stands beside them. */
export interface SharedConnections {
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly owner: pg.Client;
  /** Everything that was sent; whoever counts it empties it before. */
  readonly statements: string[];
  /** One read, which COMMIT travels with. */
  readonly read: <Row>(sql: string) => Promise<Row | undefined>;
  /** Begins a read, and those behind it in the moment in which all of it is on its way. */
  readonly beginBefore: <Behind>(
    sql: string,
    beginBehind: () => Behind,
  ) => Promise<{ readonly first: Promise<unknown>; readonly behind: Behind }>;
  /** Reads of the notes wait meanwhile, unless the work ends the owner's transaction itself. */
  readonly lockedByOwner: (work: () => Promise<void>) => Promise<void>;
  close(): Promise<void>;
}

/** Opens them on a database of their own: eight connections at most, of which three are usual. */
export async function openSharedConnections(): Promise<SharedConnections> {
  const statements: string[] = [];
  const testDatabase = await createTestDatabase({ empty: true });
  const { connectionString } = testDatabase;
  const onStatement = (sql: string) => statements.push(sql);
  const database = createDatabase({ connectionString, poolMax: 8, usualMax: 3, onStatement });
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  await owner.query('create table notes (id int primary key)');

  const read: SharedConnections['read'] = <Row>(sql: string) =>
    database.transaction({ readOnly: true }, async (tx) => (await query<Row>(tx, sql, {}, { isLastRead: true }))[0]);

  return {
    testDatabase,
    database,
    owner,
    statements,
    read,
    async beginBefore<Behind>(sql: string, beginBehind: () => Behind) {
      const { sent } = Seat.prototype;
      let first: Promise<unknown> | undefined;
      const behind = await new Promise<readonly [Behind]>((resolve) => {
        const spy = vi.spyOn(Seat.prototype, 'sent').mockImplementation(function (this: Seat, options) {
          spy.mockRestore();
          // However long this process is kept from its work meanwhile.
          const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
          sent.call(this, options);
          resolve([beginBehind()]);
          clock.mockRestore();
        });
        first = read(sql);
        first.catch(() => {});
      });
      return { first: first as Promise<unknown>, behind: behind[0] };
    },
    async lockedByOwner(work) {
      await owner.query('begin; lock table notes in access exclusive mode');
      try {
        await work();
      } finally {
        await owner.query('rollback');
      }
    },
    async close() {
      await owner.end();
      await database.close();
      await testDatabase.drop();
    },
  };
}
