import type { Config } from '../config/env.js';
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
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, say });
  const close = () => embedded.stop();
  try {
    const { applied } = await migrate({ connectionString: embedded.connectionString, directory });
    return {
      ownerUrl: embedded.connectionString,
      applied,
      openServingUrl: () => embedded.openServingLogin(),
      untilLost: () => embedded.untilLost(),
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
