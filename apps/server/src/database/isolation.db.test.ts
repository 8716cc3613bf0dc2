import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SeededTracker, seedTracker } from '../../test-support/seed-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { createDatabase } from './database.js';
import { proveIsolation } from './prove-isolation.js';

/** Which column says whose a row is, for each table that belongs to a tracker or a user. */
const ownerColumns: Readonly<Record<string, 'tracker_id' | 'user_id' | 'id'>> = {
  accounts: 'tracker_id',
  audit_events: 'tracker_id',
  budget_lines: 'tracker_id',
  budgets: 'tracker_id',
  cashboxes: 'tracker_id',
  categories: 'tracker_id',
  categories_in_use: 'tracker_id',
  credentials: 'user_id',
  idempotency_keys: 'tracker_id',
  members: 'tracker_id',
  movements: 'tracker_id',
  trackers: 'id',
  transfers: 'tracker_id',
  user_audit_events: 'user_id',
  users: 'id',
};
const tables = Object.keys(ownerColumns);

let testDatabase: TestDatabase;
let client: pg.Client;
let ours: SeededTracker;
let theirs: SeededTracker;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
  ours = await seedTracker(client, 'ours');
  theirs = await seedTracker(client, 'theirs');
});

afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

/** Acts as the request role in a transaction that is rolled back; the context is what a caller could at worst have set. */
async function asApp<Result>(
  context: { userId?: string; trackerId?: string; principalRoot?: string },
  act: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  try {
    await client.query(
      `select set_config('role', 'centavo_app', true), set_config('app.user_id', $1, true),
         set_config('app.tracker_id', $2, true), set_config('app.principal_root', $3, true)`,
      [context.userId ?? '', context.trackerId ?? '', context.principalRoot ?? ''],
    );
    return await act();
  } finally {
    await client.query('rollback');
  }
}

function ownerOf(table: string, tracker: SeededTracker): string {
  return ownerColumns[table] === 'user_id' || table === 'users' ? tracker.userId : tracker.trackerId;
}

/** Rows affected, or the SQLSTATE of the refusal. */
async function outcomeOf(statement: string, values: unknown[] = []): Promise<number | string> {
  return client.query(statement, values).then(
    (result) => result.rowCount ?? 0,
    (error: pg.DatabaseError) => error.code ?? 'no SQLSTATE',
  );
}

const refused = '42501';

describe('the schema', () => {
  it('has no table that this test does not know', async () => {
    const { rows } = await client.query(
      `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'app' and c.relkind in ('r', 'p') order by 1`,
    );
    expect(rows.map((row) => row.relname)).toEqual([...tables].sort());
  });

  it('names the tracker in every reference between tables that belong to a tracker', async () => {
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

  it('asks who is calling once a statement, not once a row', async () => {
    const { rows: volatile } = await client.query(
      `select pol.polname from pg_policy pol
       join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = pol.oid and d.refclassid = 'pg_proc'::regclass
       join pg_proc p on p.oid = d.refobjid
       where p.provolatile = 'v'`,
    );
    expect(volatile).toEqual([]);
    const { rows } = await client.query<{ name: string; conditions: string }>(
      `select polname as name, concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as conditions
       from pg_policy`,
    );
    // Behind a SELECT of its own PostgreSQL evaluates it before the rows; outside of one, for each of them.
    const perRow = /(?<!SELECT )app\.(current_\w+|trackers_of_caller)\(/;
    expect(rows.filter(({ conditions }) => perRow.test(conditions)).map(({ name }) => name)).toEqual([]);
    expect(rows.some(({ conditions }) => conditions.includes('SELECT app.current_tracker('))).toBe(true);
  });

  it('passes the proof that the server asks for before it starts', async () => {
    const database = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
    await expect(proveIsolation(database)).resolves.toBeUndefined();
    await database.close();
  });

  it('fails that proof as soon as one table is not under forced policies', async () => {
    const broken = await createTestDatabase();
    const owner = new pg.Client({ connectionString: broken.connectionString });
    await owner.connect();
    await owner.query('alter table app.budgets no force row level security');
    await owner.end();
    const database = createDatabase({ connectionString: broken.connectionString, poolMax: 1 });
    await expect(proveIsolation(database)).rejects.toThrow('app.budgets is not under forced row-level security');
    await database.close();
    await broken.drop();
  });

  it('fails that proof when a policy lets a request without a caller see rows', async () => {
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
});

describe('a member', () => {
  const writeOnly = ['audit_events', 'user_audit_events'];
  it.each(tables.filter((table) => !writeOnly.includes(table)))('reads their own row of app.%s', async (table) => {
    const column = ownerColumns[table];
    const seen = await asApp(ours, () =>
      outcomeOf(`select 1 from app.${table} where ${column} = $1`, [ownerOf(table, ours)]),
    );
    expect(seen).toBe(1);
  });
});

describe.each(tables)('a member of another tracker finds in app.%s', (table) => {
  const column = ownerColumns[table];
  const contexts = () => [
    { title: 'in their own tracker', context: ours },
    { title: 'claiming the foreign tracker', context: { ...ours, trackerId: theirs.trackerId } },
    { title: 'claiming the foreign key owner', context: { ...ours, principalRoot: theirs.principalRoot } },
    { title: 'without a caller', context: { trackerId: theirs.trackerId } },
    { title: 'without anything', context: {} },
  ];

  it('no row to read', async () => {
    for (const { title, context } of contexts()) {
      const seen = await asApp(context, () =>
        outcomeOf(`select 1 from app.${table} where ${column} = $1`, [ownerOf(table, theirs)]),
      );
      expect([0, refused], title).toContain(seen);
    }
  });

  it('no row to change', async () => {
    for (const { title, context } of contexts()) {
      const changed = await asApp(context, async () => {
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

  it('no row to remove', async () => {
    for (const { title, context } of contexts()) {
      const removed = await asApp(context, () =>
        outcomeOf(`delete from app.${table} where ${column} = $1`, [ownerOf(table, theirs)]),
      );
      expect([0, refused], title).toContain(removed);
    }
  });

  it('no way to empty it', async () => {
    expect(await asApp(ours, () => outcomeOf(`truncate app.${table} cascade`))).toBe(refused);
  });
});

describe('a member of another tracker cannot add', () => {
  const foreignRows: readonly [table: string, sql: string, values: () => unknown[]][] = [
    [
      'accounts',
      `insert into app.accounts (tracker_id, id, name, type, currency_code) values ($1, $2, 'x', 'cash', 'EUR')`,
      () => [theirs.trackerId, randomUUID()],
    ],
    [
      'audit_events',
      `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id)
       values ($1, $2, $3, 'x', 'x', 'x', $2)`,
      () => [theirs.trackerId, randomUUID(), ours.userId],
    ],
    [
      'budget_lines',
      `insert into app.budget_lines (tracker_id, id, budget_id, category_id, type, planned) values ($1, $2, $3, $4, 'income', 1)`,
      () => [theirs.trackerId, randomUUID(), theirs.budgetId, theirs.categoryId],
    ],
    [
      'budgets',
      `insert into app.budgets (tracker_id, id, name, mode, currency_code, period_start, period_end)
       values ($1, $2, 'x', 'tracking', 'EUR', '2026-01-01', '2026-01-31')`,
      () => [theirs.trackerId, randomUUID()],
    ],
    [
      'cashboxes',
      `insert into app.cashboxes (tracker_id, id, account_id, name, opening_balance, balance) values ($1, $2, $3, 'x', 0, 0)`,
      () => [theirs.trackerId, randomUUID(), theirs.accountId],
    ],
    [
      'categories',
      `insert into app.categories (id, scope, tracker_id, name, name_folded, kind) values ('cat_x', 'tracker', $1, 'x', 'x', 'any')`,
      () => [theirs.trackerId],
    ],
    [
      'categories_in_use, not even a foreign category into the own tracker',
      'insert into app.categories_in_use (tracker_id, category_id) values ($1, $2)',
      () => [ours.trackerId, theirs.categoryId],
    ],
    [
      'credentials',
      `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, secret_sha256, secret_last4, expires_at)
       values ($1, $2, $1, 'secure', 'x', '{movements:read}', 'all_managed', sha256('x'), 'abcd', now())`,
      () => [randomUUID(), theirs.userId],
    ],
    [
      'idempotency_keys',
      `insert into app.idempotency_keys (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, data, request_id)
       values ($1, $2, 'x', true, sha256('x'), 'x', '{}', $3)`,
      () => [ours.trackerId, theirs.principalRoot, randomUUID()],
    ],
    [
      'members, themselves least of all',
      `insert into app.members (tracker_id, user_id, role) values ($1, $2, 'owner')`,
      () => [theirs.trackerId, ours.userId],
    ],
    [
      'movements',
      `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
         occurred_on, source_type, source_id)
       values ($1, $2, 'expense', 'regular', 1, 'EUR', $3, $4, $5, '2026-01-01', 'user', $6)`,
      () => [theirs.trackerId, randomUUID(), theirs.accountId, theirs.cashboxId, theirs.categoryId, ours.userId],
    ],
    [
      'trackers',
      `insert into app.trackers (id, name, currency_code, time_zone) values ($1, 'x', 'EUR', 'UTC')`,
      () => [randomUUID()],
    ],
    ['transfers', 'insert into app.transfers (tracker_id, id) values ($1, $2)', () => [theirs.trackerId, randomUUID()]],
    [
      'user_audit_events',
      `insert into app.user_audit_events (user_id, id, action, resource_type, resource_id, request_id)
       values ($1, $2, 'x', 'x', 'x', $2)`,
      () => [theirs.userId, randomUUID()],
    ],
    [
      'users',
      `insert into app.users (id, issuer, subject) values ($1::uuid, 'urn:test', $1::text)`,
      () => [randomUUID()],
    ],
  ];

  it('and every table is tried', () => {
    expect(foreignRows.map(([title]) => title.split(',')[0])).toEqual([...tables].sort());
  });

  it.each(foreignRows)('to %s', async (_, sql, values) => {
    expect(await asApp(ours, () => outcomeOf(sql, values()))).toBe(refused);
  });

  it('a movement of their own tracker that names a foreign account, cashbox or category', async () => {
    const insert = `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id,
        category_id, occurred_on, source_type, source_id)
      values ($1, $2, 'expense', 'regular', 1, 'EUR', $3, $4, $5, '2026-01-01', 'user', $6)`;
    const missingParent = '23503';
    const own = [ours.accountId, ours.cashboxId, ours.categoryId];
    const foreign = [theirs.accountId, theirs.cashboxId, theirs.categoryId];
    for (const swapped of [[0, 1], [1], [2]]) {
      const references = own.map((id, index) => (swapped.includes(index) ? foreign[index] : id));
      const outcome = await asApp(ours, () =>
        outcomeOf(insert, [ours.trackerId, randomUUID(), ...references, ours.userId]),
      );
      expect(outcome).toBe(missingParent);
    }
  });
});

describe('the audit', () => {
  it('cannot be read, changed or removed by who serves requests', async () => {
    for (const statement of [
      'select 1 from app.audit_events',
      `update app.audit_events set action = 'x'`,
      'delete from app.audit_events',
      'select 1 from app.user_audit_events',
      `update app.user_audit_events set action = 'x'`,
      'delete from app.user_audit_events',
    ]) {
      expect(await asApp(ours, () => outcomeOf(statement)), statement).toBe(refused);
    }
  });
});

describe('passwords, sessions and one-time codes', () => {
  it.each(['passwords', 'sessions', 'refresh_tokens', 'totp', 'signing_keys'])(
    'identity.%s is closed to requests',
    async (table) => {
      expect(await asApp(ours, () => outcomeOf(`select 1 from identity.${table}`))).toBe(refused);
    },
  );
});

describe('amounts', () => {
  it.each(['NaN', 'Infinity', '0', '-1', '1e15'])('of %s are refused by the table itself', async (amount) => {
    const outcome = await outcomeOf(
      `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
         occurred_on, source_type, source_id)
       values ($1, $2, 'expense', 'regular', $3::numeric, 'EUR', $4, $5, $6, '2026-01-01', 'user', $7)`,
      [ours.trackerId, randomUUID(), amount, ours.accountId, ours.cashboxId, ours.categoryId, ours.userId],
    );
    expect(['23514', '22003']).toContain(outcome);
  });
});
