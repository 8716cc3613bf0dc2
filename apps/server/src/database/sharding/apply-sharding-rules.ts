import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { splitStatements } from '../migrate/migration-files.js';
import { tablePlacement } from './table-placement.js';

/**
 * Prepares the schema for Citus: drops the foreign keys from distributed and reference tables to local tables, and runs `functions.sql`,
 * which replaces some functions and creates a row-level security policy. Moves no rows. A repeated call is safe. The caller runs
 * this function in one transaction.
 * @param options.directory the directory that contains `functions.sql`
 */
export async function applyShardingRules(client: pg.ClientBase, options: { directory: string }): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(dropsOfForeignKeys, [
    [...tablePlacement.distributed, ...tablePlacement.reference],
  ]);
  for (const { statement } of rows) await client.query(statement);
  const sql = await readFile(join(options.directory, 'functions.sql'), 'utf8');
  for (const statement of splitStatements(sql)) await client.query(statement.sql);
}

// The references stay valid without these keys: trackers and users are never removed, and policies accept only rows of the tracker in the
// request context.
const dropsOfForeignKeys = `
  select format('alter table app.%I drop constraint %I', c.relname, k.conname) as statement
  from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_class r on r.oid = k.confrelid
  where k.contype = 'f' and c.relnamespace = 'app'::regnamespace and c.relname = any ($1)
    and not (r.relnamespace = 'app'::regnamespace and r.relname = any ($1))
  order by 1`;
