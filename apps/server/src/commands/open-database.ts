import { type Config, readConfig } from '../config/env.js';
import { explainDatabaseFailure } from '../database/errors.js';
import { migrate, pendingMigrations } from '../database/migrate/migrate.js';
import { createDatabase, type Database } from '../database/pool.js';
import { startEmbeddedPostgres } from '../embedded-postgres/index.js';
import type { Installation } from './installation.js';

/** The environment variables and the installation that a command uses. */
export interface CommandEnvironment extends Installation {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A migrated database. The caller must close it. */
export interface OpenDatabase {
  /** The connection string for operators' commands, with the login that owns the tables. */
  readonly ownerUrl: string;
  /** The names of the migrations that were applied when the database was opened. */
  readonly applied: readonly string[];
  /**
   * Returns the connection string with the login that serves requests. For an external database, this is DATABASE_URL. In the embedded
   * PostgreSQL, creates this login, or restores its privileges and its password.
   * @throws Error with the reason and the remedy
   */
  readonly prepareServingUrl: () => Promise<string>;
  /** Resolves with a message for the operator if the embedded PostgreSQL ends unexpectedly. Never resolves for an external database. */
  readonly waitForFailure: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the configured database and applies all migrations. Uses DATABASE_OWNER_URL, or DATABASE_URL if only that is set. If neither is
 * set, uses the embedded PostgreSQL.
 * @param options.report receives progress messages, one line each
 * @throws Error with the reason and the remedy
 */
export async function openDatabase(options: {
  readonly config: Config;
  readonly migrations: string;
  readonly report: (line: string) => void;
}): Promise<OpenDatabase> {
  const { config, migrations: directory, report } = options;
  const setting = ownerSetting(config);
  if (setting !== null) {
    const { applied } = await migrate({ connectionString: setting.url, directory, setting: setting.name }).catch(
      (error: unknown) => {
        throw explainDatabaseFailure(setting, error);
      },
    );
    return {
      ownerUrl: setting.url,
      applied,
      prepareServingUrl: () => checkServingUrl({ config, directory }),
      waitForFailure: () => new Promise<never>(() => {}),
      close: async () => {},
    };
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, report });
  const close = () => embedded.stop();
  try {
    const { applied } = await migrate({ connectionString: embedded.connectionString, directory });
    return {
      ownerUrl: embedded.connectionString,
      applied,
      prepareServingUrl: () => embedded.prepareServingLogin(),
      waitForFailure: () => embedded.waitForFailure(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function ownerSetting({ databaseOwnerUrl, databaseUrl }: Config): { name: string; url: string } | null {
  if (databaseOwnerUrl !== null) return { name: 'DATABASE_OWNER_URL', url: databaseOwnerUrl };
  return databaseUrl === null ? null : { name: 'DATABASE_URL', url: databaseUrl };
}

/** Returns DATABASE_URL. If DATABASE_OWNER_URL is set too, first connects with DATABASE_URL and checks that the database is migrated. */
async function checkServingUrl({ config, directory }: { config: Config; directory: string }): Promise<string> {
  const { databaseUrl: url, databaseOwnerUrl } = config;
  if (url === null) {
    throw new Error(
      'DATABASE_OWNER_URL is set without DATABASE_URL. Set DATABASE_URL to the login that serves requests; docs/operations.md ' +
        'shows how to create one.',
    );
  }
  if (databaseOwnerUrl === null) return url;
  const pending = await pendingMigrations({ connectionString: url, directory }).catch((error: unknown) => {
    throw explainDatabaseFailure({ name: 'DATABASE_URL', url }, error);
  });
  if (pending.length === 0) return url;
  throw new Error(
    `The database of DATABASE_URL lacks migrations (${pending.join(', ')}), but the database of DATABASE_OWNER_URL has them. ` +
      'Set both variables to the same database.',
  );
}

/**
 * Runs an operator's command on the migrated database, whether or not a server is running. An embedded PostgreSQL that a server uses keeps
 * running afterwards.
 * @param options.report receives progress messages, which are not part of the command's output
 * @returns the exit code of the command; 1 if it threw an error, whose message is then printed on stderr
 */
export async function withOperatorDatabase(
  options: CommandEnvironment & { readonly report: (line: string) => void },
  command: (database: Database, config: Config) => Promise<number>,
): Promise<number> {
  try {
    const config = readConfig(options.env, options.defaultDataDir);
    const opened = await openDatabase({ config, migrations: options.migrations, report: options.report });
    try {
      return await withDatabase(opened.ownerUrl, (database) => command(database, config));
    } finally {
      await opened.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** Runs `work` on a pool of one connection, closes the pool, and returns the result of `work`. */
export async function withDatabase<Result>(
  connectionString: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = createDatabase({ connectionString, poolMax: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
