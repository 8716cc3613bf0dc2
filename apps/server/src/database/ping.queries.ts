import type { Database } from './database.js';
import { query } from './query.js';

/** Whether the database answers. Migrations are done before the server listens, so an answer is all that is left to ask. */
export async function pingDatabase(database: Database): Promise<boolean> {
  await database.transaction({ readOnly: true }, (tx) => query(tx, 'select 1'));
  return true;
}
