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
  /** False when the tables belong to a role whose rights this login does not have; without tables, when it can only serve. */
  mayMigrate: boolean;
}

/**
 * Reads which migrations a database has. A login that serves has no right to read them itself, so it becomes `centavo_identity`
 * for the rest of the transaction that the caller has begun.
 */
export async function readMigrationState(client: pg.Client): Promise<MigrationState> {
  const { rows } = await client.query<Omit<MigrationState, 'applied'> & { exists: boolean; asIdentity: boolean }>(
    `select session_user as login, pg_get_userbyid(coalesce(c.relowner, d.datdba)) as owner, c.oid is not null as exists,
       coalesce(pg_has_role(c.relowner, 'usage'), has_database_privilege(d.oid, 'create') or not role.serves) as "mayMigrate",
       role.serves and not has_table_privilege(c.oid, 'select') as "asIdentity"
     from pg_database d left join pg_class c on c.oid = to_regclass('public.centavo_migrations')
       cross join (select exists (
         select from pg_roles where rolname = 'centavo_identity' and pg_has_role(oid, 'member')) as serves) as role
     where d.datname = current_database()`,
  );
  const { exists = false, asIdentity = false, login = '', owner = '', mayMigrate = true } = rows[0] ?? {};
  // A login without rights need not be able to create the table.
  if (!exists) return { applied: [], login, owner, mayMigrate };
  if (asIdentity) await client.query('set local role centavo_identity');
  const result = await client.query<AppliedMigration>(
    'select name, sha256 from public.centavo_migrations order by name collate "C"',
  );
  return { applied: result.rows, login, owner, mayMigrate };
}
