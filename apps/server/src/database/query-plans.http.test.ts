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
/** What PostgreSQL may choose between: a plan for the values of the moment, and one for all. */
const ways = { 'for its values': 'force_custom_plan', 'for any values': 'force_generic_plan' } as const;

interface SeenPlan extends CapturedPlan {
  readonly call: string;
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
  for (const way of Object.keys(ways) as (keyof typeof ways)[]) await watch(way);
});
afterAll(() => database.drop());

function compose(connectionString: string) {
  return composeServer({ config, connectionString, logger: pino({ level: 'silent' }) });
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

/** Makes every call, and an hour's work of the server, on connections that plan in one way. */
async function watch(way: keyof typeof ways): Promise<void> {
  let call = 'prove isolation';
  const listener = await capturePlans({
    connectionString: database.connectionString,
    planCacheMode: ways[way],
    onPlan: (told) => {
      // The server sweeps when it starts, beside the first calls; below it is done once more, after them.
      if (told.statement.includes('least(s.expires_at') && call !== 'remove old sessions') return;
      // Noted some time after the answer; which call it follows says nothing.
      const isOfCredential = /last_used_at = now\(\)/.test(told.statement);
      seen.push({ ...told, way, call: isOfCredential ? 'note the use of a credential' : call });
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
  await operator.close();
  await listener.close();
}

/** Tables that stay small: keys that sign, and the catalogue of PostgreSQL. */
const isSmall = (table: string) => table === 'signing_keys' || table.startsWith('pg_');
const nodesOf = (plans: readonly SeenPlan[]) =>
  plans.flatMap((seenPlan) => walkPlan(seenPlan.plan).map(({ node, above }) => ({ ...seenPlan, node, above })));
const tell = ({ call, way, statement }: SeenPlan) => `${call} (${way}): ${statement.replaceAll(/\s+/g, ' ')}`;

describe('the plans of statements, with row-level security and those inside functions', () => {
  it('use an index of every table that grows', () => {
    const scans = nodesOf(seen)
      .filter(({ node }) => node['Node Type'] === 'Seq Scan' && !isSmall(node['Relation Name'] ?? ''))
      // Once a start, and of categories only: there are four ways to see one, which no index has together.
      .filter(({ call, node }) => call !== 'prove isolation' || node['Relation Name'] !== 'categories');
    expect(scans.map(tell)).toEqual([]);
  });

  it('read movements in the order of their list, and sort only what came of several categories', () => {
    const lists = seen.filter(({ call }) => call.startsWith('movements, ') && !call.includes('several'));
    expect(lists.length).toBeGreaterThan(0);
    expect(
      nodesOf(lists.filter(readsMovements))
        .filter(({ node }) => /Sort/.test(node['Node Type']))
        .map(tell),
    ).toEqual([]);
  });

  it('read no history as a whole but to count it: they stop after a page, or look up more than the tracker', () => {
    const whole = nodesOf(seen)
      // Of nobody there are no rows to read.
      .filter(({ call }) => !call.endsWith('with the total') && call !== 'prove isolation')
      .filter(({ node }) => /^movements_|^idempotency_keys_|^audit_events_|^transfers_/.test(node['Index Name'] ?? ''))
      .filter(({ node }) => lookedUpColumns(node).every((column) => column === 'tracker_id'))
      .filter(({ above }) => !stopsEarly(above.map((node) => node['Node Type'])));
    expect(whole.map(tell)).toEqual([]);
  });

  // Citus sends a statement to the machine of its tracker. Where a subquery names the tracker by another row's, it asks every
  // machine instead, and one that also locks rows it refuses.
  it('look into a table that may be spread over machines by the tracker of the statement, not by that of another row', () => {
    const spread: readonly string[] = tablePlacement.distributed;
    const byRows = nodesOf(seen)
      .filter(({ node }) => spread.includes(node['Relation Name'] ?? ''))
      .filter(({ node, above }) => [node, ...above].some((upper) => upper['Parent Relationship'] === 'SubPlan'))
      .filter(({ node }) => /\btracker_id = \w+\.tracker_id/.test(node['Index Cond'] ?? ''));
    expect(byRows.map(tell)).toEqual([]);
  });

  it('count the movements of an account or a month by their index alone', () => {
    const counts = nodesOf(seen).filter(
      ({ call, node, above }) =>
        /^movements, of (an account|a month) with the total$/.test(call) &&
        above.some((upper) => upper['Node Type'] === 'Aggregate') &&
        node['Index Name']?.startsWith('movements_'),
    );
    expect(counts.length).toBeGreaterThan(0);
    for (const { node } of counts) expect(lookedUpColumns(node).length).toBeGreaterThan(1);
  });

  it('are those that are stored', async ({ skip }) => {
    if (!isOfEmbeddedVersion) skip('another PostgreSQL prints its plans in other words');
    await expect(`${tellAll()}\n`).toMatchFileSnapshot('./query-plans.txt');
  });
});

function readsMovements({ plan }: SeenPlan): boolean {
  return walkPlan(plan).some(({ node }) => node['Index Name']?.startsWith('movements_'));
}

/** Whether a node is asked for a few rows only: a limit stands above it, and nothing between them that wants all. */
function stopsEarly(above: readonly string[]): boolean {
  return above.slice(above.lastIndexOf('Limit') + 1).every((type) => !/Sort|Aggregate|Hash|Materialize/.test(type))
    ? above.includes('Limit')
    : false;
}

/** Each plan once, under the call that was first to use it; in both ways where they differ. */
function tellAll(): string {
  const told = new Set<string>();
  const calls = [...new Set(seen.map(({ call }) => call))];
  const sections = calls.map((call) => {
    const plans = seen.filter((plan) => plan.call === call && readsATable(plan)).map((plan) => tellPlan(plan));
    const fresh = plans.filter((text) => !told.has(text) && told.add(text));
    return fresh.length === 0 ? '' : `## ${call}\n\n${fresh.join('\n\n')}`;
  });
  return sections.filter((section) => section !== '').join('\n\n');
}

function readsATable({ plan }: SeenPlan): boolean {
  return walkPlan(plan).some(({ node }) => node['Relation Name'] !== undefined);
}

function tellPlan({ statement, plan, way }: SeenPlan): string {
  // PostgreSQL gives no text for a body that was parsed when its function was made.
  const text = statement.replaceAll(/\s+/g, ' ').trim() || 'the body of a function';
  const described = describePlan(plan);
  const isOne = seen.every((other) => other.statement !== statement || describePlan(other.plan) === described);
  return `${text.length > 100 ? `${text.slice(0, 100)} …` : text}${isOne ? '' : ` -- ${way}`}\n${described}`;
}
