import { randomBytes, randomUUID } from 'node:crypto';
import type { FullTenant } from './create-full-tenant.js';
import type { ProbedTable, Reference, Row } from './probe-catalog.js';

/** A statement of an attacker who can run any SQL as the request role. */
export interface Probe {
  readonly operation: string;
  readonly sql: string;
  readonly values: readonly unknown[];
  /**
   * The allowed result:
   * - `rows`: rows in JSON, which are checked one by one.
   * - `count`: a number, at most the caller's own rows plus the rows that all tenants share.
   * - `own rows`: the number of affected rows has the same limit as `count`.
   * - `own row`: the statement adds a row of the caller. Row-level security must not refuse it if the role may insert.
   * - `nothing`: no row.
   */
  readonly allowed: 'rows' | 'count' | 'nothing' | 'own row' | 'own rows';
}

/** The input of the probes of one table. */
export interface ProbeInput {
  readonly table: ProbedTable;
  /** Rows of the caller; none without a caller. */
  readonly own: readonly Row[];
  /** Rows of another tenant, or any rows if the rows of the table have no owner. */
  readonly foreign: readonly Row[];
  /** A row of another tenant in each referenced table. */
  readonly foreignParents: ReadonlyMap<string, Row>;
  readonly ownerOf: (row: Row) => unknown;
}

/**
 * Returns the probes of one table, with every operation. `foreign` must not be empty, so that the probes have a target.
 */
export function probesOf(input: ProbeInput): Probe[] {
  const { table, own, foreign } = input;
  const { name } = table;
  const [target] = foreign as readonly [Row];
  const targetCondition = conditionFor(table, target);
  const column = table.updatable[0] ?? table.columns[0];
  const ownCondition = own.length > 0 ? conditionFor(table, own[0] as Row) : undefined;
  return [
    { operation: 'select', sql: `select row_to_json(probed) as row from ${name} probed`, values: [], allowed: 'rows' },
    { operation: 'count', sql: `select count(*)::int as n from ${name}`, values: [], allowed: 'count' },
    ...foreign.map((row): Probe => {
      const { where, values } = conditionFor(table, row);
      return { operation: 'exists', sql: `select 1 from ${name} where ${where}`, values, allowed: 'nothing' };
    }),
    { operation: 'insert', ...inserting(table, withFreshKeys(table, target)), allowed: 'nothing' },
    ...own.slice(0, 1).map((row): Probe => {
      return { operation: 'insert', ...inserting(table, withFreshKeys(table, row)), allowed: 'own row' };
    }),
    {
      operation: 'update',
      sql: `update ${name} set ${column} = ${column} where ${targetCondition.where}`,
      values: targetCondition.values,
      allowed: 'nothing',
    },
    ...(ownCondition === undefined || table.ownerColumn === null
      ? []
      : [updateRow(table, ownCondition, { [table.ownerColumn]: input.ownerOf(target) }, 'update')]),
    // Without a WHERE clause the statement reads no column, so PostgreSQL does not apply the policies for SELECT.
    { operation: 'update', ...overwriting(table, target, column ?? ''), allowed: 'own rows' },
    { operation: 'delete', sql: `delete from ${name}`, values: [], allowed: 'own rows' },
    {
      operation: 'delete',
      sql: `delete from ${name} where ${targetCondition.where}`,
      values: targetCondition.values,
      allowed: 'nothing',
    },
    ...upserts(input, target),
    ...table.references.flatMap((reference) => attachments(input, reference)),
    { operation: 'truncate', sql: `truncate ${name} cascade`, values: [], allowed: 'nothing' },
    { operation: 'copy', sql: `copy ${name} to stdout`, values: [], allowed: 'own rows' },
    { operation: 'copy', sql: `copy (select * from ${name}) to stdout`, values: [], allowed: 'own rows' },
    { operation: 'copy', sql: `copy ${name} from stdin`, values: [], allowed: 'nothing' },
    ...['update', 'share'].map((strength): Probe => {
      const sql = `select 1 from ${name} where ${targetCondition.where} for ${strength} nowait`;
      return { operation: 'lock', sql, values: targetCondition.values, allowed: 'nothing' };
    }),
  ];
}

type Statement = Pick<Probe, 'sql' | 'values'>;

/** Returns a condition that selects a row by its primary key, or by all its columns if the table has no primary key. */
function conditionFor(table: ProbedTable, row: Row): { where: string; values: unknown[] } {
  const columns = table.primaryKey.length > 0 ? table.primaryKey : table.columns;
  // Compares as text, because the JSON form of a bytea differs from the form that the driver sends.
  const where = columns.map((column, index) => `${column}::text is not distinct from $${index + 1}`).join(' and ');
  return { where, values: columns.map((column) => row[column] ?? null) };
}

function inserting(table: ProbedTable, row: Row): Statement {
  const columns = table.columns.join(', ');
  const sql = `insert into ${table.name} (${columns}) select ${columns} from jsonb_populate_record(null::${table.name}, $1)`;
  return { sql, values: [JSON.stringify(row)] };
}

function overwriting({ name }: ProbedTable, row: Row, column: string): Statement {
  const sql = `update ${name} set ${column} = (jsonb_populate_record(null::${name}, $1)).${column}`;
  return { sql, values: [JSON.stringify(row)] };
}

/** Returns a copy of a row with new unique keys, the same tenant and the same references. Keeps nulls, which never conflict. */
function withFreshKeys(table: ProbedTable, row: Row): Row {
  const columns = Object.entries(table.freshColumns).filter(([column]) => row[column] !== null);
  const fresh = columns.map(([column, type]) => [column, freshValue(type)]);
  return { ...row, ...Object.fromEntries(fresh) };
}

function freshValue(type: string): string {
  if (type === 'uuid') return randomUUID();
  return type === 'bytea' ? `\\x${randomBytes(32).toString('hex')}` : `cat_${randomBytes(8).toString('hex')}`;
}

function updateRow(
  table: ProbedTable,
  { where, values }: { where: string; values: unknown[] },
  changes: Row,
  operation: string,
): Probe {
  const columns = Object.keys(changes);
  const sets = columns.map(
    (column) => `${column} = (jsonb_populate_record(null::${table.name}, $${values.length + 1})).${column}`,
  );
  const sql = `update ${table.name} set ${sets.join(', ')} where ${where}`;
  return { operation, sql, values: [...values, JSON.stringify(changes)], allowed: 'nothing' };
}

/**
 * Returns probes with ON CONFLICT that insert the foreign row, or an own row with the key of the foreign row.
 */
function upserts({ table, own }: ProbeInput, target: Row): Probe[] {
  const key = table.primaryKey.join(', ');
  if (key === '') return [];
  const column = table.updatable[0] ?? table.columns[0];
  const keyOfTarget = Object.fromEntries(table.primaryKey.map((name) => [name, target[name]]));
  const rows = [target, ...own.slice(0, 1).map((row) => ({ ...withFreshKeys(table, row), ...keyOfTarget }))];
  return rows.flatMap((row) =>
    [`do update set ${column} = excluded.${column}`, 'do nothing'].map((resolution): Probe => {
      const { sql, values } = inserting(table, row);
      return { operation: 'upsert', sql: `${sql} on conflict (${key}) ${resolution}`, values, allowed: 'nothing' };
    }),
  );
}

/** Returns probes that insert or update an own row with a foreign reference. */
function attachments(input: ProbeInput, reference: Reference): Probe[] {
  const { table, own, foreign, foreignParents } = input;
  const parent = foreignParents.get(reference.parent);
  if (parent === undefined) return [];
  const candidates = own.length > 0 ? own : foreign;
  const row = candidates.find((one) => reference.columns.every((column) => one[column] !== null)) ?? candidates[0];
  if (row === undefined) return [];
  const ownerColumn = table.ownerColumn;
  const links = Object.fromEntries(
    reference.columns.map((column, index) => [column, parent[reference.parentColumns[index] as string]]),
  );
  // If the reference includes the tracker, the row keeps the caller's tracker, so that the foreign key must refuse the reference.
  const kept = ownerColumn !== null && reference.columns.length > 1 ? { [ownerColumn]: row[ownerColumn] } : {};
  const changes: Row = { ...links, ...kept };
  const changed = Object.keys(changes).filter((column) => !(column in kept));
  const isUpdatable = changed.every((column) => table.updatable.includes(column));
  const operation = `attach ${table.name} (${changed.join(', ')})`;
  return [
    { operation, ...inserting(table, { ...withFreshKeys(table, row), ...changes }), allowed: 'nothing' },
    ...(isUpdatable && own.length > 0
      ? [
          updateRow(
            table,
            conditionFor(table, row),
            Object.fromEntries(changed.map((column) => [column, links[column]])),
            operation,
          ),
        ]
      : []),
  ];
}

/**
 * Returns a call of each function that the request role may call, with values that a caller may know about another tenant. A test
 * fails if a function is missing.
 */
export function functionProbes(caller: FullTenant, foreign: FullTenant): Readonly<Record<string, Statement>> {
  const call = (expression: string, ...values: unknown[]) => ({ sql: `select ${expression} as answer`, values });
  return {
    'app.accept_invitation': call('app.accept_invitation($1)', foreign.trackerId),
    'app.carry_context': call('app.carry_context()'),
    'app.count_open_invitations': call('app.count_open_invitations($1)', foreign.userId),
    'app.count_owned_trackers': call('app.count_owned_trackers($1)', foreign.userId),
    'app.create_tracker': call(`app.create_tracker($1, 'x', 'EUR', 'UTC')`, foreign.trackerId),
    'app.current_principal_root': call('app.current_principal_root()'),
    'app.current_tracker': call('app.current_tracker()'),
    'app.current_user_id': call('app.current_user_id()'),
    // `books-budget` is an idempotency key of every tenant; see `prepareAccounts`.
    'app.enter_keys': call(`app.enter_keys('{books-budget}')`),
    'app.enter_request': call(
      `(select app.enter_request(null, u.issuer, u.subject, $2, $3, false, 'books-budget') from app.users u where u.id = $1)`,
      caller.userId,
      randomUUID(),
      foreign.trackerId,
    ),
    'app.enter_replica': call(`app.enter_replica($1, $2, 'user:x', '0/0')`, caller.userId, foreign.trackerId),
    'app.find_user_by_email': call('app.find_user_by_email($1)', foreign.email),
    'app.genesis_hash': call('app.genesis_hash($1)', foreign.trackerId),
    'app.invited_users': call('app.invited_users()'),
    'app.note_credential_use': call('app.note_credential_use($1)', foreign.apiKeyId),
    'app.number_events': call('app.number_events($1)', foreign.trackerId),
    'app.open_invitations': call('app.open_invitations()'),
    'app.sees_category': call('case when app.sees_category($1) then $2 end', foreign.categoryId, 'it is seen'),
    'app.trackers_of_caller': call('app.trackers_of_caller()'),
    'app.uses_category': call('case when app.uses_category($1) then $2 end', foreign.categoryId, 'it is seen'),
    'app.uuid_v7': call('app.uuid_v7()'),
    'app.webhook_owner_access': call('app.webhook_owner_access($1)', foreign.webhookId),
  };
}
