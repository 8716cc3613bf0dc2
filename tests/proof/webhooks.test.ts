import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { callsTo } from '../acceptance/support/call-api.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { proofDatabases } from './support/proof-databases.js';
import { isLate, isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { seededRandom } from './support/seeded-random.js';
import { succeed } from './support/tenants.js';
import { type OpenEndpoint, WebhookFleet, webhookEnv } from './support/webhook-fleet.js';

const goal = isLong
  ? { requests: 1_000, items: 100, kills: 40, revocations: 1_000, hangsMax: 8 }
  : { requests: 4, items: 50, kills: 2, revocations: 4, hangsMax: 1 };
const endpointCount = 3;
/**
 * The test records no more movements while this many deliveries are waiting, so that the faults of receivers and servers are spread
 * over all deliveries.
 */
const backlogMax = 2_000;
/** The part of the file's load time that a long run leaves for the revocations on each database; see `isLate`. */
const partOfRevocations = 0.06;

const sandbox = openSandbox();

describe.each(proofDatabases)('with $name', ({ name, reasonToSkip, endsAtPart, open }) => {
  const note = reasonToSkip === undefined ? '' : ` (skipped: ${reasonToSkip})`;
  it.skipIf(reasonToSkip !== undefined)(
    `each event is delivered at least once, no event is invented, and deliveries to an endpoint stop after a revocation${note}`,
    async () => {
      const database = await open(sandbox, { env: webhookEnv });
      const fleet = await WebhookFleet.open(sandbox, database);
      try {
        await proveDeliveries({ fleet, owner: database.owner, name, endsAtPart: endsAtPart - partOfRevocations });
        await proveRevocations({ fleet, owner: database.owner, name, endsAtPart });
      } finally {
        await fleet.close();
        await database.close();
      }
    },
    proofMsMax,
  );
});

interface Run {
  readonly fleet: WebhookFleet;
  readonly owner: pg.Client;
  /** The name of the kind of database. */
  readonly name: string;
  readonly endsAtPart: number;
}

async function proveDeliveries({ fleet, owner, name, endsAtPart }: Run): Promise<void> {
  const endpoints: OpenEndpoint[] = [];
  for (let index = 0; index < endpointCount; index += 1) {
    const random = seededRandom(proofSeed, `receiver ${index}`);
    endpoints.push(await fleet.openEndpoint({ random, share: 0.1, hangsMax: goal.hangsMax }));
  }
  const ids = endpoints.map(({ id }) => id);
  let kills = 0;
  // countUndelivered reads all events, so it is too slow to run after each request.
  const countAccepted = () => endpoints.reduce((sum, { receiver }) => sum + receiver.acceptedIds.size, 0);
  for (let request = 0; request < goal.requests && !isLate(endsAtPart); request += 1) {
    await fleet.recordMovements(goal.items);
    const expected = (request + 1) * goal.items * endpointCount;
    await until('the backlog is short', async () => expected - countAccepted() < backlogMax, { attemptsMax: 100_000 });
    if (request % Math.ceil(goal.requests / goal.kills) !== 0) continue;
    await fleet.killAndRestart(kills);
    kills += 1;
  }
  const { trackerId } = fleet.tenant;
  const isComplete = async () => (await countUndelivered(owner, { trackerId, endpointIds: ids })) === 0;
  await until('every event is delivered to each endpoint', isComplete, { attemptsMax: 100_000 });
  const { rows: events } = await owner.query<{ id: string }>(
    `select id from app.events where tracker_id = $1 and action like 'movement.%'`,
    [trackerId],
  );
  const known = new Set(events.map(({ id }) => id));
  const { violations, attempts, repeated, faults } = compareAttempts(endpoints, known);
  // A killed server may lose a batch of at most 100 results for each endpoint, and these attempts are repeated.
  if (repeated > kills * endpointCount * 100) violations.repeatedWithoutFault = repeated;
  await recordProof({
    id: 'T26',
    promise: `Three servers with ${name}: each endpoint gets each event at least once and no invented event; every attempt has a valid signature, and all attempts to deliver an event to an endpoint send the same body`,
    seed: proofSeed,
    injected: { events: events.length, endpoints: endpointCount, attempts, kills, repeated, ...faults },
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
}

/** Compares the attempts that the receivers saw with the ids of all events. */
function compareAttempts(endpoints: readonly OpenEndpoint[], known: ReadonlySet<string>) {
  const violations = { lost: 0, invented: 0, unverified: 0, otherBytes: 0, repeatedWithoutFault: 0 };
  let attempts = 0;
  let repeated = 0;
  const faults: Record<string, number> = {};
  for (const { receiver } of endpoints) {
    const bodies = new Map<string, Set<string>>();
    const accepted = new Map<string, number>();
    for (const { eventId, body, isAccepted, isVerified } of receiver.seen) {
      attempts += 1;
      if (!known.has(eventId)) violations.invented += 1;
      if (!isVerified) violations.unverified += 1;
      bodies.set(eventId, (bodies.get(eventId) ?? new Set()).add(body));
      if (isAccepted) accepted.set(eventId, (accepted.get(eventId) ?? 0) + 1);
    }
    violations.lost += [...known].filter((id) => !accepted.has(id)).length;
    violations.otherBytes += [...bodies.values()].filter(({ size }) => size > 1).length;
    repeated += [...accepted.values()].filter((count) => count > 1).length;
    for (const [fault, count] of Object.entries(receiver.faults)) faults[fault] = (faults[fault] ?? 0) + count;
  }
  return { violations, attempts, repeated, faults };
}

async function proveRevocations({ fleet, owner, name, endsAtPart }: Run): Promise<void> {
  await fleet.logInAgain();
  const asUser = callsTo(fleet.origin, fleet.tenant.asUser);
  let revocations = 0;
  let lateAttempts = 0;
  while (revocations < goal.revocations && !isLate(endsAtPart)) {
    const opened: OpenEndpoint[] = [];
    for (let index = 0; index < 4; index += 1) {
      const random = seededRandom(proofSeed, `revoked ${index}`);
      opened.push(await fleet.openEndpoint({ random, share: 0, hangsMax: goal.hangsMax }));
    }
    await fleet.recordMovements(goal.items);
    const revokedAtMs: number[] = [];
    for (const { clientId } of opened) {
      await succeed(asUser, `DELETE /v1/financial/integration-clients/${clientId}`);
      revokedAtMs.push(Date.now());
      revocations += 1;
    }
    await fleet.recordMovements(goal.items);
    const ids = opened.map(({ id }) => id);
    await until('the endpoints are disabled', async () => {
      const { rows } = await owner.query(
        `select count(*)::int as active from app.webhook_endpoints where id = any ($1) and status = 'active'`,
        [ids],
      );
      return rows[0].active === 0;
    });
    opened.forEach(({ receiver }, index) => {
      lateAttempts += receiver.seen.filter(({ arrivedAtMs }) => arrivedAtMs > (revokedAtMs[index] ?? 0) + 5_000).length;
    });
    await owner.query('update app.webhook_endpoints set deleted_at = now() where id = any ($1)', [ids]);
  }
  await recordProof({
    id: 'T26b',
    promise: `Three servers with ${name}: once a response confirms that the credential of an endpoint's owner is revoked, attempts to this endpoint stop within five seconds`,
    seed: null,
    injected: { revocations },
    violations: { lateAttempts },
  });
  expect(lateAttempts).toBe(0);
}

/**
 * Returns the number of movement events that these endpoints have not accepted yet, counted once for each endpoint. Uses two statements,
 * because Citus cannot join the events with the deliveries.
 */
async function countUndelivered(
  owner: pg.Client,
  { trackerId, endpointIds }: { readonly trackerId: string; readonly endpointIds: readonly string[] },
): Promise<number> {
  const recorded = await owner.query(
    `select count(*)::int as events from app.recorded_events where tracker_id = $1 and action like 'movement.%'`,
    [trackerId],
  );
  const accepted = await owner.query(
    `select count(distinct (endpoint_id, event_id))::int as deliveries from app.webhook_deliveries
     where endpoint_id = any ($1) and status = 'succeeded'`,
    [endpointIds],
  );
  return recorded.rows[0].events * endpointIds.length - accepted.rows[0].deliveries;
}
