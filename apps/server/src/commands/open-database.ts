import { type Config, readConfig } from '../config/env.js';
import { createDatabase, type Database } from '../database/database.js';
import { explainRefusal } from '../database/explain-refusal.js';
import { migrate, pendingMigrations } from '../database/migrate/migrate.js';
import { startEmbeddedPostgres } from '../embedded-postgres/index.js';

/** A migrated database, and how to leave it. */
export interface OpenDatabase {
  /** The address for operators' commands, with the login that owns the tables. */
  readonly ownerUrl: string;
  readonly applied: readonly string[];
  /**
   * Returns the address to serve with: DATABASE_URL, else the serving login of the embedded PostgreSQL.
   * @throws Error with the reason and the remedy
   */
  readonly openServingUrl: () => Promise<string>;
  /** As of the embedded PostgreSQL. One of DATABASE_URL is another's to start again, and never lost. */
  readonly untilLost: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the database of the configuration with every migration applied: that of DATABASE_OWNER_URL, else of DATABASE_URL, else
 * the embedded PostgreSQL.
 * @throws Error with the reason and the remedy
 */
export async function openDatabase(options: {
  readonly config: Config;
  readonly migrations: string;
  readonly say: (line: string) => void;
}): Promise<OpenDatabase> {
  const { config, migrations: directory, say } = options;
  const setting = ownerSetting(config);
  if (setting !== null) {
    const { applied } = await migrate({ connectionString: setting.url, directory, setting: setting.name }).catch(
      (error: unknown) => {
        throw explainRefusal(setting, error);
      },
    );
    return {
      ownerUrl: setting.url,
      applied,
      openServingUrl: () => checkServingUrl({ config, directory }),
      untilLost: () => new Promise<never>(() => {}),
      close: async () => {},
    };
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, report: say });
  const close = () => embedded.stop();
  try {
    const { applied } = await migrate({ connectionString: embedded.connectionString, directory });
    return {
      ownerUrl: embedded.connectionString,
      applied,
      openServingUrl: () => embedded.openServingLogin(),
      untilLost: () => embedded.waitForFailure(),
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

/** Returns DATABASE_URL, once it is known to lead to the migrated database with a login that can serve. */
async function checkServingUrl({ config, directory }: { config: Config; directory: string }): Promise<string> {
  const { databaseUrl: url, databaseOwnerUrl } = config;
  if (url === null) {
    throw new Error(
      'DATABASE_OWNER_URL is set without DATABASE_URL. Set DATABASE_URL to the login that serves requests; docs/operations.md ' +
        'shows how to make one.',
    );
  }
  if (databaseOwnerUrl === null) return url;
  const pending = await pendingMigrations({ connectionString: url, directory }).catch((error: unknown) => {
    throw explainRefusal({ name: 'DATABASE_URL', url }, error);
  });
  if (pending.length === 0) return url;
  throw new Error(
    `The database of DATABASE_URL lacks ${pending.join(', ')}, which the one of DATABASE_OWNER_URL has: they are two ` +
      'databases. Set both to addresses of one database.',
  );
}

/** Where a command finds its settings and migrations. */
export interface CommandPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly defaultDataDir: string;
  readonly migrations: string;
}

/**
 * Runs an operator's command on the migrated database of the configuration, beside a running server or without one, and
 * leaves the database as it was found: an embedded PostgreSQL that was running goes on.
 * @param options.say is told what is not the command's own output
 * @returns the command's exit code, or 1 with one sentence on stderr when it failed
 */
export async function withOperatorDatabase(
  options: CommandPlace & { readonly say: (line: string) => void },
  command: (database: Database, config: Config) => Promise<number>,
): Promise<number> {
  try {
    const config = readConfig(options.env, options.defaultDataDir);
    const opened = await openDatabase({ config, migrations: options.migrations, say: options.say });
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
