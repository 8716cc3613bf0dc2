import { readConfig } from '../config/env.js';
import type { CommandPlace } from './open-database.js';
import { openDatabase } from './open-database.js';

/**
 * `centavo-server migrate`: applies what the database does not have and ends.
 * @returns the exit code: 0 done, 1 failed
 */
export async function migrateCommand(place: CommandPlace): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  try {
    const config = readConfig(place.env, place.defaultDataDir);
    const { applied, close } = await openDatabase({ config, migrations: place.migrations, say });
    say(applied.length === 0 ? 'Nothing to apply; the database is up to date.' : `Applied ${applied.join(', ')}.`);
    await close();
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
