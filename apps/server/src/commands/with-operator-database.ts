import { type Config, readConfig } from '../config/env.js';
import type { Database } from '../database/database.js';
import { openDatabase } from './open-database.js';
import { withDatabase } from './with-database.js';

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
