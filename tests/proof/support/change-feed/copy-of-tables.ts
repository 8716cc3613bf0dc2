import type pg from 'pg';
import { asOwner } from '../../../acceptance/support/postgres-of.js';
import { until } from '../../../acceptance/support/until.js';

/** The tables that are changed by writes in a tracker. */
const tables = [
  'accounts',
  'audit_events',
  'budget_lines',
  'budgets',
  'cashboxes',
  'categories',
  'categories_in_use',
  'event_heads',
  'events',
  'idempotency_keys',
  'movements',
  'transfers',
  'trackers',
];

/**
 * Copies the tables in one snapshot, as a dump does. Repeats the copy after a crash of PostgreSQL.
 * @returns for each tracker, the number of its last event in the copy. Pending events count too: they get the next numbers later.
 */
export async function copyTables(connectionString: string): Promise<ReadonlyMap<string, number>> {
  let heads: ReadonlyMap<string, number> | undefined;
  await until('the tables are copied', async () => {
    heads = await asOwner(connectionString, copyOnce).catch(() => undefined);
    return heads !== undefined;
  });
  return heads ?? new Map();
}

async function copyOnce(owner: pg.Client): Promise<ReadonlyMap<string, number>> {
  await owner.query('drop schema if exists copies cascade');
  await owner.query('begin isolation level repeatable read');
  // With Citus, each connection to a node has its own snapshot, so the copy must use only one connection for each node. Without Citus,
  // the setting has no effect.
  await owner.query('set local citus.max_adaptive_executor_pool_size = 1');
  await owner.query('create schema copies');
  for (const table of tables) await owner.query(`create table copies.${table} as table app.${table}`);
  await owner.query('commit');
  const { rows } = await owner.query<{ tracker_id: string; head: number }>(
    `select tracker_id, (coalesce(sum(sequence), 0) + count(*) filter (where sequence is null))::int as head
     from (
       select tracker_id, sequence from copies.event_heads union all select tracker_id, null from copies.audit_events
     ) as copied group by tracker_id`,
  );
  return new Map(rows.map(({ tracker_id, head }) => [tracker_id, head]));
}

/** Replaces all rows with the rows of the copy, in one transaction that locks the tables. */
export async function restoreTables(owner: pg.Client): Promise<void> {
  await owner.query('begin');
  // If foreign keys connect the changed tables, Citus must change one shard after another.
  await owner.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  // The value `replica` disables the triggers that check foreign keys. `propagate_set_commands` sends it to the nodes of Citus too.
  await owner.query(`set local citus.propagate_set_commands = 'local'`);
  await owner.query('set local session_replication_role = replica');
  await owner.query(`lock ${tables.map((table) => `app.${table}`).join(', ')} in access exclusive mode`);
  for (const table of tables) {
    await owner.query(`delete from app.${table}`);
    await owner.query(`insert into app.${table} select * from copies.${table}`);
  }
  await owner.query('commit');
}
