import { join } from 'node:path';
import { readConfig } from '../config/env.js';
import { shardDatabase } from '../database/sharding/shard-database.js';
import type { CommandPlace } from './open-database.js';
import { openDatabase } from './open-database.js';

/**
 * `centavo-server shard`: migrates, then spreads the tables over the machines that their Citus knows. May be
 * run again, after a migration or when machines were added.
 * @returns the exit code: 0 done, 1 refused with the reason
 */
export async function shardCommand(place: CommandPlace): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  try {
    const config = readConfig(place.env, place.defaultDataDir);
    const connectionString = config.databaseOwnerUrl ?? config.databaseUrl;
    if (connectionString === null) {
      throw new Error(
        'DATABASE_URL is not set. The embedded PostgreSQL has no Citus and cannot be spread over machines.',
      );
    }
    const { close } = await openDatabase({ config, migrations: place.migrations, say });
    // Beside the migrations, in a checkout as in a package.
    const directory = join(place.migrations, '../sharding');
    const spread = await shardDatabase({ connectionString, directory });
    say(spread.length === 0 ? 'Every table was spread before; the rules are renewed.' : `Spread ${spread.join(', ')}.`);
    await close();
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
