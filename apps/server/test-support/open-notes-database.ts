import { createDatabase, type Database } from '../src/database/database.js';
import { query } from '../src/database/query.js';
import type { Transaction } from '../src/database/transaction.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** A table of notes, which refuses an id that stands twice at the COMMIT, and one connection to it. */
export interface NotesDatabase {
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly write: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
  close(): Promise<void>;
}

/** Opens it, empty, on a database of its own that has nothing else. */
export async function openNotesDatabase(): Promise<NotesDatabase> {
  const testDatabase = await createTestDatabase({ empty: true });
  const database = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
  const write: NotesDatabase['write'] = (work) => database.transaction({ readOnly: false }, work);
  await write((tx) => query(tx, 'create table notes (id int unique deferrable initially deferred, day date)'));
  return {
    testDatabase,
    database,
    write,
    async close() {
      await database.close();
      await testDatabase.drop();
    },
  };
}

/** The process of PostgreSQL that a transaction is in, which tells its connection from others. */
export async function backendPid(tx: Transaction): Promise<number | undefined> {
  const [row] = await query<{ pid: number }>(tx, 'select pg_backend_pid() as pid');
  return row?.pid;
}
