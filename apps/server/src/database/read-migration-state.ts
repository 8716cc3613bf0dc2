import type pg from 'pg';

/** A migration that the database has, and the checksum its file had then. */
export interface AppliedMigration {
  name: string;
  sha256: string;
}

/** The migrations of a database, and who may add to them. */
export interface MigrationState {
  /** In the order of their numbers; empty when the database was never migrated. */
  applied: AppliedMigration[];
  /** The login of the connection. */
  login: string;
  /** Who owns the table of migrations; in a database that was never migrated, who owns that. */
  owner: string;
  /** False when the tables belong to another role, whose rights this login does not have, or when it may not create any. */
  mayMigrate: boolean;
}

/**
 * Reads which migrations a database has. A login that serves has no right to read them itself, so it becomes `centavo_app`
 * for the rest of the transaction that the caller has begun.
 */
export async function readMigrationState(client: pg.Client): Promise<MigrationState> {
  const { rows } = await client.query<Omit<MigrationState, 'applied'> & { exists: boolean; asApp: boolean }>(
    `select session_user as login, pg_get_userbyid(coalesce(c.relowner, d.datdba)) as owner, c.oid is not null as exists,
       coalesce(pg_has_role(c.relowner, 'usage'), has_database_privilege(d.oid, 'create')) as "mayMigrate",
       c.oid is not null and not has_table_privilege(c.oid, 'select')
         and exists (select from pg_roles where rolname = 'centavo_app' and pg_has_role(oid, 'member')) as "asApp"
     from pg_database d left join pg_class c on c.oid = to_regclass('public.centavo_migrations')
     where d.datname = current_database()`,
  );
  const { exists = false, asApp = false, login = '', owner = '', mayMigrate = true } = rows[0] ?? {};
  // A login without rights need not be able to create the table.
  if (!exists) return { applied: [], login, owner, mayMigrate };
  if (asApp) await client.query('set local role centavo_app');
  const result = await client.query<AppliedMigration>(
    'select name, sha256 from public.centavo_migrations order by name collate "C"',
  );
  return { applied: result.rows, login, owner, mayMigrate };
}
