import { readConfig } from '../config/env.js';
import { findRunningEmbeddedPostgres } from '../embedded-postgres/index.js';
import type { CommandEnvironment } from './open-database.js';

/**
 * Runs `centavo-server database-url`: prints a URL for psql and pg_dump. The URL is DATABASE_OWNER_URL, or DATABASE_URL if only that is
 * set. If neither is set, it is the URL of the embedded PostgreSQL with the login that owns the tables. Each of these URLs may contain a
 * password. The embedded PostgreSQL listens on another port after each start, so its URL is valid only while it runs.
 * @returns the exit code: 0 printed; 1 if the configuration is invalid, or if it has no URL and no embedded PostgreSQL runs
 */
export async function databaseUrlCommand(environment: CommandEnvironment): Promise<number> {
  try {
    const { databaseOwnerUrl, databaseUrl, dataDir } = readConfig(environment.env, environment.defaultDataDir);
    const url = databaseOwnerUrl ?? databaseUrl ?? (await findRunningEmbeddedPostgres({ dataDir }));
    if (url === undefined) {
      throw new Error(
        `No embedded PostgreSQL is running with the data directory ${dataDir}. Start a server with this DATA_DIR first.`,
      );
    }
    process.stdout.write(`${url}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
