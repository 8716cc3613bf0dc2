import { readConfig } from '../config/env.js';
import { findRunningEmbeddedPostgres } from '../embedded-postgres/index.js';
import type { CommandPlace } from './open-database.js';

/**
 * `centavo-server database-url`: prints the address of the database with the login of its owner, for psql and pg_dump. It contains
 * the password. The embedded PostgreSQL has a port of its own at each start, so it has an address only while it runs.
 * @returns the exit code: 0 printed, 1 when none runs
 */
export async function databaseUrlCommand(place: CommandPlace): Promise<number> {
  try {
    const { databaseOwnerUrl, databaseUrl, dataDir } = readConfig(place.env, place.defaultDataDir);
    const address = databaseOwnerUrl ?? databaseUrl ?? (await findRunningEmbeddedPostgres({ dataDir }));
    if (address === undefined) {
      throw new Error(`No embedded PostgreSQL runs on ${dataDir}. Start a server on this DATA_DIR first.`);
    }
    process.stdout.write(`${address}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
