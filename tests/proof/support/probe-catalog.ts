import type pg from 'pg';

/** The properties of a table. They are read from PostgreSQL's catalog, so that the tests of access rights also cover new tables. */
export interface ProbedTable {
  /** The qualified name, quoted for SQL. */
  readonly name: string;
  /** The writable columns, without generated ones. */
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
  /**
   * The columns that must be changed when a test inserts a copy of a row, with their SQL types: the columns of unique keys. Columns with
   * the owner of the row, foreign keys and columns with a fixed set of values are left out.
   */
  readonly freshColumns: Readonly<Record<string, string>>;
  /** The columns that `centavo_app`, the role of requests, may update. */
  readonly updatable: readonly string[];
  readonly maySelect: boolean;
  readonly mayInsert: boolean;
  /** The column with the tracker or user that owns a row; null if the table has no such column. */
  readonly ownerColumn: 'tracker_id' | 'user_id' | 'id' | null;
  readonly references: readonly Reference[];
}

/** A foreign key. */
export interface Reference {
  readonly columns: readonly string[];
  readonly parent: string;
  readonly parentColumns: readonly string[];
}

/** A row in PostgreSQL's JSON form. */
export type Row = Readonly<Record<string, unknown>>;

/** The columns that name the owner of a row. `principal_root` is a user, or all rotations of one credential. */
const ownerColumnNames = ['tracker_id', 'user_id', 'principal_root'];

/** Returns all tables and views of the database other than PostgreSQL's own. */
export async function readTables(owner: pg.ClientBase): Promise<ProbedTable[]> {
  const { rows } = await owner.query<Omit<ProbedTable, 'ownerColumn'>>(
    `select format('%I.%I', n.nspname, c.relname) as name, attributes.*,
       coalesce((select array_agg(a.attname::text) from pg_index i join pg_attribute a
         on a.attrelid = c.oid and a.attnum = any (i.indkey::int2[]) where i.indrelid = c.oid and i.indisprimary), '{}') as "primaryKey",
       coalesce((select jsonb_object_agg(a.attname, coalesce(nullif(t.typbasetype, 0), t.oid)::regtype) from pg_index i
         join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey::int2[])
         join pg_type t on t.oid = a.atttypid
         where i.indrelid = c.oid and i.indisunique and a.attname <> all ($1)
           and not exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any (f.conkey))
           -- A column with a fixed set of values cannot get a new value.
           and not exists (select from pg_constraint k where k.contype = 'c'
             and (k.conrelid = c.oid and a.attnum = any (k.conkey) or k.contypid = t.oid)
             and pg_get_constraintdef(k.oid) like '%ANY (ARRAY%')), '{}') as "freshColumns",
       has_schema_privilege('centavo_app', n.oid, 'usage') and has_table_privilege('centavo_app', c.oid, 'select') as "maySelect",
       has_schema_privilege('centavo_app', n.oid, 'usage') and has_table_privilege('centavo_app', c.oid, 'insert') as "mayInsert",
       coalesce((select json_agg(json_build_object(
           'columns', (select json_agg(a.attname order by k.position) from unnest(f.conkey) with ordinality k (number, position)
             join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number),
           'parent', (select format('%I.%I', pn.nspname, p.relname) from pg_class p join pg_namespace pn on pn.oid = p.relnamespace
             where p.oid = f.confrelid),
           'parentColumns', (select json_agg(a.attname order by k.position) from unnest(f.confkey) with ordinality k (number, position)
             join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number)) order by f.conname)
         from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'), '[]') as "references"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     cross join lateral (
       select array_agg(a.attname::text order by a.attnum) as columns,
         coalesce(array_agg(a.attname::text order by a.attnum)
           filter (where has_column_privilege('centavo_app', c.oid, a.attnum, 'update')), '{}') as updatable
       from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         and a.attidentity <> 'a') as attributes
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
     order by 1`,
    [ownerColumnNames],
  );
  return rows.map((table) => ({ ...table, ownerColumn: ownerColumnOf(table) }));
}

function ownerColumnOf({ name, columns }: Pick<ProbedTable, 'name' | 'columns'>): ProbedTable['ownerColumn'] {
  for (const column of ['tracker_id', 'user_id'] as const) if (columns.includes(column)) return column;
  return name === 'app.trackers' || name === 'app.users' ? 'id' : null;
}

/** Returns the names of the functions, other than PostgreSQL's own, that the request role may call. */
export async function readFunctions(owner: pg.ClientBase): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select format('%I.%I', n.nspname, p.proname) as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and has_schema_privilege('centavo_app', n.oid, 'usage')
       and has_function_privilege('centavo_app', p.oid, 'execute')
     order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Returns all rows of a table, read with the role that owns the tables. */
export async function readRows(owner: pg.ClientBase, table: ProbedTable): Promise<Row[]> {
  const { rows } = await owner.query<{ row: Row }>(`select row_to_json(probed) as row from ${table.name} probed`);
  return rows.map(({ row }) => row);
}
