import { join } from 'node:path';
import { readConfig } from '../config/env.js';
import { shardDatabase } from '../database/sharding/shard-database.js';
import type { CommandEnvironment } from './open-database.js';
import { openDatabase } from './open-database.js';

/**
 * Runs `centavo-server shard`: applies the pending migrations, then distributes the tables over the nodes of Citus. Run the command again
 * after every upgrade. If you add a node later, the command moves no rows to it; docs/scaling.md describes how to move them.
 * @returns the exit code: 0 done, 1 failed, with the reason on stderr
 */
export async function shardCommand(environment: CommandEnvironment): Promise<number> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  try {
    const config = readConfig(environment.env, environment.defaultDataDir);
    const connectionString = config.databaseOwnerUrl ?? config.databaseUrl;
    if (connectionString === null) {
      throw new Error(
        'DATABASE_URL is not set. The embedded PostgreSQL has no Citus and cannot be distributed over nodes.',
      );
    }
    const { close } = await openDatabase({ config, migrations: environment.migrations, report: print });
    // A checkout and an npm package both have the directory `sharding` next to the migrations.
    const directory = join(environment.migrations, '../sharding');
    const distributed = await shardDatabase({ connectionString, directory });
    print(
      distributed.length === 0
        ? 'All tables are distributed already. The SQL functions were replaced with those of this version.'
        : `Distributed ${distributed.join(', ')}.`,
    );
    await close();
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
