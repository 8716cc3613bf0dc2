import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { quantileOf } from './support/run-concurrently.js';
import { evaluateMemory } from './support/soak/evaluate-memory.js';
import { medianOf, quarterOf } from './support/soak/growth.js';
import { countHandles, measureServer, type ServerMeasurement } from './support/soak/measure-server.js';
import { type MixedClient, openMixedClient } from './support/soak/mixed-requests.js';
import { type SoakResults, sendRound } from './support/soak/send-round.js';
import { newTally } from './support/tally.js';
import { createTenantsWithAccounts } from './support/tenants-with-accounts.js';

const requestsPerRound = isLong ? 1_000 : 150;
const roundsOfWarmUp = isLong ? 10 : 2;
const roundsMax = isLong ? Number.POSITIVE_INFINITY : 10;
// The rest of the time is for the fixtures, the last round and the check of the balances.
const msMax = isLong ? proofMsMax - 60_000 : Number.POSITIVE_INFINITY;
const tenantCount = 4;
const clientsOfEach = 4;
const poolMax = 10;
// The normal variation of the retained memory: long after the warm-up, V8 still compiles code, and caches of limited size still fill up.
const retainedNoiseBytesMax = 2 * 2 ** 20;
// The normal variation of the resident memory. It is larger in a short run, because 1,500 requests are too few for a stable value.
const residentNoiseBytesMax = (isLong ? 16 : 64) * 2 ** 20;
// The normal variation of the number of handles: the request for the metrics may open a connection, and the pool may close one.
const handlesNoiseMax = 3;
/** The number of checks until the server must have closed the connections that its clients have closed. */
const attemptsMax = 500;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let server: Server;
let owner: pg.Client;
let clients: MixedClient[];

beforeAll(async () => {
  const env = {
    DATABASE_POOL_MAX: String(poolMax),
    RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0',
    NODE_OPTIONS: `--import ${new URL('./support/soak/collect-garbage.mjs', import.meta.url).href}`,
  };
  server = await sandbox.startServer({ dataDir, env });
  const { connectionString } = await getPostgresOf(dataDir);
  owner = new pg.Client({ connectionString });
  await owner.connect();
  const tenants = await createTenantsWithAccounts(server.origin, tenantCount);
  clients = tenants.flatMap((tenant) => Array.from({ length: clientsOfEach }, () => openMixedClient(tenant)));
});
afterAll(() => owner.end());

const results: SoakResults = {
  sent: newTally('movements', 'transfers', 'corrections', 'replays', 'lists', 'balances', 'budgets', 'refusals'),
  latenciesMs: [],
  unexpected: [],
};
const violations = newTally(
  'unexpectedAnswers',
  'leakedHandles',
  'leakedClientConnections',
  'connectionsBeyondThePool',
  'retainedMemoryGrown',
  'residentMemoryGrown',
  'inconsistentBalances',
);

const rounded = (value: number) => Number(value.toFixed(1));

type Moment = ServerMeasurement & { readonly atMs: number; readonly requests: number };

/** Sends a round of requests, and measures the server after it has closed the round's connections. */
async function runAndMeasure(round: number): Promise<Moment> {
  const first = round * requestsPerRound;
  const job = { origin: server.origin, clients, seed: proofSeed, first, count: requestsPerRound, results };
  let handlesWhileOpen = 0;
  await sendRound(job, async () => {
    handlesWhileOpen = await countHandles(server.pid);
  });
  const areClosed = async () => (await countHandles(server.pid)) <= handlesWhileOpen - clients.length;
  await until('the server has closed the connections that its clients closed', areClosed, { attemptsMax }).catch(() => {
    violations.leakedClientConnections += 1;
  });
  return { ...(await measureServer(server, owner)), atMs: performance.now(), requests: first + requestsPerRound };
}

/** Returns the median number of handles in a quarter of the measurements. */
function handlesIn(moments: readonly Moment[], quarter: 2 | 4): number {
  const [first, ...others] = quarterOf(moments, quarter);
  return medianOf([first.handles, ...others.map(({ handles }) => handles)]);
}

it(
  `the server leaks no handle, connection or memory while it responds to requests of several kinds (seed ${proofSeed})`,
  async () => {
    const startedAt = performance.now();
    const moments: Moment[] = [];
    while (moments.length < roundsMax && performance.now() - startedAt < msMax) {
      moments.push(await runAndMeasure(moments.length));
    }
    const afterWarmUp = moments.slice(roundsOfWarmUp);
    const evaluate = (name: 'retainedBytes' | 'residentBytes', noiseBytesMax: number) =>
      evaluateMemory(
        afterWarmUp.map((moment) => ({ ...moment, bytes: moment[name] })),
        { noiseBytesMax },
      );
    const retained = evaluate('retainedBytes', retainedNoiseBytesMax);
    const resident = evaluate('residentBytes', residentNoiseBytesMax);
    const { exitCode } = await sandbox.runServer('check', { dataDir });

    const handlesGrown = handlesIn(afterWarmUp, 4) - handlesIn(afterWarmUp, 2);
    const connections = Math.max(...moments.map((moment) => moment.connections));
    violations.unexpectedAnswers = results.unexpected.length;
    violations.leakedHandles = handlesGrown > handlesNoiseMax ? handlesGrown : 0;
    violations.connectionsBeyondThePool = Math.max(0, connections - poolMax);
    violations.retainedMemoryGrown = retained.isGrowing ? 1 : 0;
    violations.residentMemoryGrown = resident.isGrowing ? 1 : 0;
    violations.inconsistentBalances = exitCode === 0 ? 0 : 1;
    await recordProof({
      id: 'T20',
      promise: 'A server leaks no file handle, connection or memory, and the balances add up',
      seed: proofSeed,
      injected: { requests: moments.length * requestsPerRound, ...results.sent },
      measured: {
        minutes: rounded((performance.now() - startedAt) / 60_000),
        'resident MB at the end': rounded((afterWarmUp.at(-1)?.residentBytes ?? 0) / 2 ** 20),
        'resident MB per minute': rounded(resident.mbPerMinute),
        'resident MB from the first quarter to the last': rounded(resident.grownMb),
        'retained MB at the end': rounded((afterWarmUp.at(-1)?.retainedBytes ?? 0) / 2 ** 20),
        'retained MB from the first quarter to the last': rounded(retained.grownMb),
        'retained bytes per request': Math.round(retained.bytesPerRequest),
        'retained bytes per request that would be detected': Math.round(retained.detectableBytesPerRequest),
        'handles from the second quarter to the last': handlesGrown,
        'connections of the pool at most': connections,
        'p50 ms': quantileOf(results.latenciesMs, 0.5),
        'p99 ms': quantileOf(results.latenciesMs, 0.99),
        'p99 ms of event loop delay, median of rounds': quantileOf(
          afterWarmUp.map(({ loopDelayMs }) => loopDelayMs),
          0.5,
        ),
      },
      violations,
    });
    expect(results.unexpected.slice(0, 20)).toEqual([]);
    expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
  },
  proofMsMax,
);
