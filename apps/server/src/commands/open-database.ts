import type { Config } from '../config.js';
import { startEmbeddedPostgres } from '../database/embedded-postgres/index.js';
import { explainRefusal } from '../database/explain-refusal.js';
import { migrate } from '../database/migrate.js';

/** A migrated database, and how to leave it. */
export interface OpenDatabase {
  readonly connectionString: string;
  readonly applied: readonly string[];
  /** As of the embedded PostgreSQL. One of DATABASE_URL is another's to start again, and never lost. */
  readonly untilLost: () => Promise<string>;
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
  const untilLost = () => embedded?.untilLost() ?? new Promise<never>(() => {});
  const close = async () => embedded?.stop();
  try {
    const { applied } = await migrate({ connectionString, directory: options.migrations }).catch((error: unknown) => {
      throw config.databaseUrl === null ? error : explainRefusal(config.databaseUrl, error);
    });
    return { connectionString, applied, untilLost, close };
  } catch (error) {
    await close();
    throw error;
  }
}
