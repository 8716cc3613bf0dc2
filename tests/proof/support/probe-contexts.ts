import pg from 'pg';
import type { FurnishedTenant } from './create-full-tenant.js';
import { type ProbedTable, type Row, readFunctions, readRows, readTables } from './probe-catalog.js';
import { functionProbes, type Probe, probesOf } from './sql-probes.js';
import { newTally } from './tally.js';

/** The context of a transaction of the request role: the truth, nothing, garbage, or the result of a request. */
export interface Context {
  readonly title: string;
  /** Null if nothing is set. */
  readonly claims: { readonly userId: string; readonly trackerId: string; readonly principalRoot: string } | null;
  /** Whether a session of the user requests the tracker, so that app.enter_request decides which context is set. */
  readonly isRequest?: boolean;
  /** The tenant whose rows it may see; null for none. */
  readonly caller: FurnishedTenant | null;
  /** The tenant whose rows it tries to reach. */
  readonly foreign: FurnishedTenant;
}

/** No context, an empty one, garbage, two tenants that try to reach each other, and a user who requests another's tracker. */
export function contextsOf([first, second, outsider]: readonly [
  FurnishedTenant,
  FurnishedTenant,
  FurnishedTenant,
]): Context[] {
  const inside = ({ userId, trackerId }: FurnishedTenant) => ({ userId, trackerId, principalRoot: `user:${userId}` });
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
 * References of a user's or credential's own row that need no check of the tracker: each request checks chosen trackers
 * against the memberships, an invited member is a foreign user, the id of a rotated key gives no right, and the worker checks the
 * rights of an endpoint's owner before each delivery.
 */
const weighedLater = new Set([
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

// Functions without a caller: the user of an e-mail address, for adding a member (contract, section 9), and the use of
// a credential, which is recorded after the request.
const reachesBeyond = new Set(['app.find_user_by_email', 'app.note_credential_use']);

interface House {
  readonly tables: readonly (ProbedTable & { readonly rows: readonly Row[] })[];
  readonly functions: readonly string[];
  /** Rows of no tenant, such as the system category. */
  readonly isShared: (table: ProbedTable, row: Row) => boolean;
}

/**
 * Tries all operations on all tables in all contexts as the request role. Each probe runs in a transaction that is
 * rolled back.
 * @param prober may set the request role, and reset it to the owner, who checks the effects of a probe
 */
export async function probeAll(prober: pg.Client, contexts: readonly Context[]): Promise<ProbeFindings> {
  const counts = newTally('tables', 'functions', 'probes', 'refused', 'foundNothing', 'ownRows');
  const violations: string[] = [];
  const tables = [];
  for (const table of await readTables(prober)) tables.push({ ...table, rows: await readRows(prober, table) });
  const isShared: House['isShared'] = (table, row) => table.name === 'app.categories' && row.scope === 'system';
  const house: House = { tables, functions: await readFunctions(prober), isShared };
  counts.tables = tables.length;
  counts.functions = house.functions.length;
  for (const context of contexts) {
    for (const probe of [...tableProbes(house, context), ...callProbes(house, context)]) {
      counts.probes += 1;
      const outcome = await run(prober, context, probe);
      const fault = probe.judge(outcome);
      if (typeof outcome === 'string') counts.refused += 1;
      else if (outcome.count > 0) counts.ownRows += 1;
      else counts.foundNothing += 1;
      if (fault !== undefined) violations.push(`${context.title}: ${probe.operation} ${probe.on}: ${fault}`);
    }
  }
  return { counts, violations };
}

/** The SQLSTATE of an error, or the result. */
type Outcome = string | { readonly rows: readonly Row[]; readonly count: number; readonly hasChangedForeign: boolean };

interface JudgedProbe extends Pick<Probe, 'operation' | 'sql' | 'values'> {
  readonly on: string;
  readonly fingerprint: string;
  /** Returns the violation of an outcome. */
  readonly judge: (outcome: Outcome) => string | undefined;
}

function tableProbes(house: House, context: Context): JudgedProbe[] {
  const { caller, foreign } = context;
  const fingerprint = fingerprintOf(house, context);
  return house.tables.flatMap((table) => {
    const own = table.rows.filter((row) => isOf(caller, table, row));
    const others = table.rows.filter((row) => isOf(foreign, table, row));
    // Rows without an owner count as foreign for all tenants.
    const targets = table.ownerColumn === null ? table.rows.slice(0, 3) : others;
    if (targets.length === 0) throw new Error(`There is no row in ${table.name} to be after.`);
    const foreignParents = new Map(
      house.tables.flatMap((parent) => {
        const row = parent.rows.find((one) => isOf(foreign, parent, one) && one.category_id !== 'cat_unknown');
        return row === undefined ? [] : [[parent.name, row] as const];
      }),
    );
    const stock = { table, own, foreign: targets, foreignParents, ownerOf: (row: Row) => ownerOf(table, row) };
    const shared = table.rows.filter((row) => house.isShared(table, row)).length;
    return probesOf(stock).map((probe) => ({
      ...probe,
      on: table.name,
      fingerprint,
      judge: (outcome: Outcome) => {
        if (probe.may === 'own row' && isInside(context) && table.mayInsert && outcome === refused)
          return 'own row refused';
        if (typeof outcome === 'string') return forgive(probe) ? undefined : weighAttachment(probe, context, outcome);
        if (outcome.hasChangedForeign) return 'foreign rows changed';
        if (probe.may === 'nothing' && outcome.count > 0) return forgive(probe) ? undefined : `${outcome.count} rows`;
        if (probe.may === 'rows') return judgeRows({ house, table, context, outcome, owned: own.length });
        const count = probe.may === 'count' ? Number(outcome.rows[0]?.n) : outcome.count;
        if (probe.may !== 'own row' && count > own.length + shared) return `${count} rows instead of ${own.length}`;
        return undefined;
      },
    }));
  });
}

const refused = '42501';
const missingParent = '23503';

function judgeRows(seen: {
  house: House;
  table: ProbedTable;
  context: Context;
  outcome: Exclude<Outcome, string>;
  owned: number;
}): string | undefined {
  const { house, table, context, outcome, owned } = seen;
  const rows = outcome.rows.map(({ row }) => row as Row);
  const allowed = context.caller === null ? new Set() : ownersOf(context.caller);
  const strange = rows.filter((row) => !allowed.has(ownerOf(table, row)) && !house.isShared(table, row));
  if (strange.length > 0) return `${strange.length} foreign rows`;
  // A probe proves nothing if it cannot see its own rows. A false claim of a tracker has no own rows in it.
  return isInside(context) && owned > 0 && rows.length === 0 ? 'own rows are not seen' : undefined;
}

const forgive = ({ operation }: Probe) => weighedLater.has(operation.replace('attach ', ''));

/** A refusal of a foreign reference must come from the foreign key or the policy; any other proves nothing. */
function weighAttachment({ operation }: Probe, context: Context, state: string): string | undefined {
  if (!operation.startsWith('attach') || context.caller === null) return undefined;
  return [refused, missingParent].includes(state) ? undefined : `proves nothing, it fails with ${state}`;
}

function callProbes(house: House, context: Context): JudgedProbe[] {
  const { foreign } = context;
  const asked = functionProbes(context.caller ?? foreign, foreign);
  const known = Object.keys(asked);
  const { userId, trackerId, email, apiKeyId, accountId, movementId, budgetId } = foreign;
  const canaries = [userId, trackerId, email, apiKeyId, accountId, movementId, budgetId, 'it is seen'];
  const strangers = house.functions.filter((name) => !known.includes(name));
  if (strangers.length > 0) throw new Error(`Nobody probes ${strangers.join(', ')}.`);
  return house.functions.map((name) => ({
    ...(asked[name] as { sql: string; values: unknown[] }),
    operation: 'function',
    on: name,
    fingerprint: fingerprintOf(house, context),
    judge: (outcome: Outcome) => {
      if (typeof outcome === 'string' || reachesBeyond.has(name)) return undefined;
      if (outcome.hasChangedForeign) return 'foreign rows changed';
      const text = JSON.stringify(outcome.rows);
      const isSaid = (canary: string) =>
        text.includes(canary) && !claimsOf(context).some((claim) => claim.includes(canary));
      return canaries.some(isSaid) ? 'it returned data of another tenant' : undefined;
    },
  }));
}

const claimsOf = ({ claims }: Context): string[] => (claims === null ? [] : Object.values(claims));
const ownerOf = ({ ownerColumn }: ProbedTable, row: Row) =>
  ownerColumn === null ? undefined : (row[ownerColumn] ?? row.user_id);
const isInside = ({ caller, claims }: Context) => caller !== null && claims?.trackerId === caller.trackerId;
const isOf = (tenant: FurnishedTenant | null, table: ProbedTable, row: Row) =>
  tenant !== null && ownersOf(tenant).has(ownerOf(table, row));
const ownersOf = ({ userId, trackerId }: FurnishedTenant): Set<unknown> => new Set([userId, trackerId]);

/** Returns a statement for the owner that hashes all rows of other tenants. */
function fingerprintOf({ tables }: House, { caller }: Context): string {
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

const readings = new Set(['select', 'count', 'exists', 'copy', 'lock']);

async function run(client: pg.Client, context: Context, probe: JudgedProbe): Promise<Outcome> {
  await client.query(`begin; set local statement_timeout = '20s'; select ${settingsOf(context)}`);
  try {
    const { rows, rowCount } = await client.query<Row>(probe.sql, [...probe.values]);
    const hasChangedForeign = !readings.has(probe.operation) && (await isChanged(client, probe.fingerprint));
    return { rows, count: rowCount ?? 0, hasChangedForeign };
  } catch (error) {
    return (error as pg.DatabaseError).code ?? 'no SQLSTATE';
  } finally {
    await client.query('rollback');
  }
}

/** Sets the request role and the context until the transaction ends. */
function settingsOf({ claims, isRequest = false }: Context): string {
  if (claims !== null && isRequest) {
    return `(select app.enter_request(null, issuer, subject, null, ${pg.escapeLiteral(claims.trackerId)}, true, null)
       from app.users where id = ${pg.escapeLiteral(claims.userId)}), set_config('role', 'centavo_app', true)`;
  }
  const said = { role: 'centavo_app', ...(claims === null ? {} : toSettings(claims)) };
  return Object.entries(said)
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
