import { createDatabase, type Database } from '../src/database/pool.js';
import { query } from '../src/database/query.js';
import type { Transaction } from '../src/database/transaction.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** A database with one table, `notes`, and a pool of one connection. PostgreSQL checks the uniqueness of note ids only at COMMIT. */
export interface NotesDatabase {
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly write: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
  close(): Promise<void>;
}

/** Creates the database. */
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

/** Returns the process id of the PostgreSQL backend that runs `tx`. Each connection has its own backend. */
export async function backendPid(tx: Transaction): Promise<number | undefined> {
  const [row] = await query<{ pid: number }>(tx, 'select pg_backend_pid() as pid');
  return row?.pid;
}
