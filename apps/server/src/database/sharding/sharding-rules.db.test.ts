import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShardedTrackers, type ShardedTrackers } from '../../../test-support/open-sharded-trackers.js';
import type { SeededTracker } from '../../../test-support/seed-tracker.js';
import { tablePlacement } from './table-placement.js';

// These tests cover the part of a sharded database that needs no Citus: the rules are plain SQL and work on one machine too.
const shardedTables = [...tablePlacement.distributed, ...tablePlacement.reference];
let trackers: ShardedTrackers;
let client: pg.Client;
let ours: SeededTracker;
let theirs: SeededTracker;
let applyInOneTransaction: ShardedTrackers['applyInOneTransaction'];
let namesOf: ShardedTrackers['namesOf'];
let asApp: ShardedTrackers['asApp'];
let outcomeOf: ShardedTrackers['outcomeOf'];

beforeAll(async () => {
  trackers = await openShardedTrackers();
  ({ client, ours, theirs, applyInOneTransaction, namesOf, asApp, outcomeOf } = trackers);
});

afterAll(() => trackers.close());

describe('a schema that can be distributed', () => {
  it('has exactly one placement for each table: distributed, reference or local', async () => {
    const tables = await namesOf(
      `select case when n.nspname = 'app' then c.relname else n.nspname || '.' || c.relname end as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('app', 'identity') and c.relkind in ('r', 'p')`,
    );
    expect([...shardedTables, ...tablePlacement.local].sort()).toEqual([...tables].sort());
  });

  it('has tracker_id as the first column of every unique key of a distributed table', async () => {
    const others = await namesOf(
      `select i.indexrelid::regclass::text from pg_index i
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
       where i.indisunique and i.indrelid = any ($1::regclass[]) and a.attname <> 'tracker_id'`,
      [tablePlacement.distributed.map((name) => `app.${name}`)],
    );
    expect(others).toEqual([]);
    const keyed = await namesOf(
      `select substr(i.indrelid::regclass::text, 5) from pg_index i where i.indisprimary and i.indrelid = any ($1::regclass[])`,
      [tablePlacement.distributed.map((name) => `app.${name}`)],
    );
    // `audit_events` has no key. It holds pending events, and each event is moved once to `events`, which has a key.
    expect([...keyed, 'audit_events'].sort()).toEqual([...tablePlacement.distributed].sort());
  });

  it('lets a distributed table reference only reference tables and rows of the same tracker', async () => {
    const { rows } = await client.query<{ name: string; from: string; to: string; columns: string[] }>(
      `select k.conname as name, c.relname as from, r.relname as to, array(
         select f.attname || '>' || t.attname from unnest(k.conkey, k.confkey) as pair (f, t)
           join pg_attribute f on f.attrelid = k.conrelid and f.attnum = pair.f
           join pg_attribute t on t.attrelid = k.confrelid and t.attnum = pair.t)::text[] as columns
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
       where k.contype = 'f' and k.connamespace = 'app'::regnamespace`,
    );
    const isIn = (names: readonly string[], name: string) => names.includes(name);
    const refused = rows.filter(({ from, to, columns }) => {
      if (isIn(tablePlacement.local, from)) return isIn(shardedTables, to);
      if (isIn(tablePlacement.reference, from)) return !isIn(tablePlacement.reference, to);
      return (
        !isIn(shardedTables, to) || (isIn(tablePlacement.distributed, to) && !columns.includes('tracker_id>tracker_id'))
      );
    });
    expect(refused).toEqual([]);
    expect(rows.map(({ name }) => name)).toContain('movements_cashbox_fkey');
  });

  it('has a distribution order in which each table follows the tables that it references', async () => {
    const { rows } = await client.query<{ from: string; to: string }>(
      `select c.relname as from, r.relname as to from pg_constraint k
       join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
       where k.contype = 'f' and c.oid <> r.oid and c.relname = any ($1)`,
      [tablePlacement.distributed],
    );
    const position = (name: string) =>
      ([...tablePlacement.reference, ...tablePlacement.distributed] as string[]).indexOf(name);
    expect(rows.filter(({ from, to }) => position(from) < position(to))).toEqual([]);
  });

  it('has no trigger, and its policies contain no query and call no function that reads a table', async () => {
    const tables = shardedTables.map((name) => `app.${name}`);
    const triggers = await namesOf(
      'select tgname from pg_trigger where not tgisinternal and tgrelid = any ($1::regclass[])',
      [tables],
    );
    const withSubquery = await namesOf(
      `select p.polname from pg_policy p where p.polrelid = any ($1::regclass[])
       and concat(p.polqual::text, p.polwithcheck::text) like '%SUBLINK%'`,
      [tables],
    );
    const withTableAccess = await namesOf(
      `select p.polname from pg_policy p
       join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refclassid = 'pg_proc'::regclass
       join pg_proc f on f.oid = d.refobjid
       where p.polrelid = any ($1::regclass[]) and (f.prosecdef or f.prosqlbody is null or exists (
         select from pg_depend t where t.classid = 'pg_proc'::regclass and t.objid = f.oid and t.refclassid = 'pg_class'::regclass))`,
      [tables],
    );
    expect({ triggers, withSubquery, withTableAccess }).toEqual({
      triggers: [],
      withSubquery: [],
      withTableAccess: [],
    });
  });

  it('allows the sharding rules to be applied a second time', async () => {
    await applyInOneTransaction();
  });
});

const refused = '42501';
const writeOnly = 'audit_events';

describe.each(shardedTables)('app.%s in a sharded database', (table) => {
  it.runIf(table !== writeOnly)('shows the row of a tracker in the context of that tracker', async () => {
    const seen = await asApp(ours, () =>
      outcomeOf(`select 1 from app.${table} where tracker_id = $1`, [ours.trackerId]),
    );
    expect(seen).toBe(1);
  });

  it('hides its rows from reads, updates and deletes in the context of another tracker, no tracker, or no user', async () => {
    const contexts = [ours, { userId: theirs.userId, principalRoot: theirs.principalRoot }, {}];
    const { rows: updatable } = await client.query<{ name: string }>(
      `select a.attname as name from pg_attribute a
       where a.attrelid = $1::regclass and a.attnum > 0 and has_column_privilege('centavo_app', a.attrelid, a.attnum, 'update')`,
      [`app.${table}`],
    );
    const statements = [
      `select 1 from app.${table} where tracker_id = $1`,
      `delete from app.${table} where tracker_id = $1`,
      ...updatable.slice(0, 1).map(({ name }) => `update app.${table} set ${name} = ${name} where tracker_id = $1`),
    ];
    for (const context of contexts) {
      for (const statement of statements) {
        const touched = await asApp(context, () => outcomeOf(statement, [theirs.trackerId]));
        expect([0, refused], `${statement} as ${JSON.stringify(context)}`).toContain(touched);
      }
    }
  });

  it('rejects a row of a tracker other than the one in the context, and any row without a context', async () => {
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname not in ('tracker_id', 'id')`,
      [`app.${table}`],
    );
    const hasId = !['categories_in_use', 'idempotency_keys', 'event_heads'].includes(table);
    const columns = [...(hasId ? ['id'] : []), ...(rows[0]?.columns ? [rows[0].columns] : [])];
    // Each row is a copy of an existing row. If a policy accepted the copy, PostgreSQL would report a duplicate key, whose
    // SQLSTATE is not 42501. If the table has no key, PostgreSQL would insert the copy.
    const source = `app_copy_${table}`;
    for (const context of [ours, {}]) {
      await client.query('begin');
      try {
        await client.query(
          `create temporary table ${source} on commit drop as select * from app.${table} where tracker_id = '${theirs.trackerId}'`,
        );
        await client.query(`grant select on ${source} to centavo_app`);
        await client.query(
          `select set_config('role', 'centavo_app', true), set_config('app.user_id', $1, true),
             set_config('app.tracker_id', $2, true), set_config('app.principal_root', $3, true)`,
          [ours.userId, 'trackerId' in context ? context.trackerId : '', theirs.principalRoot],
        );
        const list = ['tracker_id', ...columns].join(', ');
        expect(await outcomeOf(`insert into app.${table} (${list}) select ${list} from ${source}`)).toBe(refused);
      } finally {
        await client.query('rollback');
      }
    }
  });
});
