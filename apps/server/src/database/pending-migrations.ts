import pg from 'pg';
import { readMigrationFiles } from './migration-files.js';
import { planMigrations } from './plan-migrations.js';
import { DatabaseAway } from './postgres-errors.js';
import { readMigrationState } from './read-migration-state.js';
import { requireRoles } from './require-roles.js';

// What takes a connection and then says nothing is no PostgreSQL.
const connectMsMax = 10_000;

/**
 * Lists the migrations of `directory` that the database does not have yet, for a login that serves. Changes nothing.
 *
 * @returns their file names in order; empty when the database is up to date.
 * @throws DatabaseAway when no connection could be had
 * @throws Error for the same contradictions as `migrate`, and when the login may not become the roles that serve.
 */
export async function pendingMigrations(options: { connectionString: string; directory: string }): Promise<string[]> {
  const files = await readMigrationFiles(options.directory);
  const client = new pg.Client({
    connectionString: options.connectionString,
    connectionTimeoutMillis: connectMsMax,
  });
  client.on('error', () => {});
  try {
    await client.connect().catch((cause: unknown) => {
      throw new DatabaseAway(cause);
    });
    await client.query('begin');
    await requireRoles(client, { serves: true, mayBeMade: false, setting: 'DATABASE_URL' });
    const { applied } = await readMigrationState(client);
    return planMigrations({ files, applied }).map((file) => file.name);
  } finally {
    await client.end().catch(() => {});
  }
}
