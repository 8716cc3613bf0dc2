import pg from 'pg';
import { type MigrationFile, readMigrationFiles } from './migration-files.js';
import { planMigrations } from './plan-migrations.js';
import { DatabaseAway } from './postgres-errors.js';
import { type MigrationState, readMigrationState } from './read-migration-state.js';
import { requireRoles } from './require-roles.js';
import { splitStatements } from './split-statements.js';

export { pendingMigrations } from './pending-migrations.js';

// Any number will do, as long as nothing else in this database locks on it: these are the bytes of "cent".
const lockKey = 0x63656e74;

// What takes a connection and then says nothing is no PostgreSQL; one that is under load answers within this.
const connectMsMax = 10_000;

/**
 * Applies the migrations of `directory` that the database does not have, in the order of their numbers, each in a transaction of its own.
 *
 * Several servers may do this at once: each transaction first takes a lock, then looks what is left to do. The lock belongs to the
 * transaction and not to the session, because behind a pooler in transaction mode a session's lock would stay on a stranger's connection.
 * Connects as the user of `connectionString`, who becomes the owner of the tables. A login that does not own them may call this
 * too, as long as nothing is pending.
 *
 * @param options.setting the variable that holds the address, for messages; DATABASE_URL by default
 * @returns the names of the files applied now; empty when there was nothing to do.
 * @throws DatabaseAway when no connection could be had; nothing of it is left open
 * @throws Error that names the file when one fails (it is then rolled back, those before it stay); when an applied file was changed
 * since; when the database has migrations that this build does not know; when PostgreSQL is older than 15; when the user can neither
 * become nor make one of Centavo's roles; when something is pending and the user does not own the tables.
 */
export async function migrate(options: {
  connectionString: string;
  directory: string;
  setting?: string;
}): Promise<{ applied: string[] }> {
  const files = await readMigrationFiles(options.directory);
  const client = new pg.Client({
    connectionString: options.connectionString,
    connectionTimeoutMillis: connectMsMax,
  });
  // A connection that breaks between two statements reports here; the next statement then fails with the reason.
  client.on('error', () => {});
  try {
    await client.connect().catch((cause: unknown) => {
      throw new DatabaseAway(cause);
    });
    await requireSupportedVersion(client);
    const applied: string[] = [];
    for (;;) {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
      // Not looked up before the lock is held: PostgreSQL may go on remembering that there was no such table.
      const state = await readMigrationState(client);
      await requireRoles(client, {
        serves: !state.mayMigrate,
        mayBeMade: state.applied.length === 0,
        setting: options.setting ?? 'DATABASE_URL',
      });
      const [next] = planMigrations({ files, applied: state.applied });
      if (next === undefined) {
        await client.query('rollback');
        return { applied };
      }
      if (!state.mayMigrate) throw new Error(notOwner(state, next));
      await apply(client, next);
      await client.query('commit');
      applied.push(next.name);
    }
  } finally {
    // Closing the connection rolls back what a failure left open. One that was refused is still open: the driver leaves it
    // to us, and it would keep the process alive.
    await client.end().catch(() => {});
  }
}

function notOwner({ login, owner }: MigrationState, next: MigrationFile): string {
  return (
    `The database lacks migrations of this version (next: ${next.name}), and the user ${login} may not apply them. ` +
    `Set DATABASE_OWNER_URL to the address with ${owner}, the owner, or run "centavo-server migrate" with that address. ` +
    'Then start again.'
  );
}

async function requireSupportedVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
  );
  const version = rows[0];
  if (version === undefined || version.number < 150_000) {
    throw new Error(
      `Centavo needs PostgreSQL 15 or newer; this is ${version?.name ?? 'unknown'}. Point DATABASE_URL at a newer one.`,
    );
  }
}

async function apply(client: pg.Client, file: { name: string; sha256: string; sql: string }): Promise<void> {
  await client.query(
    'create table if not exists public.centavo_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  );
  // For Citus, which else works on its machines at once and then refuses to change what they share. Elsewhere it says nothing.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  for (const statement of splitStatements(file.sql)) {
    await client.query(statement.sql).catch((error: pg.DatabaseError) => {
      const { message, position } = error;
      const before = file.sql.slice(0, statement.offset + Number(position));
      const line = position === undefined ? '' : ` (line ${before.split('\n').length})`;
      const reason = message.replace(/\.$/, '');
      throw new Error(`Migration ${file.name} failed${line}: ${reason}. Nothing of it was applied.`, { cause: error });
    });
  }
  await client.query('insert into public.centavo_migrations (name, sha256) values ($1, $2)', [file.name, file.sha256]);
}
