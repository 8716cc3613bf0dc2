import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { splitStatements } from '../migrate/migration-files.js';
import { tablePlacement } from './table-placement.js';

const files = ['0001_policies.sql', '0002_functions.sql'];

/**
 * Gives the tables the rules by which they can be spread over machines: no foreign key to a table that stays on the
 * coordinator, policies that ask no table, functions that carry the context. Every row keeps its place. May be done again,
 * and is to be done in one transaction.
 * @param options.directory where the SQL is
 */
export async function applyShardingRules(client: pg.ClientBase, options: { directory: string }): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(dropsOfForeignKeys, [
    [...tablePlacement.distributed, ...tablePlacement.reference],
  ]);
  for (const { statement } of rows) await client.query(statement);
  for (const name of files) {
    const sql = await readFile(join(options.directory, name), 'utf8');
    for (const statement of splitStatements(sql)) await client.query(statement.sql);
  }
}

// Trackers and users are never removed, and no row can name another tracker than the one that was entered.
const dropsOfForeignKeys = `
  select format('alter table app.%I drop constraint %I', c.relname, k.conname) as statement
  from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_class r on r.oid = k.confrelid
  where k.contype = 'f' and c.relnamespace = 'app'::regnamespace and c.relname = any ($1)
    and not (r.relnamespace = 'app'::regnamespace and r.relname = any ($1))
  order by 1`;
