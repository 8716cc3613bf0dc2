import pg from 'pg';
import type { FullTenant } from './create-full-tenant.js';
import { type ProbedTable, type Row, readFunctions, readRows, readTables } from './probe-catalog.js';
import { functionProbes, type Probe, probesOf } from './sql-probes.js';
import { newTally } from './tally.js';

/** The claims with which the request role runs a transaction, and the tenants whose rows it may and may not see. */
export interface Context {
  readonly title: string;
  /** Null if the transaction sets no claims. */
  readonly claims: { readonly userId: string; readonly trackerId: string; readonly principalRoot: string } | null;
  /** If true, app.enter_request sets the context, as in a request of this user for the tracker. Otherwise the claims are set directly. */
  readonly isRequest?: boolean;
  /** The tenant whose rows the transaction may see; null if it may not see the rows of any tenant. */
  readonly caller: FullTenant | null;
  /** The tenant whose rows the transaction tries to reach. */
  readonly foreign: FullTenant;
}

/** Returns contexts with no claims, empty claims, garbage, the claims of two tenants, and a user who requests a foreign tracker. */
export function contextsOf([first, second, outsider]: readonly [FullTenant, FullTenant, FullTenant]): Context[] {
  const inside = ({ userId, trackerId }: FullTenant) => ({ userId, trackerId, principalRoot: `user:${userId}` });
  const blank = { userId: '', trackerId: '', principalRoot: '' };
  const garbage = { userId: `' or true --`, trackerId: '*', principalRoot: '%' };
  const claim = { ...inside(first), userId: outsider.userId };
  return [
    { title: 'nothing', claims: null, caller: null, foreign: first },
    { title: 'empty', claims: blank, caller: null, foreign: first },
    { title: 'garbage', claims: garbage, caller: null, foreign: second },
    { title: 'first', claims: inside(first), caller: first, foreign: second },
    { title: 'second', claims: inside(second), caller: second, foreign: first },
    { title: 'no member', claims: claim, isRequest: true, caller: outsider, foreign: first },
  ];
}

/** The number of probes, their outcomes, and the violations. */
export interface ProbeFindings {
  readonly counts: Record<'tables' | 'functions' | 'probes' | 'refused' | 'foundNothing' | 'ownRows', number>;
  readonly violations: readonly string[];
}

/**
 * References that the row-level security policies need not check. Each request checks the active and default trackers against the
 * memberships. An invited member is a foreign user by design. The id of a rotated key grants no right. The worker checks the rights
 * of an endpoint's owner before each delivery.
 */
const checkedElsewhere = new Set([
  'app.users (active_tracker_id)',
  'app.users (default_tracker_id)',
  'app.credentials (active_tracker_id)',
  'app.credentials (default_tracker_id)',
  'app.credentials (rotated_from)',
  'app.members (user_id)',
  'app.webhook_endpoints (owner_user_id)',
  'app.webhook_endpoints (owner_credential_id)',
  'app.webhook_endpoints (owner_lineage_id)',
]);

// These functions may reach rows of other tenants. `find_user_by_email` finds the user to invite (docs/contract.md, section 9).
// `note_credential_use` records the use of a credential after the request, when no caller is set.
const functionsBeyondTheCaller = new Set(['app.find_user_by_email', 'app.note_credential_use']);

interface ProbedDatabase {
  readonly tables: readonly (ProbedTable & { readonly rows: readonly Row[] })[];
  readonly functions: readonly string[];
  /** Returns true for a row of no tenant, such as a system category. */
  readonly isShared: (table: ProbedTable, row: Row) => boolean;
}

/**
 * Tries all operations on all tables, and calls all functions, in all contexts as the request role. Each probe runs in a transaction
 * that is rolled back.
 * @param prober a connection of the owner of the database, which can switch to the request role. The owner checks the effects of a probe.
 */
export async function probeAll(prober: pg.Client, contexts: readonly Context[]): Promise<ProbeFindings> {
  const counts = newTally('tables', 'functions', 'probes', 'refused', 'foundNothing', 'ownRows');
  const violations: string[] = [];
  const tables = [];
  for (const table of await readTables(prober)) tables.push({ ...table, rows: await readRows(prober, table) });
  const isShared: ProbedDatabase['isShared'] = (table, row) =>
    table.name === 'app.categories' && row.scope === 'system';
  const database: ProbedDatabase = { tables, functions: await readFunctions(prober), isShared };
  counts.tables = tables.length;
  counts.functions = database.functions.length;
  for (const context of contexts) {
    for (const probe of [...tableProbes(database, context), ...callProbes(database, context)]) {
      counts.probes += 1;
      const outcome = await run(prober, context, probe);
      const violation = probe.findViolation(outcome);
      if (typeof outcome === 'string') counts.refused += 1;
      else if (outcome.count > 0) counts.ownRows += 1;
      else counts.foundNothing += 1;
      if (violation !== undefined) violations.push(`${context.title}: ${probe.operation} ${probe.on}: ${violation}`);
    }
  }
  return { counts, violations };
}

/** The SQLSTATE of an error, or the result. */
type Outcome = string | { readonly rows: readonly Row[]; readonly count: number; readonly hasChangedForeign: boolean };

interface CheckedProbe extends Pick<Probe, 'operation' | 'sql' | 'values'> {
  readonly on: string;
  readonly fingerprint: string;
  /** Returns the violation that the outcome shows, if any. */
  readonly findViolation: (outcome: Outcome) => string | undefined;
}

function tableProbes(database: ProbedDatabase, context: Context): CheckedProbe[] {
  const { caller, foreign } = context;
  const fingerprint = fingerprintOf(database, context);
  return database.tables.flatMap((table) => {
    const own = table.rows.filter((row) => isOf(caller, table, row));
    const others = table.rows.filter((row) => isOf(foreign, table, row));
    // Rows without an owner count as foreign for all tenants.
    const targets = table.ownerColumn === null ? table.rows.slice(0, 3) : others;
    if (targets.length === 0) throw new Error(`There is no row in ${table.name} to attack.`);
    const foreignParents = new Map(
      database.tables.flatMap((parent) => {
        const row = parent.rows.find((one) => isOf(foreign, parent, one) && one.category_id !== 'cat_unknown');
        return row === undefined ? [] : [[parent.name, row] as const];
      }),
    );
    const input = { table, own, foreign: targets, foreignParents, ownerOf: (row: Row) => ownerOf(table, row) };
    const shared = table.rows.filter((row) => database.isShared(table, row)).length;
    return probesOf(input).map((probe) => ({
      ...probe,
      on: table.name,
      fingerprint,
      findViolation: (outcome: Outcome) => {
        if (probe.allowed === 'own row' && isInside(context) && table.mayInsert && outcome === refused)
          return 'own row refused';
        if (typeof outcome === 'string')
          return isCheckedElsewhere(probe) ? undefined : findAttachmentViolation(probe, context, outcome);
        if (outcome.hasChangedForeign) return 'foreign rows changed';
        if (probe.allowed === 'nothing' && outcome.count > 0)
          return isCheckedElsewhere(probe) ? undefined : `${outcome.count} rows`;
        if (probe.allowed === 'rows') return findRowViolation({ database, table, context, outcome, owned: own.length });
        const count = probe.allowed === 'count' ? Number(outcome.rows[0]?.n) : outcome.count;
        if (probe.allowed !== 'own row' && count > own.length + shared) return `${count} rows instead of ${own.length}`;
        return undefined;
      },
    }));
  });
}

const refused = '42501';
const missingParent = '23503';

function findRowViolation(input: {
  database: ProbedDatabase;
  table: ProbedTable;
  context: Context;
  outcome: Exclude<Outcome, string>;
  owned: number;
}): string | undefined {
  const { database, table, context, outcome, owned } = input;
  const rows = outcome.rows.map(({ row }) => row as Row);
  const allowed = context.caller === null ? new Set() : ownersOf(context.caller);
  const foreignRows = rows.filter((row) => !allowed.has(ownerOf(table, row)) && !database.isShared(table, row));
  if (foreignRows.length > 0) return `${foreignRows.length} foreign rows`;
  // If a probe in the caller's own tracker does not even return the caller's rows, the absence of foreign rows proves nothing.
  return isInside(context) && owned > 0 && rows.length === 0 ? 'own rows are not seen' : undefined;
}

const isCheckedElsewhere = ({ operation }: Probe) => checkedElsewhere.has(operation.replace('attach ', ''));

/**
 * Returns the violation of a probe with a foreign reference. The foreign key or the policy must refuse the probe. Any
 * other error proves nothing.
 */
function findAttachmentViolation({ operation }: Probe, context: Context, state: string): string | undefined {
  if (!operation.startsWith('attach') || context.caller === null) return undefined;
  return [refused, missingParent].includes(state) ? undefined : `proves nothing, it fails with ${state}`;
}

function callProbes(database: ProbedDatabase, context: Context): CheckedProbe[] {
  const { foreign } = context;
  const probes = functionProbes(context.caller ?? foreign, foreign);
  const known = Object.keys(probes);
  const { userId, trackerId, email, apiKeyId, accountId, movementId, budgetId } = foreign;
  const canaries = [userId, trackerId, email, apiKeyId, accountId, movementId, budgetId, 'it is seen'];
  const unprobed = database.functions.filter((name) => !known.includes(name));
  if (unprobed.length > 0) throw new Error(`No probe calls ${unprobed.join(', ')}.`);
  return database.functions.map((name) => ({
    ...(probes[name] as { sql: string; values: unknown[] }),
    operation: 'function',
    on: name,
    fingerprint: fingerprintOf(database, context),
    findViolation: (outcome: Outcome) => {
      if (typeof outcome === 'string' || functionsBeyondTheCaller.has(name)) return undefined;
      if (outcome.hasChangedForeign) return 'foreign rows changed';
      const text = JSON.stringify(outcome.rows);
      const isReturned = (canary: string) =>
        text.includes(canary) && !claimsOf(context).some((claim) => claim.includes(canary));
      return canaries.some(isReturned) ? 'it returned data of another tenant' : undefined;
    },
  }));
}

const claimsOf = ({ claims }: Context): string[] => (claims === null ? [] : Object.values(claims));
const ownerOf = ({ ownerColumn }: ProbedTable, row: Row) =>
  ownerColumn === null ? undefined : (row[ownerColumn] ?? row.user_id);
const isInside = ({ caller, claims }: Context) => caller !== null && claims?.trackerId === caller.trackerId;
const isOf = (tenant: FullTenant | null, table: ProbedTable, row: Row) =>
  tenant !== null && ownersOf(tenant).has(ownerOf(table, row));
const ownersOf = ({ userId, trackerId }: FullTenant): Set<unknown> => new Set([userId, trackerId]);

/** Returns an SQL statement that hashes all rows that do not belong to the caller. The owner of the database runs it. */
function fingerprintOf({ tables }: ProbedDatabase, { caller }: Context): string {
  const parts = tables.map(({ name, ownerColumn, columns }) => {
    const owners = [ownerColumn, ...(columns.includes('user_id') ? ['user_id'] : [])].filter(
      (column) => column !== null,
    );
    const mine = caller === null ? [] : [...ownersOf(caller)].map((id) => pg.escapeLiteral(String(id)));
    const isMine = owners.map((column) => `probed.${column}::text in (${mine.join(', ')})`).join(' or ');
    const where = mine.length === 0 || isMine === '' ? '' : `where (${isMine}) is not true`;
    return `(select coalesce(md5(string_agg(probed::text, '|' order by probed::text)), '') from ${name} probed ${where})`;
  });
  return `select ${parts.join(' || ')} as hash`;
}

const readOperations = new Set(['select', 'count', 'exists', 'copy', 'lock']);

async function run(client: pg.Client, context: Context, probe: CheckedProbe): Promise<Outcome> {
  await client.query(`begin; set local statement_timeout = '20s'; select ${settingsOf(context)}`);
  try {
    const { rows, rowCount } = await client.query<Row>(probe.sql, [...probe.values]);
    const hasChangedForeign = !readOperations.has(probe.operation) && (await isChanged(client, probe.fingerprint));
    return { rows, count: rowCount ?? 0, hasChangedForeign };
  } catch (error) {
    return (error as pg.DatabaseError).code ?? 'no SQLSTATE';
  } finally {
    await client.query('rollback');
  }
}

/** Returns the SQL that sets the request role and the context until the transaction ends. */
function settingsOf({ claims, isRequest = false }: Context): string {
  if (claims !== null && isRequest) {
    return `(select app.enter_request(null, issuer, subject, null, ${pg.escapeLiteral(claims.trackerId)}, true, null)
       from app.users where id = ${pg.escapeLiteral(claims.userId)}), set_config('role', 'centavo_app', true)`;
  }
  const settings = { role: 'centavo_app', ...(claims === null ? {} : toSettings(claims)) };
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`)
    .join(', ');
}

function toSettings({ userId, trackerId, principalRoot }: NonNullable<Context['claims']>): Record<string, string> {
  return { 'app.user_id': userId, 'app.tracker_id': trackerId, 'app.principal_root': principalRoot };
}

/** Returns whether the transaction has changed foreign rows, and rolls it back. */
async function isChanged(client: pg.Client, fingerprint: string): Promise<boolean> {
  const read = async () => (await client.query<{ hash: string }>(fingerprint)).rows[0]?.hash;
  await client.query('set local role none');
  const inside = await read();
  await client.query('rollback');
  return (await read()) !== inside;
}
