import { createDatabase, type Database } from '../database/database.js';

/** Runs `act` on a pool of one connection of its own, and closes it. */
export async function withDatabase<Result>(
  connectionString: string,
  act: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = createDatabase({ connectionString, poolMax: 1 });
  try {
    return await act(database);
  } finally {
    await database.close();
  }
}
