import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseFreePort } from '../acceptance/support/choose-free-port.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { connectAsOwner } from './support/crash-postgres.js';
import { findViolations } from './support/effects.js';
import { isLong, proofMsMax, recordProof } from './support/proof-record.js';
import { type Balancer, startBalancer } from './support/start-balancer.js';
import { beginSteadyLoad } from './support/steady-load.js';
import { createTenantsWithAccounts, type TenantWithAccounts } from './support/tenants-with-accounts.js';

const goal = isLong ? { restarts: 100, msMax: 0.85 * proofMsMax } : { restarts: 10, msMax: Number.POSITIVE_INFINITY };
/** The minimum number of requests between two restarts. Without this pause, the restarts would take the CPU time from the clients. */
const callsBetween = isLong ? 400 : 100;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let connectionString: string;
let starts: (() => Promise<Server>)[];
let servers: Server[];
let balancer: Balancer;
let tenants: readonly TenantWithAccounts[];

beforeAll(async () => {
  const first = await sandbox.startServer({ dataDir });
  ({ connectionString } = await getPostgresOf(dataDir));
  tenants = await createTenantsWithAccounts(first.origin, 4);
  const ports = [await chooseFreePort(), await chooseFreePort()];
  // DRAIN_DELAY_MS is ten times the interval of the balancer's health checks, so that the balancer notices each shutdown.
  const env = { DATABASE_URL: connectionString, DRAIN_DELAY_MS: '500', LOG_LEVEL: 'error' };
  starts = ports.map((PORT) => () => sandbox.startServer({ env: { ...env, PORT } }));
  servers = await Promise.all(starts.map((start) => start()));
  balancer = await startBalancer(servers.map(({ origin }) => origin));
  await until('both servers get requests', () => servers.every(({ origin }) => balancer.isInRotation(origin)));
});
afterAll(() => balancer?.close());

it(
  'clients of a load balancer get no error response while one server after the other restarts',
  async () => {
    const load = beginSteadyLoad(balancer.origin, tenants);
    const { done, acknowledged } = load.results;
    const calls = () => done.sdkCalls + done.rawCalls;
    const startedAtMs = performance.now();
    let restarts = 0;
    let failedShutdowns = 0;
    while (restarts < goal.restarts && performance.now() - startedAtMs < goal.msMax) {
      const before = calls();
      await until('many requests were sent since the last restart', () => calls() >= before + callsBetween);
      const which = restarts % servers.length;
      const ended = await servers[which]?.kill('SIGTERM');
      if (ended?.exitCode !== 0) failedShutdowns += 1;
      const restarted = await starts[which]?.();
      if (restarted === undefined) throw new Error('The fleet has no such server.');
      servers[which] = restarted;
      await until('the restarted server gets requests', () => balancer.isInRotation(restarted.origin));
      restarts += 1;
    }
    const callsPerSecond = Math.round((1_000 * calls()) / (performance.now() - startedAtMs));
    await load.stop();

    const owner = await connectAsOwner(connectionString);
    const found = await findViolations(owner, acknowledged);
    await owner.end();
    const { rawResets, ...errors } = load.results.errors;
    const violations = {
      ...errors,
      // A raw request is sent without the SDK. Up to one in a thousand may use a connection that is just being closed, as with any server.
      tooManyRawResets: rawResets * 1_000 > done.rawCalls ? rawResets : 0,
      failedShutdowns,
      ...found,
    };
    await recordProof({
      id: 'T19',
      promise:
        'Two servers behind a load balancer are restarted alternately under load: the SDK reports no error, and no write is lost',
      seed: null,
      injected: { restarts, ...done, rawResets, callsPerSecond },
      violations,
    });
    // A long run may have too little time for 100 restarts, but it must make at least as many as a short run.
    expect(restarts).toBeGreaterThanOrEqual(10);
    expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
  },
  proofMsMax,
);
