import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTwoTrackers, ownerColumns, type TwoTrackers } from '../../../test-support/open-two-trackers.js';
import { type SeededTracker, seedTracker } from '../../../test-support/seed-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';
import { createDatabase } from '../pool.js';
import { query } from '../query.js';
import { proveIsolation } from './prove-isolation.js';

const tables = Object.keys(ownerColumns);

let trackers: TwoTrackers;
let testDatabase: TestDatabase;
let client: pg.Client;
let ours: SeededTracker;
let theirs: SeededTracker;
let asApp: TwoTrackers['asApp'];
let asSession: TwoTrackers['asSession'];
let outcomeOf: TwoTrackers['outcomeOf'];

beforeAll(async () => {
  trackers = await openTwoTrackers();
  ({ testDatabase, client, ours, theirs, asApp, asSession, outcomeOf } = trackers);
});

afterAll(() => trackers.close());

function ownerOf(table: string, tracker: SeededTracker): string {
  return ownerColumns[table] === 'user_id' || table === 'users' ? tracker.userId : tracker.trackerId;
}

const refused = '42501';

describe('the schema', () => {
  it('has exactly the tables that the isolation tests cover', async () => {
    const { rows } = await client.query(
      `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'app' and c.relkind in ('r', 'p') order by 1`,
    );
    expect(rows.map((row) => row.relname)).toEqual([...tables].sort());
  });

  it('includes the tracker id in every foreign key between tables that belong to a tracker', async () => {
    const { rows } = await client.query(
      `select con.conname from pg_constraint con
       where con.contype = 'f' and con.connamespace = 'app'::regnamespace
         and exists (select 1 from pg_attribute a where a.attrelid = con.confrelid and a.attname = 'tracker_id'
           and a.attnum = any (select unnest(i.indkey) from pg_index i where i.indrelid = con.confrelid and i.indisprimary))
         and not exists (select 1 from pg_attribute a where a.attrelid = con.conrelid and a.attname = 'tracker_id'
           and a.attnum = any (con.conkey))`,
    );
    expect(rows).toEqual([]);
  });

  it('has policies that call only six functions: three that PostgreSQL can inline, and three that it cannot', async () => {
    const { rows } = await client.query<{ called: string; inlined: boolean }>(
      `select distinct p.proname as called,
         p.prosqlbody is not null and not p.prosecdef and p.provolatile = 's' and p.proconfig is null as inlined
       from pg_policy pol
       join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = pol.oid and d.refclassid = 'pg_proc'::regclass
       join pg_proc p on p.oid = d.refobjid
       order by 1`,
    );
    expect(rows.filter(({ inlined }) => inlined).map(({ called }) => called)).toEqual([
      'current_principal_root',
      'current_tracker',
      'current_user_id',
    ]);
    expect(rows.filter(({ inlined }) => !inlined).map(({ called }) => called)).toEqual([
      'sees_category',
      'trackers_of_caller',
      'uses_category',
    ]);
  });

  // @proves spec, Authentication: rule 1
  it('passes the isolation checks that the server runs at its start', async () => {
    const database = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
    await expect(proveIsolation(database)).resolves.toBeUndefined();
    await database.close();
  });

  it('fails the isolation checks when row-level security is not forced on one table', async () => {
    const broken = await createTestDatabase();
    const owner = new pg.Client({ connectionString: broken.connectionString });
    await owner.connect();
    await owner.query('alter table app.budgets no force row level security');
    await owner.end();
    const database = createDatabase({ connectionString: broken.connectionString, poolMax: 1 });
    await expect(proveIsolation(database)).rejects.toThrow('app.budgets lacks forced row-level security or a policy');
    await database.close();
    await broken.drop();
  });

  it('fails the isolation checks when a policy shows rows to a request without an authenticated caller', async () => {
    const broken = await createTestDatabase();
    const owner = new pg.Client({ connectionString: broken.connectionString });
    await owner.connect();
    await seedTracker(owner, 'seen');
    await owner.query('create policy leak on app.movements for select to centavo_app using (true)');
    await owner.end();
    const database = createDatabase({ connectionString: broken.connectionString, poolMax: 1 });
    await expect(proveIsolation(database)).rejects.toThrow('app.movements shows rows to a request without a caller');
    await database.close();
    await broken.drop();
  });

  it('is checked with the JIT compiler off, and the checks do not change the settings of the connection', async () => {
    const compiling = await createTestDatabase();
    const owner = new pg.Client({ connectionString: compiling.connectionString });
    await owner.connect();
    await seedTracker(owner, 'compiled');
    const { rows } = await owner.query<{ name: string }>('select quote_ident(current_database()) as name');
    await owner.query(`alter database ${rows[0]?.name} set jit = on`);
    // This policy shows rows only if the JIT compiler is on.
    await owner.query(
      `create policy leak on app.movements for select to centavo_app using (current_setting('jit') = 'on')`,
    );
    await owner.end();
    const database = createDatabase({ connectionString: compiling.connectionString, poolMax: 1 });
    await expect(proveIsolation(database)).resolves.toBeUndefined();
    const settings = await database.transaction({ readOnly: true }, (tx) =>
      query(tx, `select current_setting('jit') as jit, current_setting('enable_seqscan') as seqscan`),
    );
    expect(settings).toEqual([{ jit: 'on', seqscan: 'on' }]);
    await database.close();
    await compiling.drop();
  });
});

describe('a member', () => {
  const writeOnly = ['audit_events'];
  it.each(tables.filter((table) => !writeOnly.includes(table)))(
    'reads the row of their own tracker or user in app.%s',
    async (table) => {
      const column = ownerColumns[table];
      const seen = await asApp(ours, () =>
        outcomeOf(`select 1 from app.${table} where ${column} = $1`, [ownerOf(table, ours)]),
      );
      expect(seen).toBe(1);
    },
  );
});

describe.each(tables)('a member of another tracker, in app.%s', (table) => {
  const column = ownerColumns[table];
  type Act = () => Promise<number | string>;
  const contexts = [
    { title: 'in their own tracker', inContext: (act: Act) => asApp(ours, act) },
    {
      title: 'requesting the foreign tracker',
      inContext: (act: Act) => asSession({ userId: ours.userId, trackerId: theirs.trackerId }, act),
    },
    {
      title: 'claiming to own the idempotency keys of the foreign tracker',
      inContext: (act: Act) => asApp({ ...ours, principalRoot: theirs.principalRoot }, act),
    },
    { title: 'without a tracker', inContext: (act: Act) => asApp({ userId: ours.userId }, act) },
    { title: 'without a user or tracker', inContext: (act: Act) => asApp({}, act) },
  ];

  // @proves spec, Authentication: rule 1
  it('reads no row', async () => {
    for (const { title, inContext } of contexts) {
      const seen = await inContext(() =>
        outcomeOf(`select 1 from app.${table} where ${column} = $1`, [ownerOf(table, theirs)]),
      );
      expect([0, refused], title).toContain(seen);
    }
  });

  it('changes no row', async () => {
    for (const { title, inContext } of contexts) {
      const changed = await inContext(async () => {
        const { rows } = await client.query<{ name: string }>(
          `select a.attname as name from pg_attribute a
           where a.attrelid = $1::regclass and a.attnum > 0 and has_column_privilege('centavo_app', a.attrelid, a.attnum, 'update')`,
          [`app.${table}`],
        );
        const name = rows[0]?.name;
        if (name === undefined) return refused;
        return outcomeOf(`update app.${table} set ${name} = ${name} where ${column} = $1`, [ownerOf(table, theirs)]);
      });
      expect([0, refused], title).toContain(changed);
    }
  });

  it('deletes no row', async () => {
    for (const { title, inContext } of contexts) {
      const removed = await inContext(() =>
        outcomeOf(`delete from app.${table} where ${column} = $1`, [ownerOf(table, theirs)]),
      );
      expect([0, refused], title).toContain(removed);
    }
  });

  it('cannot truncate the table', async () => {
    expect(await asApp(ours, () => outcomeOf(`truncate app.${table} cascade`))).toBe(refused);
  });
});

describe('the audit trail', () => {
  it('cannot be changed or deleted by requests, and requests cannot read its pending events', async () => {
    for (const statement of [
      'select 1 from app.audit_events',
      `update app.audit_events set action = 'x'`,
      'delete from app.audit_events',
      `update app.user_audit_events set action = 'x'`,
      'delete from app.user_audit_events',
      `update app.events set action = 'x'`,
      'delete from app.events',
    ]) {
      expect(await asApp(ours, () => outcomeOf(statement)), statement).toBe(refused);
    }
  });
});

describe('a request', () => {
  it.each(['passwords', 'sessions', 'refresh_tokens', 'totp', 'signing_keys'])(
    'cannot read the table identity.%s',
    async (table) => {
      expect(await asApp(ours, () => outcomeOf(`select 1 from identity.${table}`))).toBe(refused);
    },
  );
});

describe('amounts of movements', () => {
  it.each(['NaN', 'Infinity', '0', '-1', '1e15'])(
    'are rejected by the table app.movements when they are %s',
    async (amount) => {
      const outcome = await outcomeOf(
        `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
         occurred_on, source_type, source_id)
       values ($1, $2, 'expense', 'regular', $3::numeric, 'EUR', $4, $5, $6, '2026-01-01', 'user', $7)`,
        [ours.trackerId, randomUUID(), amount, ours.accountId, ours.cashboxId, ours.categoryId, ours.userId],
      );
      expect(['23514', '22003']).toContain(outcome);
    },
  );
});
