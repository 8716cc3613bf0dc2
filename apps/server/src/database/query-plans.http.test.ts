import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CapturedPlan,
  capturePlans,
  describePlan,
  lookedUpColumns,
  walkPlan,
} from '../../test-support/capture-plans.js';
import { fillLargeDatabase, type LargeDatabaseIds } from '../../test-support/fill-large-database.js';
import { runEveryOperation } from '../../test-support/run-every-operation.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { composeServer } from '../app.js';
import { readConfig } from '../config/env.js';
import { deliverySweeps } from '../deliveries/index.js';
import { idempotencyKeySweeps } from '../idempotency/idempotency.queries.js';
import { sessionSweeps } from '../identity/sessions/session-retention.queries.js';
import { runSweep } from './hourly-sweeps.js';
import { createDatabase } from './pool.js';
import { tablePlacement } from './sharding/table-placement.js';

const user = { email: 'reader@example.org', password: 'correct horse battery' };
const config = readConfig(
  { PORT: '0', DATABASE_POOL_MAX: '1', RATE_LIMIT_READS_PER_MINUTE: '0', RATE_LIMIT_WRITES_PER_MINUTE: '0' },
  '/nowhere',
);
/** The kinds of plan that PostgreSQL makes for a prepared statement, each with the `plan_cache_mode` that forces it. */
const ways = { 'for its values': 'force_custom_plan', 'for any values': 'force_generic_plan' } as const;

// The statement that records the use of a credential runs some time after the response, so its position varies between runs. Its plan is
// printed last.
const credentialUse = 'note the use of a credential';

interface SeenPlan extends CapturedPlan {
  /** The operation or job that ran the statement, such as `log in`. */
  readonly call: string;
  /** The kind of plan: a key of `ways`. */
  readonly way: string;
}
const seen: SeenPlan[] = [];
let database: TestDatabase;
let ids: LargeDatabaseIds;
let isOfEmbeddedVersion = false;

beforeAll(async () => {
  database = await createTestDatabase();
  const userId = await register();
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  ids = await fillLargeDatabase(client, userId);
  const { rows } = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::int as number`,
  );
  isOfEmbeddedVersion = Math.floor((rows[0]?.number ?? 0) / 10_000) === 18;
  await client.end();
  for (const way of Object.keys(ways) as (keyof typeof ways)[]) await recordPlans(way);
});
afterAll(() => database.drop());

function compose(connectionString: string) {
  return composeServer({
    config,
    connectionString,
    logger: pino({ level: 'silent' }),
    numbersEvents: false,
    deliveryIntervalMs: null,
  });
}

async function register(): Promise<string> {
  const server = await compose(database.connectionString);
  const body = JSON.stringify({ ...user, displayName: 'Reader' });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${server.origin}/v1/identity/users`, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { data: { userId: string } };
  await server.stop();
  return data.userId;
}

/** Records the plans of every operation and of the sweeps of keys, sessions and deliveries. All connections use one kind of plan. */
async function recordPlans(way: keyof typeof ways): Promise<void> {
  let call = 'prove isolation';
  const listener = await capturePlans({
    connectionString: database.connectionString,
    planCacheMode: ways[way],
    onPlan: (executed) => {
      // The server also runs the sweeps at its start, during the first calls. Only the run at the end is recorded.
      if (executed.statement.includes('least(s.expires_at') && call !== 'remove old sessions') return;
      if (/completed_at < now\(\)|remove_old_webhook/.test(executed.statement) && call !== 'remove old deliveries')
        return;
      const isOfCredential = /last_used_at = now\(\)/.test(executed.statement);
      seen.push({ ...executed, way, call: isOfCredential ? credentialUse : call });
    },
  });
  const server = await compose(listener.connectionString);
  call = 'log in';
  const headers = { 'Content-Type': 'application/json' };
  const session = await fetch(`${server.origin}/v1/identity/sessions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(user),
  });
  const { data } = (await session.json()) as { data: { accessToken: string } };
  await runEveryOperation({
    user: { origin: server.origin, token: data.accessToken, ...user },
    ids,
    onOperation: (title) => {
      call = title;
    },
  });
  await server.stop();
  call = 'forget old keys';
  const operator = createDatabase({ connectionString: listener.connectionString, poolMax: 1 });
  for (const sweep of idempotencyKeySweeps(800)) await runSweep({ database: operator, sweep, isStopped: () => false });
  call = 'remove old sessions';
  for (const sweep of sessionSweeps) await runSweep({ database: operator, sweep, isStopped: () => false });
  call = 'remove old deliveries';
  for (const sweep of deliverySweeps) await runSweep({ database: operator, sweep, isStopped: () => false });
  await operator.close();
  await listener.close();
}

/** Tables that stay small: signing keys, and the system catalogs of PostgreSQL. */
const isSmall = (table: string) => table === 'signing_keys' || table.startsWith('pg_');
const nodesOf = (plans: readonly SeenPlan[]) =>
  plans.flatMap((seenPlan) => walkPlan(seenPlan.plan).map(({ node, above }) => ({ ...seenPlan, node, above })));
const describeSeen = ({ call, way, statement }: SeenPlan) => `${call} (${way}): ${statement.replaceAll(/\s+/g, ' ')}`;

describe('the query plans', () => {
  it('use an index for every table that grows, except for two tables in the isolation checks at server start', () => {
    const scans = nodesOf(seen)
      .filter(({ node }) => node['Node Type'] === 'Seq Scan' && !isSmall(node['Relation Name'] ?? ''))
      // These scans run once per start. A category is visible if one of four conditions is true, and no index covers all four. Deliveries
      // have no index by tracker, but each is removed at most 30 days after it is completed.
      .filter(
        ({ call, node }) =>
          call !== 'prove isolation' || !['categories', 'webhook_deliveries'].includes(node['Relation Name'] ?? ''),
      );
    expect(scans.map(describeSeen)).toEqual([]);
  });

  it('read lists of movements in index order, and sort only lists that are filtered by several categories', () => {
    const lists = seen.filter(({ call }) => call.startsWith('movements, ') && !call.includes('several'));
    expect(lists.length).toBeGreaterThan(0);
    expect(
      nodesOf(lists.filter(readsMovements))
        .filter(({ node }) => /Sort/.test(node['Node Type']))
        .map(describeSeen),
    ).toEqual([]);
  });

  it('scan all rows of a tracker only to count them; every other scan has a limit or a narrower index condition', () => {
    const whole = nodesOf(seen)
      // The isolation checks at the start have no caller, so they see no row of a tracker.
      .filter(({ call }) => !call.endsWith('with the total') && call !== 'prove isolation')
      // This statement stops at the first pending event.
      .filter(({ statement }) => !statement.startsWith('not exists (select from app.audit_events'))
      .filter(({ node }) => /^movements_|^idempotency_keys_|^audit_events_|^transfers_/.test(node['Index Name'] ?? ''))
      .filter(({ node }) => lookedUpColumns(node).every((column) => column === 'tracker_id'))
      .filter(({ above }) => !stopsEarly(above.map((node) => node['Node Type'])));
    expect(whole.map(describeSeen)).toEqual([]);
  });

  // Citus sends a statement to the node of its tracker. If a subquery takes the tracker from another row, Citus sends the subquery to
  // every node. Citus refuses such a subquery if it also locks rows.
  it('search the distributed tables of Citus by a constant tracker id, not by the tracker id of another row', () => {
    const distributed: readonly string[] = tablePlacement.distributed;
    const byRows = nodesOf(seen)
      .filter(({ node }) => distributed.includes(node['Relation Name'] ?? ''))
      .filter(({ node, above }) => [node, ...above].some((upper) => upper['Parent Relationship'] === 'SubPlan'))
      .filter(({ node }) => /\btracker_id = \w+\.tracker_id/.test(node['Index Cond'] ?? ''));
    expect(byRows.map(describeSeen)).toEqual([]);
  });

  it('count the movements of an account or a month by an index search on more columns than the tracker id', () => {
    const counts = nodesOf(seen).filter(
      ({ call, node, above }) =>
        /^movements, of (an account|a month) with the total$/.test(call) &&
        above.some((upper) => upper['Node Type'] === 'Aggregate') &&
        node['Index Name']?.startsWith('movements_'),
    );
    expect(counts.length).toBeGreaterThan(0);
    for (const { node } of counts) expect(lookedUpColumns(node).length).toBeGreaterThan(1);
  });

  it('are equal to the plans stored in query-plans.txt', async ({ skip }) => {
    if (!isOfEmbeddedVersion) skip('query-plans.txt contains the plans of PostgreSQL 18 only');
    await expect(`${describeAll()}\n`).toMatchFileSnapshot('./query-plans.txt');
  });
});

function readsMovements({ plan }: SeenPlan): boolean {
  return walkPlan(plan).some(({ node }) => node['Index Name']?.startsWith('movements_'));
}

/** Returns true if there is a limit above the node, and no node in between needs all rows. The limit then stops the node early. */
function stopsEarly(above: readonly string[]): boolean {
  return above.slice(above.lastIndexOf('Limit') + 1).every((type) => !/Sort|Aggregate|Hash|Materialize/.test(type))
    ? above.includes('Limit')
    : false;
}

/** Describes each plan once, under the first call that used it. Also describes the generic plan of a statement if that plan differs. */
function describeAll(): string {
  const described = new Set<string>();
  const calls = new Set(seen.map(({ call }) => call));
  calls.delete(credentialUse);
  calls.add(credentialUse);
  const sections = [...calls].map((call) => {
    const plans = seen.filter((plan) => plan.call === call && readsATable(plan)).map((plan) => describeSeenPlan(plan));
    const fresh = plans.filter((text) => !described.has(text) && described.add(text));
    return fresh.length === 0 ? '' : `## ${call}\n\n${fresh.join('\n\n')}`;
  });
  return sections.filter((section) => section !== '').join('\n\n');
}

function readsATable({ plan }: SeenPlan): boolean {
  return walkPlan(plan).some(({ node }) => node['Relation Name'] !== undefined);
}

function describeSeenPlan({ statement, plan, way }: SeenPlan): string {
  // PostgreSQL returns no text for a function body that was parsed when the function was created.
  const text = statement.replaceAll(/\s+/g, ' ').trim() || 'the body of a function';
  const described = describePlan(plan);
  const hasOnePlan = seen.every((other) => other.statement !== statement || describePlan(other.plan) === described);
  return `${text.length > 100 ? `${text.slice(0, 100)} …` : text}${hasOnePlan ? '' : ` -- ${way}`}\n${described}`;
}
