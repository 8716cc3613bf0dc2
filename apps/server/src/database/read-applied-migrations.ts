import type pg from 'pg';

/** A migration that the database has, and the checksum its file had then. */
export interface AppliedMigration {
  name: string;
  sha256: string;
}

/** Reads which migrations a database has, in their order. A database that was never migrated has none. */
export async function readAppliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  // Asked first, so that a user who may only read needs no right to make the table.
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.centavo_migrations') is not null as exists",
  );
  if (rows[0]?.exists !== true) return [];
  const result = await client.query<AppliedMigration>(
    'select name, sha256 from public.centavo_migrations order by name collate "C"',
  );
  return result.rows;
}
