import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { requireRoles } from '../checks/login-roles.js';
import { withConnection } from '../with-connection.js';
import { type MigrationFile, pendingFiles, readMigrationFiles, runMigrationFile } from './migration-files.js';

// Any number that no other advisory lock in this database uses: the bytes of "cent".
const lockKey = 0x63656e74;

const silent = () => {};
// The migrator uses only connections that this module passes to it. It logs nothing, because it would only repeat errors that it throws.
const migrator = knex({ client: 'pg', log: { warn: silent, error: silent, deprecate: silent, debug: silent } });

interface MigrateOptions {
  readonly connectionString: string;
  readonly directory: string;
  /** The name of the environment variable with the database URL, for error messages; DATABASE_URL by default. */
  readonly setting?: string;
}

/**
 * Applies the pending migrations of `directory` in order with knex's migrator, each in its own transaction.
 *
 * Several servers may call this at the same time, because each transaction begins with an advisory lock. The lock ends with the
 * transaction. A lock of the session could stay on the connection of a pooler in transaction mode, and other clients would then use this
 * connection. A login that does not own the tables may call this if no migration is pending.
 *
 * @returns the names of the files applied now
 * @throws DatabaseUnavailable when connecting fails
 * @throws Error when a file fails; only that file is rolled back
 * @throws Error when an applied migration was changed, is missing from the directory, or comes after a pending one
 * @throws Error when PostgreSQL is older than 15
 * @throws Error when the login lacks one of Centavo's roles, or may not apply the pending files
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const files = await readMigrationFiles(options.directory);
  const setting = options.setting ?? 'DATABASE_URL';
  return withConnection(options.connectionString, async (client) => {
    await requireSupportedVersion(client);
    const applied: string[] = [];
    for (;;) {
      const work = (tx: Knex.Transaction) => applyNext({ tx, client, files, setting });
      const name = await migrator.transaction(work, { connection: client });
      if (name === undefined) return { applied };
      applied.push(name);
    }
  });
}

/** Applies the first pending file. @returns its name; undefined if nothing is pending */
async function applyNext(options: {
  readonly tx: Knex.Transaction;
  /** The connection of `tx`. */
  readonly client: pg.Client;
  readonly files: MigrationFile[];
  readonly setting: string;
}): Promise<string | undefined> {
  const { tx, client, files, setting } = options;
  await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
  // Reads the applied migrations after the lock is taken, because another server may apply migrations while this one waits. If it
  // read them before, PostgreSQL could also remember that the table of migrations does not exist.
  const state = await readState(client);
  await requireRoles(client, { serves: !state.mayMigrate, mayBeCreated: state.appliedIds.length === 0, setting });
  const [next] = pendingFiles(files, state.appliedIds);
  if (next === undefined) return undefined;
  if (!state.mayMigrate) throw new Error(notOwner(state, next));
  // By default Citus uses several connections, and then refuses to change reference tables. Without Citus, this setting has no effect.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  await tx.migrate.up({
    tableName: 'centavo_migrations',
    schemaName: 'public',
    // The transaction is already open, so knex must not begin another one.
    disableTransactions: true,
    migrationSource: {
      getMigrations: async () => files,
      getMigrationName: (file: MigrationFile) => file.id,
      // The file is not run through knex, which would treat a question mark in the SQL as a placeholder.
      getMigration: async (file: MigrationFile) => ({ up: () => runMigrationFile(client, file), down: refuseDown }),
    },
  });
  return next.name;
}

function refuseDown(): never {
  throw new Error('Migrations are not reverted.');
}

/**
 * Returns the names of the pending migrations, and changes nothing. A login that only serves requests may call this.
 * @throws DatabaseUnavailable when connecting fails
 * @throws Error when an applied migration was changed, is missing from the directory, or comes after a pending one
 * @throws Error when the login lacks a role that requests need
 */
export async function pendingMigrations({ connectionString, directory }: MigrateOptions): Promise<string[]> {
  const files = await readMigrationFiles(directory);
  return withConnection(connectionString, async (client) => {
    await client.query('begin');
    await requireRoles(client, { serves: true, mayBeCreated: false, setting: 'DATABASE_URL' });
    const { appliedIds } = await readState(client);
    return pendingFiles(files, appliedIds).map(({ name }) => name);
  });
}

async function requireSupportedVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; isSupported: boolean }>(
    `select current_setting('server_version') as name, current_setting('server_version_num')::int >= 150000 as "isSupported"`,
  );
  if (rows[0]?.isSupported === true) return;
  throw new Error(`Centavo needs PostgreSQL 15 or newer; this is ${rows[0]?.name}. Point DATABASE_URL at a newer one.`);
}

interface MigrationState {
  /** The ids of the applied migrations, in the order of their numbers; empty if the database was never migrated. */
  readonly appliedIds: string[];
  readonly login: string;
  /** The owner of the table of migrations; if the database was never migrated, the owner of the database. */
  readonly owner: string;
  /**
   * True if the login has the rights of the tables' owner. Before the tables exist, it is false only for a login that is a member of
   * `centavo_identity` and has no right to create objects in the database. Such a login only serves requests.
   */
  readonly mayMigrate: boolean;
}

/**
 * Reads the applied migrations. A login that only serves requests may not read the table of migrations, so it assumes the role
 * `centavo_identity` until the transaction ends.
 */
async function readState(client: pg.ClientBase): Promise<MigrationState> {
  const { rows } = await client.query<MigrationState & { exists: boolean; asIdentity: boolean }>(
    `select session_user as login, pg_get_userbyid(coalesce(c.relowner, d.datdba)) as owner, c.oid is not null as exists,
       coalesce(pg_has_role(c.relowner, 'usage'), has_database_privilege(d.oid, 'create') or not role.serves) as "mayMigrate",
       role.serves and not has_table_privilege(c.oid, 'select') as "asIdentity"
     from pg_database d left join pg_class c on c.oid = to_regclass('public.centavo_migrations')
       cross join (select exists (
         select from pg_roles where rolname = 'centavo_identity' and pg_has_role(oid, 'member')) as serves) as role
     where d.datname = current_database()`,
  );
  const { exists = false, asIdentity = false, ...state } = rows[0] ?? { login: '', owner: '', mayMigrate: true };
  if (!exists) return { ...state, appliedIds: [] };
  if (asIdentity) await client.query('set local role centavo_identity');
  const applied = await client.query<{ name: string }>(
    'select name from public.centavo_migrations order by name collate "C"',
  );
  return { ...state, appliedIds: applied.rows.map(({ name }) => name) };
}

function notOwner({ login, owner }: MigrationState, next: MigrationFile): string {
  return (
    `The database lacks migrations of this version (next: ${next.name}), and the user ${login} may not apply them. ` +
    `Set DATABASE_OWNER_URL to a URL with the login of the owner, ${owner}, or run "centavo-server migrate" with that URL. ` +
    'Then start again.'
  );
}
