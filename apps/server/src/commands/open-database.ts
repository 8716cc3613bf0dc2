import type { Config } from '../config.js';
import { startEmbeddedPostgres } from '../database/embedded-postgres/index.js';
import { migrate } from '../database/migrate.js';
import { isConnectionFailure } from '../database/postgres-errors.js';

/** A migrated database, and how to leave it. */
export interface OpenDatabase {
  readonly connectionString: string;
  readonly applied: readonly string[];
  /** True when this very start made an embedded database. */
  readonly isNew: boolean;
  readonly close: () => Promise<void>;
}

/**
 * Gives the database of the configuration with every migration applied: DATABASE_URL, else the embedded PostgreSQL.
 * @throws Error with the reason and the remedy
 */
export async function openDatabase(options: {
  readonly config: Config;
  readonly migrations: string;
  readonly say: (line: string) => void;
}): Promise<OpenDatabase> {
  const { config, say } = options;
  const embedded = config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, say }) : null;
  const connectionString = config.databaseUrl ?? embedded?.connectionString ?? '';
  const close = async () => embedded?.stop();
  try {
    const { applied } = await migrate({ connectionString, directory: options.migrations }).catch((error: unknown) => {
      throw config.databaseUrl !== null && isConnectionFailure(error) ? unreachable(config.databaseUrl, error) : error;
    });
    return { connectionString, applied, isNew: embedded?.isNew ?? false, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The host and port, never the password. */
function unreachable(databaseUrl: string, cause: unknown): Error {
  const { hostname, port } = new URL(databaseUrl);
  return new Error(
    `The PostgreSQL of DATABASE_URL at ${hostname}:${port || 5432} does not answer. Start it, correct DATABASE_URL, or unset ` +
      'it to use the embedded one.',
    { cause },
  );
}
