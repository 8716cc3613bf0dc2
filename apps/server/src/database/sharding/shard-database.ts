import pg from 'pg';
import { DatabaseUnavailable, sqlStateOf } from '../errors.js';
import { applyShardingRules } from './apply-sharding-rules.js';
import { requireCitus } from './require-citus.js';
import { tablePlacement } from './table-placement.js';

/**
 * Distributes the tables in `tablePlacement.distributed` over the Citus nodes, and copies the reference tables to each node, in one
 * transaction. All migrations must have been applied. The tables in `tablePlacement.local` stay on the coordinator, and tables that are
 * already distributed keep their rows in place. Also runs `functions.sql`, which replaces some functions of the database. Call
 * `shardDatabase` again after every upgrade, because an upgrade may add tables or change functions. If there are tables to distribute,
 * writes wait until the transaction commits.
 * @param options.directory the directory that contains `functions.sql`
 * @returns the tables that this call distributed or copied to each node
 * @throws Error that names what is missing or has failed; nothing was changed
 * @throws DatabaseUnavailable when no connection could be opened
 */
export async function shardDatabase(options: { connectionString: string; directory: string }): Promise<string[]> {
  const client = new pg.Client({ connectionString: options.connectionString });
  // The driver emits `error` if the connection breaks between two statements. The next statement then fails with the reason.
  client.on('error', () => {});
  try {
    await client.connect().catch((cause: unknown) => {
      throw new DatabaseUnavailable(cause);
    });
    await requireCitus(client);
    return await shardInOneTransaction(client, options).catch((cause: Error) => {
      const isForbidden = sqlStateOf(cause) === '42501';
      const remedy = isForbidden ? '. Run this once as a superuser; the server continues to use its own user' : '';
      throw new Error(`Nothing was changed: ${cause.message.replace(/\.$/, '')}${remedy}.`, { cause });
    });
  } finally {
    // If a statement failed, closing the connection rolls its transaction back.
    await client.end().catch(() => {});
  }
}

async function shardInOneTransaction(client: pg.Client, options: { directory: string }): Promise<string[]> {
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtextextended('sharding', 4))`);
  // In the default mode `parallel`, Citus cannot distribute several tables in one transaction if they refer to a reference table.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  await applyShardingRules(client, options);
  const distributed = await distributeTables(client);
  await client.query('commit');
  return distributed;
}

async function distributeTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid',
  );
  const done = new Set(rows.map(({ name }) => name));
  const pending = distributions.filter(({ name }) => !done.has(name));
  // Citus accepts no foreign key between a distributed table and a local table. So the foreign keys are dropped now, and created again
  // after all tables have been distributed.
  const foreignKeys = await dropForeignKeys(
    client,
    pending.map(({ name }) => name),
  );
  for (const { name, statement } of pending) {
    // Citus moves the rows with COPY, which PostgreSQL refuses for a table with forced row-level security. Row-level security is forced
    // again before COMMIT, so other transactions never see the table without it.
    await client.query(`alter table app.${name} no force row level security`);
    await client.query(statement);
    await client.query(`alter table app.${name} force row level security`);
    await client.query(`select truncate_local_data_after_distributing_table('app.${name}')`);
  }
  for (const statement of foreignKeys) await client.query(statement);
  return pending.map(({ name }) => name);
}

const [first, ...others] = tablePlacement.distributed;
const distributions: readonly { name: string; statement: string }[] = [
  ...tablePlacement.reference.map((name) => ({ name, statement: `select create_reference_table('app.${name}')` })),
  { name: first, statement: `select create_distributed_table('app.${first}', 'tracker_id', colocate_with => 'none')` },
  ...others.map((name) => ({
    name,
    statement: `select create_distributed_table('app.${name}', 'tracker_id', colocate_with => 'app.${first}')`,
  })),
];

/** Drops the foreign keys of some tables. @returns the statements that create these keys again */
async function dropForeignKeys(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table app.%I drop constraint %I', c.relname, k.conname) as drop,
       format('alter table app.%I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as add
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and c.relnamespace = 'app'::regnamespace and c.relname = any ($1)
     order by k.conname`,
    [names],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ add }) => add);
}
