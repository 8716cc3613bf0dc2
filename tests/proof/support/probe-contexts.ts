import pg from 'pg';
import type { FurnishedTenant } from './furnish-tenant.js';
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
  /** Whose rows it may see; null: nobody's. */
  readonly caller: FurnishedTenant | null;
  /** Whose rows it is after. */
  readonly foreign: FurnishedTenant;
}

/** Nothing, empty, garbage, two tenants that are after each other, and a user who requests the tracker of another. */
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

/** How many probes there were, how they ended, and each that brought about what it must not. */
export interface ProbeFindings {
  readonly counts: Record<'tables' | 'functions' | 'probes' | 'refused' | 'foundNothing' | 'ownRows', number>;
  readonly violations: readonly string[];
}

/**
 * References of a user's or a credential's own row that PostgreSQL does not hold to be inside a tracker, and need not be:
 * chosen trackers are wishes that each request weighs against the memberships, a member is somebody from outside before it
 * is one, and a predecessor's id gives no right.
 */
const weighedLater = new Set([
  'app.users (active_tracker_id)',
  'app.users (default_tracker_id)',
  'app.credentials (active_tracker_id)',
  'app.credentials (default_tracker_id)',
  'app.credentials (rotated_from)',
  'app.members (user_id)',
]);

// The user of an address, for adding a member (contract, section 9); and that a credential was used, which is noted after
// the request, by whom nobody knows any more.
const reachesBeyond = new Set(['app.find_user_by_email', 'app.note_credential_use']);

interface House {
  readonly tables: readonly (ProbedTable & { readonly rows: readonly Row[] })[];
  readonly functions: readonly string[];
  /** Anybody's, such as the system category. */
  readonly isShared: (table: ProbedTable, row: Row) => boolean;
}

/**
 * Lets the request role try every operation on every table in every context, over one connection after the other, each
 * probe in a transaction that is rolled back.
 * @param prober may become the request role, and the owner again, who looks at what a probe left behind
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

/** The SQLSTATE of a refusal, or what came of it. */
type Outcome = string | { readonly rows: readonly Row[]; readonly count: number; readonly hasChangedForeign: boolean };

interface JudgedProbe extends Pick<Probe, 'operation' | 'sql' | 'values'> {
  readonly on: string;
  readonly fingerprint: string;
  /** What is wrong with the outcome. */
  readonly judge: (outcome: Outcome) => string | undefined;
}

function tableProbes(house: House, context: Context): JudgedProbe[] {
  const { caller, foreign } = context;
  const fingerprint = fingerprintOf(house, context);
  return house.tables.flatMap((table) => {
    const own = table.rows.filter((row) => isOf(caller, table, row));
    const others = table.rows.filter((row) => isOf(foreign, table, row));
    // Rows that name nobody are everybody's foreign rows.
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
        if (typeof outcome === 'string') return weighAttachment(probe, context, outcome);
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
  // Who sees nothing of their own proves nothing; a stranger in another's tracker has no rows of a tracker to see.
  return isInside(context) && owned > 0 && rows.length === 0 ? 'own rows are not seen' : undefined;
}

const forgive = ({ operation }: Probe) => weighedLater.has(operation.replace('attach ', ''));

/** A refusal of a foreign reference must be one of the key or of the policy: of anything else nothing would follow. */
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
      return canaries.some(isSaid) ? 'it tells of somebody else' : undefined;
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

/** A statement for the owner: one hash of all rows that are not the caller's. */
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

/** Becomes the request role of this caller until the transaction ends. */
function settingsOf({ claims, isRequest = false }: Context): string {
  if (claims !== null && isRequest) {
    return `(select app.enter_request(null, issuer, subject, null, ${pg.escapeLiteral(claims.trackerId)}, false, null)
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

/** Whether the transaction, which this ends, holds other foreign rows than the database. */
async function isChanged(client: pg.Client, fingerprint: string): Promise<boolean> {
  const read = async () => (await client.query<{ hash: string }>(fingerprint)).rows[0]?.hash;
  await client.query('set local role none');
  const inside = await read();
  await client.query('rollback');
  return (await read()) !== inside;
}
