import type { Database } from '../pool.js';
import { query } from '../query.js';
import type { Transaction } from '../transaction.js';

/**
 * Checks that row-level security works, before the server accepts requests. The role `centavo_app` must not be able to bypass row-level
 * security. Every table of the schema `app` must have a policy, and row-level security must be forced on it. Every SECURITY DEFINER
 * function of this schema must have a fixed `search_path`, or a body that PostgreSQL parsed when the function was created. Without a
 * request context, `centavo_app` must see only the system category.
 * @throws Error that lists the faults; the server then refuses to start
 * @source decision 0006
 */
export async function proveIsolation(database: Database): Promise<void> {
  await database.transaction({ readOnly: true }, async (tx) => {
    const faults = [...(await findRoleFaults(tx)), ...(await findTableFaults(tx)), ...(await findVisibleRows(tx))];
    if (faults.length > 0) {
      throw new Error(
        `Row-level security does not protect the data; refusing to start:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
      );
    }
  });
}

async function findRoleFaults(tx: Transaction): Promise<string[]> {
  const rows = await query<{ fault: string }>(
    tx,
    `select 'centavo_app is a superuser or may bypass row-level security' as fault from pg_roles
       where rolname = 'centavo_app' and (rolsuper or rolbypassrls)
     union all
     select 'centavo_app is a member of ' || r.rolname from pg_roles r
       where r.rolname <> 'centavo_app' and pg_has_role('centavo_app', r.oid, 'member')
     union all
     select 'centavo_app owns ' || c.relname from pg_class c join pg_roles r on r.oid = c.relowner
       where r.rolname = 'centavo_app'
     union all
     select 'a SECURITY DEFINER function has no fixed search_path: ' || p.proname
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = 'app' and p.prosecdef
         and p.prosqlbody is null and not exists (select 1 from unnest(p.proconfig) setting where setting like 'search_path=%')`,
  );
  return rows.map(({ fault }) => fault);
}

async function findTableFaults(tx: Transaction): Promise<string[]> {
  const rows = await query<{ name: string }>(
    tx,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'app' and c.relkind in ('r', 'p')
       and not (c.relrowsecurity and c.relforcerowsecurity and exists (select 1 from pg_policy p where p.polrelid = c.oid))`,
  );
  return rows.map(({ name }) => `app.${name} lacks forced row-level security or a policy`);
}

async function findVisibleRows(tx: Transaction): Promise<string[]> {
  const tables = await query<{ name: string }>(
    tx,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'app' and c.relkind in ('r', 'p') and has_table_privilege('centavo_app', c.oid, 'select')
     order by 1`,
  );
  if (tables.length === 0)
    return ['the schema app has no table that centavo_app may read. Run centavo-server migrate.'];
  // If one tracker has most of the rows of a table, the planner would scan the whole table. `enable_seqscan = off` prevents this scan.
  // Before PostgreSQL 18, this setting adds 1e10 to the cost of a sequential scan that has no alternative. Such a cost would start the JIT
  // compiler, which uses more than a second of CPU time, so `jit` is off too.
  await query(
    tx,
    `select set_config('role', 'centavo_app', true), set_config('app.user_id', '', true), set_config('app.tracker_id', '', true),
       set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`,
  );
  // Every request may see the system category; nothing else is visible without a caller.
  const counts = tables.map(({ name }) =>
    name === 'categories'
      ? `select 'categories' as name, count(*)::int as rows from app.categories where scope <> 'system'`
      : `select '${name}' as name, count(*)::int as rows from app.${name}`,
  );
  const visible = await query<{ name: string; rows: number }>(tx, counts.join(' union all '));
  return visible
    .filter(({ rows }) => rows > 0)
    .map(({ name }) => `app.${name} shows rows to a request without a caller`);
}
