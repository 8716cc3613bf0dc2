import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveriesResults, IdleCost } from '../../../tools/render-deliveries.mjs';
import { asOwner } from '../../acceptance/support/postgres-of.js';
import { openSandbox } from '../../acceptance/support/sandbox.js';
import { until } from '../../acceptance/support/until.js';
import { registerUser } from '../../proof/support/tenants.js';
import { percentile, toHundredths } from '../figures.js';
import { readProcessorMs, spentBetween } from '../load/processor-time.mjs';
import { type BenchServer, startBenchServer } from '../server/start-bench-server.js';
import { deliveriesSettings } from './deliveries-settings.js';
import { addIdleHooks, type HookedTracker, openHooks, pauseHooks, resumeHooks } from './open-hooks.js';
import { type Receivers, startReceivers } from './start-receivers.js';

const { backlog, writes, idle, idleSeconds } = deliveriesSettings;
/** The 100 endpoints need five trackers, because a tracker may have at most 20 endpoints. */
const trackerCount = 5;
const endpointsOfTracker = 20;
const hangingName = 'hangs';
/**
 * Returns the pause after a write, in milliseconds. The pause is longer if a write has 20 deliveries. The pause is not a multiple of
 * the server's polling intervals, so that writes happen at any time between two polls.
 */
const pauseMsOf = ({ names }: HookedTracker) => (names.length === 1 ? 137 : 733);

const sandbox = openSandbox();
const cases: DeliveriesResults['cases'][number][] = [];
const idleCosts: IdleCost[] = [];
let benchServer: BenchServer;
let receivers: Receivers;
let postgres = 'unknown';

beforeAll(async () => {
  receivers = await startReceivers({ hangs: (name) => name === hangingName });
  benchServer = await startBenchServer(sandbox, {
    WEBHOOKS_ALLOW_HTTP: 'true',
    WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  const { rows } = await asDatabaseOwner((owner) => owner.query<{ server_version: string }>('show server_version'));
  postgres = rows[0]?.server_version ?? 'unknown';
});
afterAll(() => receivers?.close());

function asDatabaseOwner<Result>(work: (owner: pg.Client) => Promise<Result>): Promise<Result> {
  return asOwner(benchServer.connectionString, work);
}

/** Returns the names of the receivers that respond, in all these trackers. */
const respondingIn = (trackers: readonly HookedTracker[]) =>
  trackers.flatMap(({ names }) => names.filter((name) => name !== hangingName));

/** Waits until each receiver that responds has received `count` different events. */
async function untilDelivered(trackers: readonly HookedTracker[], count: number): Promise<void> {
  await until(
    'every event is delivered',
    () => respondingIn(trackers).every((name) => countEvents(receivers.arrivalsAt(name)) >= count),
    { attemptsMax: 120_000 },
  );
}

/** Counts the events of these deliveries. An event that was delivered twice counts once. */
function countEvents(arrivals: readonly { readonly resourceId: string }[]): number {
  return new Set(arrivals.map(({ resourceId }) => resourceId)).size;
}

/** Records movements while the endpoints are paused, then activates the endpoints, and returns the deliveries per second. */
async function deliverBacklog(trackers: readonly HookedTracker[], count: number): Promise<number> {
  const trackerIds = trackers.map(({ trackerId }) => trackerId);
  await asDatabaseOwner((owner) => pauseHooks(owner, trackerIds));
  await Promise.all(trackers.map((tracker) => tracker.recordMovements(count)));
  receivers.forget();
  const beganAtMs = performance.now();
  await asDatabaseOwner((owner) => resumeHooks(owner, trackerIds));
  await untilDelivered(trackers, count);
  const names = respondingIn(trackers);
  const endedAtMs = Math.max(...names.map((name) => receivers.arrivalsAt(name).at(-1)?.atMs ?? 0));
  return Math.round((count * names.length * 1_000) / (endedAtMs - beganAtMs));
}

/** Records movements one by one. Returns percentiles of the time from the response to a write until the event of that write arrives. */
async function measureLatency(trackers: readonly HookedTracker[]): Promise<{ p50Ms: number; p99Ms: number }> {
  receivers.forget();
  const answeredAtMs = new Map<string, number>();
  const writesOfTracker = Math.ceil(writes / trackers.length);
  for (let write = 0; write < writesOfTracker; write += 1) {
    for (const tracker of trackers) {
      answeredAtMs.set(await tracker.recordMovement(), performance.now());
      await delay(pauseMsOf(tracker));
    }
  }
  await untilDelivered(trackers, writesOfTracker);
  const latencies = respondingIn(trackers).flatMap((name) =>
    receivers.arrivalsAt(name).map(({ resourceId, atMs }) => atMs - (answeredAtMs.get(resourceId) ?? Number.NaN)),
  );
  expect(latencies.every(Number.isFinite)).toBe(true);
  const sorted = latencies.sort((one, other) => one - other);
  return { p50Ms: toHundredths(percentile(sorted, 0.5)), p99Ms: toHundredths(percentile(sorted, 0.99)) };
}

/** Measures the deliveries of a backlog with `backlogCount` events in each tracker, unless this number is 0, and then the latency. */
async function measureCase(title: string, trackers: readonly HookedTracker[], backlogCount: number): Promise<void> {
  const perSecond = backlogCount === 0 ? null : await deliverBacklog(trackers, backlogCount);
  cases.push({ title, endpoints: respondingIn(trackers).length, perSecond, ...(await measureLatency(trackers)) });
}

/** Measures the CPU time of the server and PostgreSQL while no client sends a request. */
async function measureIdle(endpoints: number): Promise<void> {
  const before = readProcessorMs(benchServer.pids);
  await delay(idleSeconds * 1_000);
  const { server, postgres: database } = spentBetween(before, readProcessorMs(benchServer.pids));
  const inSecond = (spentMs: number | null) => (spentMs === null ? null : Math.round(spentMs / idleSeconds));
  idleCosts.push({ endpoints, msInSecond: { server: inSecond(server), postgres: inSecond(database) } });
}

/** Creates five trackers with 20 endpoints each, one endpoint for each name. */
function openHundred(names: readonly string[]): Promise<HookedTracker[]> {
  return Promise.all(
    Array.from({ length: trackerCount }, (_, index) =>
      openHooks(benchServer.origin, receivers, {
        names: names.slice(index * endpointsOfTracker, (index + 1) * endpointsOfTracker),
        maxInFlight: 4,
      }),
    ),
  );
}

describe('deliveries', () => {
  it('have a baseline: the CPU time of an idle server without endpoints', () => measureIdle(0));

  it.each([4, 16])('reach one endpoint with %i requests in flight', async (maxInFlight) => {
    const one = await openHooks(benchServer.origin, receivers, { names: [`one-${maxInFlight}`], maxInFlight });
    await measureCase(`one endpoint, ${maxInFlight} in flight`, [one], backlog);
  });

  it('reach 100 endpoints, and reach 99 endpoints while another endpoint never responds', async () => {
    const names = Array.from({ length: trackerCount * endpointsOfTracker }, (_, index) => `one-of-${index}`);
    const hundred = await openHundred(names);
    await measureCase('100 endpoints in 5 trackers', hundred, Math.ceil(backlog / 20));
    await asDatabaseOwner((owner) =>
      pauseHooks(
        owner,
        hundred.map(({ trackerId }) => trackerId),
      ),
    );
    const others = await openHundred([hangingName, ...names.slice(1).map((name) => `beside-${name}`)]);
    await measureCase('99 endpoints beside one that never answers', others, Math.ceil(backlog / 20));
    await asDatabaseOwner((owner) =>
      pauseHooks(
        owner,
        others.map(({ trackerId }) => trackerId),
      ),
    );
  });

  it('reach one endpoint among idle endpoints, and the CPU time with the idle endpoints is measured', async () => {
    const { userId } = await registerUser(benchServer.origin);
    await asDatabaseOwner((owner) => addIdleHooks(owner, userId, idle));
    await measureIdle(idle);
    const one = await openHooks(benchServer.origin, receivers, { names: ['beside-idle'], maxInFlight: 4 });
    await measureCase(`one endpoint beside ${idle.toLocaleString('en')} idle ones`, [one], 0);
  });

  it('are measured, and the measurements are written to the results file', async () => {
    const results: DeliveriesResults = { postgres, backlog, writes, idleSeconds, cases, idleCosts };
    const { resultsFile } = deliveriesSettings;
    if (resultsFile !== undefined) await writeFile(resultsFile, JSON.stringify(results));
  });
});
