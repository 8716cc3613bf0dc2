import pg from 'pg';
import { readMigrationFiles } from './migration-files.js';
import { planMigrations } from './plan-migrations.js';
import { readAppliedMigrations } from './read-applied-migrations.js';

// What takes a connection and then says nothing is no PostgreSQL.
const connectMsMax = 10_000;

/**
 * Tells which migrations of `directory` the database does not have yet. Changes nothing.
 *
 * @returns their file names in order; empty when the database is up to date.
 * @throws Error for the same contradictions as `migrate`, and whatever connecting throws.
 */
export async function pendingMigrations(options: { connectionString: string; directory: string }): Promise<string[]> {
  const files = await readMigrationFiles(options.directory);
  const client = new pg.Client({
    connectionString: options.connectionString,
    connectionTimeoutMillis: connectMsMax,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return planMigrations({ files, applied: await readAppliedMigrations(client) }).map((file) => file.name);
  } finally {
    await client.end().catch(() => {});
  }
}
