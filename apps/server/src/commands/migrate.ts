import { readConfig } from '../config/env.js';
import type { CommandEnvironment } from './open-database.js';
import { openDatabase } from './open-database.js';

/**
 * Runs `centavo-server migrate`: applies the pending migrations.
 * @returns the exit code: 0 done, 1 failed
 */
export async function migrateCommand(environment: CommandEnvironment): Promise<number> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  try {
    const config = readConfig(environment.env, environment.defaultDataDir);
    const { applied, close } = await openDatabase({ config, migrations: environment.migrations, report: print });
    print(applied.length === 0 ? 'Nothing to apply; the database is up to date.' : `Applied ${applied.join(', ')}.`);
    await close();
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
