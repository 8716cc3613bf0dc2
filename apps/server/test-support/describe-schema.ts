import type pg from 'pg';

/**
 * Describes the schemas `app` and `identity` as readable SQL: domains, tables with constraints, indexes, policies and grants,
 * then functions with owner and grants. Reads only catalogs, sorts by name, and names only Centavo's roles as owners. Equal schemas
 * therefore produce equal text on every machine and every PostgreSQL version from 15 on.
 */
export async function describeSchema(client: pg.ClientBase): Promise<string> {
  const read = async (sql: string): Promise<string[]> =>
    (await client.query<{ text: string }>(sql)).rows.map(({ text }) => text);
  // PostgreSQL qualifies only names whose schema is not in the search_path, so the path contains only pg_catalog.
  const { rows } = await client.query<{ path: string }>(
    `select current_setting('search_path') as path, set_config('search_path', 'pg_catalog', false)`,
  );
  const parts = [await read(schemas), await read(domains), await read(tables), await read(functions)];
  await client.query(`select set_config('search_path', $1, false)`, [rows[0]?.path]);
  return `${parts.flat().join('\n\n')}\n`;
}

/** Returns SQL that joins the lines in the column `line` of a subquery. */
const linesOf = (subquery: string) =>
  `(select string_agg(line, e'\\n' order by position, line) from (${subquery}) as lines)`;

/** Returns SQL that reads an access control list and returns the grants to Centavo's roles, with one line for each role. */
const grantsOf = (options: { acl: string; object: string; columns?: string }) => `
  select format('grant %s%s on %s to %s;', string_agg(lower(g.privilege_type), ', ' order by g.privilege_type),
      ${options.columns ?? `''`}, ${options.object}, g.grantee::regrole) as line, 9 as position
  from aclexplode(${options.acl}) g
  where g.grantee <> 0 and g.grantee::regrole::text like 'centavo\\_%'
  group by g.grantee`;

const schemas = `
  select concat_ws(e'\\n', format('create schema %I;', n.nspname),
    ${linesOf(grantsOf({ acl: 'n.nspacl', object: `'schema ' || n.nspname` }))}) as text
  from pg_namespace n
  where n.nspname in ('app', 'identity')
  order by n.nspname`;

const domains = `
  select format('create domain %s as %s%s %s;', t.oid::regtype, format_type(t.typbasetype, t.typtypmod),
    case when t.typcollation <> b.typcollation then ' collate ' || quote_ident(l.collname) end,
    (select string_agg(pg_get_constraintdef(k.oid), ' ' order by k.conname) from pg_constraint k where k.contypid = t.oid)) as text
  from pg_type t
    join pg_type b on b.oid = t.typbasetype
    left join pg_collation l on l.oid = t.typcollation
  where t.typnamespace in ('app'::regnamespace, 'identity'::regnamespace) and t.typtype = 'd'
  order by t.oid::regtype::text`;

const columns = `
  select format('  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation then ' collate ' || quote_ident(l.collname) end,
      case when a.attgenerated = 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
        when d.oid is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) end,
      case when a.attnotnull then ' not null' end) as line, a.attnum as position
  from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`;

// In PostgreSQL 18, pg_constraint also lists NOT NULL constraints. They are omitted, because the line of the column shows `not null`.
const constraints = `
  select format('  constraint %I %s', k.conname, pg_get_constraintdef(k.oid)) as line,
    1000 + strpos('puxcf', k.contype::text) as position
  from pg_constraint k
  where k.conrelid = c.oid and k.contype <> 'n'`;

const details = `
  select pg_get_indexdef(i.indexrelid) || ';' as line, 1 as position
  from pg_index i
  where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)
  union all
  select pg_get_statisticsobjdef(s.oid) || ';', 2 from pg_statistic_ext s where s.stxrelid = c.oid
  union all
  select pg_get_triggerdef(t.oid) || ';', 3 from pg_trigger t
  where t.tgrelid = c.oid and not t.tgisinternal
  union all
  select format('alter table %s enable row level security;', c.oid::regclass), 4 where c.relrowsecurity
  union all
  select format('alter table %s force row level security;', c.oid::regclass), 5 where c.relforcerowsecurity
  union all
  select concat(format('create policy %I on %s for %s to %s', p.polname, c.oid::regclass,
      case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
      array_to_string(p.polroles::regrole[], ', ')),
    e'\\n  using (' || pg_get_expr(p.polqual, p.polrelid, true) || ')',
    e'\\n  with check (' || pg_get_expr(p.polwithcheck, p.polrelid, true) || ')', ';'), 6
  from pg_policy p
  where p.polrelid = c.oid
  union all
  (${grantsOf({ acl: 'c.relacl', object: 'c.oid::regclass' })})
  union all
  select format('grant %s (%s) on %s to %s;', lower(g.privilege_type), string_agg(a.attname, ', ' order by a.attname),
    c.oid::regclass, g.grantee::regrole), 9
  from pg_attribute a cross join aclexplode(a.attacl) g
  where a.attrelid = c.oid
  group by g.privilege_type, g.grantee`;

const tables = `
  select concat_ws(e'\\n',
    format(e'create table %s (\\n%s\\n);', c.oid::regclass,
      (select string_agg(line, e',\\n' order by position, line) from (${columns} union all ${constraints}) as lines)),
    ${linesOf(details)}) as text
  from pg_class c
  where c.relnamespace in ('app'::regnamespace, 'identity'::regnamespace) and c.relkind not in ('i', 'I', 't')
  order by c.oid::regclass::text`;

const functions = `
  select concat_ws(e'\\n', rtrim(pg_get_functiondef(p.oid), e'\\n ') || ';',
    'alter function ' || p.oid::regprocedure || ' owner to '
      || (select r.rolname from pg_roles r where r.oid = p.proowner and r.rolname like 'centavo\\_%') || ';',
    case when exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g where g.grantee = 0)
      then 'grant execute on function ' || p.oid::regprocedure || ' to public;'
    end,
    ${linesOf(grantsOf({ acl: 'p.proacl', object: `'function ' || p.oid::regprocedure` }))}) as text
  from pg_proc p
  where p.pronamespace in ('app'::regnamespace, 'identity'::regnamespace)
  order by p.oid::regprocedure::text`;
