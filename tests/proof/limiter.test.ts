import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, startRedis, type TestRedis } from '../../apps/server/test-support/start-redis.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { movableClock, takeClock } from './support/move-clock.js';
import { isLong, proofMsMax, recordProof } from './support/proof-record.js';
import { compareWithBucket, sendFlood, type TimedRequest } from './support/request-flood.js';
import { newTally } from './support/tally.js';
import { openProgram, registerUser } from './support/tenants.js';

if (!hasRedis) process.stderr.write('redis-server is not installed: the proof of shared rate limits is skipped.\n');

const limit = isLong ? 120 : 60;
const hourMs = 3_600_000;
const processes = isLong ? [1, 2, 3, 5] : [1, 2, 3];
const loads = isLong ? [0.9, 1, 2, 10, 50] : [0.9, 1, 2, 4];
const policies = isLong ? (['reads', 'writes', 'admin', 'auth_failures'] as const) : (['reads'] as const);
type Policy = 'reads' | 'writes' | 'admin' | 'auth_failures';

/**
 * A request of one caller that counts towards the limit of a policy. The server always refuses it: with 429 if the caller is over the
 * limit, otherwise with another status. `isAccepted` returns true for this other status: the rate limit has accepted the request.
 */
interface CallerRequest {
  readonly methodAndPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isAccepted: (status: number) => boolean;
}

describe.skipIf(!hasRedis)('servers that share their limits', () => {
  const sandbox = openSandbox();
  const dataDir = sandbox.newDataDir();
  let redis: TestRedis;
  let servers: [Server, ...Server[]];
  let addresses = 0;

  beforeAll(async () => {
    redis = await startRedis();
    const env = {
      ...movableClock,
      REDIS_URL: redis.url,
      TRUST_PROXY: '1',
      // The tests search the log for the messages about Redis.
      LOG_LEVEL: 'info',
      RATE_LIMIT_READS_PER_MINUTE: String(limit),
      RATE_LIMIT_WRITES_PER_MINUTE: String(limit),
      RATE_LIMIT_ADMIN_PER_MINUTE: String(limit),
      RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: String(limit),
    };
    const first = await sandbox.startServer({ dataDir, env });
    const { connectionString } = await getPostgresOf(dataDir);
    const next = () => sandbox.startServer({ env: { ...env, DATABASE_URL: connectionString } });
    servers = [first, ...(await Promise.all(Array.from({ length: Math.max(...processes) - 1 }, next)))];
  });
  afterAll(() => redis?.close());

  /** Returns a new caller, whose bucket under the policy is full. */
  async function newCaller(policy: Policy): Promise<CallerRequest> {
    const [{ origin }] = servers;
    if (policy === 'auth_failures') {
      addresses += 1;
      const headers = {
        Authorization: 'Bearer nobody.has.this',
        'X-Forwarded-For': `10.1.${addresses >> 8}.${addresses & 255}`,
      };
      return { methodAndPath: 'GET /v1/financial/trackers', headers, isAccepted: (status) => status === 401 };
    }
    const user = await registerUser(origin);
    if (policy === 'admin') {
      const methodAndPath = `DELETE /v1/financial/integration-clients/${randomUUID()}`;
      return { methodAndPath, headers: user.headers, isAccepted: (status) => status === 404 };
    }
    const headers = { ...(await openProgram(origin, user.headers)) };
    // A program of a user without a tracker is refused after its request was counted.
    return policy === 'reads'
      ? { methodAndPath: 'GET /v1/financial/accounts', headers, isAccepted: (status) => status === 403 }
      : { methodAndPath: 'POST /v1/financial/categories', headers, isAccepted: (status) => status === 403 };
  }

  async function sendTimed({ origin }: Server, { methodAndPath, headers }: CallerRequest): Promise<TimedRequest> {
    const [method = '', path = ''] = methodAndPath.split(' ');
    const sentAtMs = performance.now();
    const response = await fetch(origin + path, { method, headers });
    await response.arrayBuffer();
    const retryAfterSeconds = Number(response.headers.get('Retry-After'));
    return { sentAtMs, answeredAtMs: performance.now(), status: response.status, retryAfterSeconds };
  }

  const countRedisLosses = () => servers.map(({ output }) => output.split('Redis does not answer').length - 1);
  const countRedisRecoveries = () => servers.map(({ output }) => output.split('Redis answers again').length - 1);

  /**
   * Runs `act`. On a busy machine, Redis may not answer a server in time, and then the limits are not shared. If this happens, runs `act`
   * again.
   */
  async function whileShared<Result>(act: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await until('every server uses Redis', async () => {
        const sharing = countRedisLosses().every((times, index) => times === countRedisRecoveries()[index]);
        if (!sharing)
          await Promise.all(servers.map(async (server) => sendTimed(server, await newCaller('auth_failures'))));
        return sharing;
      });
      const before = countRedisLosses().join();
      const result = await act();
      if (countRedisLosses().join() === before) return result;
    }
    throw new Error('In each of 10 attempts, Redis did not answer at least one server in time.');
  }

  /** Sends requests until one is refused, waits for Retry-After, and sends one more. @returns whether the last request was accepted */
  async function waitForRetryAfter(server: Server, request: CallerRequest): Promise<boolean> {
    let refusal: TimedRequest | undefined;
    await until('a request is refused', async () => {
      refusal = await sendTimed(server, request);
      return refusal.status === 429;
    });
    // A timer may fire up to a millisecond early.
    await delay((refusal?.retryAfterSeconds ?? 0) * 1_000 + 2);
    return request.isAccepted((await sendTimed(server, request)).status);
  }

  it(
    'together accept as many requests of a caller as one token bucket and its refill allow',
    async () => {
      const injected = newTally('cells', 'requests', 'allowed', 'refused', 'retriesAfterTheWait');
      const violations = newTally('tooMany', 'unjustifiedRefusals', 'otherAnswers', 'retriesRefused');
      const shares: number[] = [];
      for (const policy of policies) {
        for (const count of processes) {
          for (const load of loads) {
            const { request, requests, isRetryAccepted } = await whileShared(async () => {
              const request = await newCaller(policy);
              const senders = servers.slice(0, count).map((server) => () => sendTimed(server, request));
              const requests = await sendFlood(senders, Math.round(load * limit));
              return {
                request,
                requests,
                isRetryAccepted: load === loads.at(-1) ? await waitForRetryAfter(servers[0], request) : undefined,
              };
            });
            const result = compareWithBucket(requests, { limit }, request.isAccepted);
            injected.cells += 1;
            injected.requests += requests.length;
            injected.allowed += result.allowed;
            injected.refused += result.refused;
            violations.tooMany += result.tooMany;
            violations.unjustifiedRefusals += result.unjustified;
            violations.otherAnswers += result.others;
            shares.push(result.share);
            if (isRetryAccepted !== undefined) injected.retriesAfterTheWait += 1;
            if (isRetryAccepted === false) violations.retriesRefused += 1;
          }
        }
      }
      await recordProof({
        id: 'T15',
        promise: `Servers that share a Redis (tested with ${processes.join(', ')} servers) never accept more than the limit and accept at least 98 % of it, and a caller that waits for Retry-After is accepted`,
        seed: null,
        injected: {
          ...injected,
          limitPerMinute: limit,
          leastPercentOfIdeal: Number((100 * Math.min(...shares)).toFixed(1)),
        },
        violations,
      });
      expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
    },
    proofMsMax,
  );

  it(
    'use a monotonic clock: a jump of the wall clock by an hour changes no limit',
    async () => {
      const clock = takeClock(servers.map(({ origin }) => origin));
      const injected = newTally('jumps', 'requests', 'allowed', 'refused', 'retriesAfterTheWait');
      const violations = newTally('tooMany', 'unjustifiedRefusals', 'otherAnswers', 'retriesRefused');
      for (const jumpMs of [hourMs, -hourMs, -hourMs, hourMs]) {
        const { requests, request, isRetryAccepted } = await whileShared(async () => {
          const request = await newCaller('reads');
          let answered = 0;
          const senders = servers.map((server) => async () => {
            const answer = await sendTimed(server, request);
            answered += 1;
            return answer;
          });
          const flooded = sendFlood(senders, 3 * limit);
          await until('the flood is running', () => answered > 0.5 * limit);
          await clock.move(jumpMs);
          return {
            requests: await flooded,
            request,
            isRetryAccepted: await waitForRetryAfter(servers[0], request),
          };
        });
        const result = compareWithBucket(requests, { limit }, request.isAccepted);
        injected.jumps += 1;
        injected.requests += requests.length;
        injected.allowed += result.allowed;
        injected.refused += result.refused;
        injected.retriesAfterTheWait += 1;
        violations.tooMany += result.tooMany;
        violations.unjustifiedRefusals += result.unjustified;
        violations.otherAnswers += result.others;
        if (!isRetryAccepted) violations.retriesRefused += 1;
      }
      await recordProof({
        id: 'T15',
        promise: 'A clock that jumps by an hour in either direction during a flood changes no limit',
        seed: null,
        injected: { ...injected, limitPerMinute: limit },
        violations,
      });
      expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
    },
    proofMsMax,
  );

  it(
    'never fail open: when Redis is killed during a flood, each server applies its own limit',
    async () => {
      const injected = newTally('floods', 'requests', 'allowed', 'refused', 'retriesAfterTheWait');
      const violations = newTally('tooMany', 'otherAnswers', 'serversWithoutLimit', 'retriesRefused');
      for (let turn = 0; turn < (isLong ? 10 : 1); turn += 1) {
        await whileShared(async () => {});
        const request = await newCaller('reads');
        let answered = 0;
        const senderTo = (server: Server) => async () => {
          const answer = await sendTimed(server, request);
          answered += 1;
          return answer;
        };
        const floods = servers.map((server) => sendFlood([senderTo(server)], 5 * limit));
        // Kills Redis alternately before and after the shared bucket is empty.
        await until('the floods are running', () => answered > (turn % 2 === 0 ? 0.5 : 1.5) * limit);
        await redis.kill();
        for (const requests of await Promise.all(floods)) {
          const result = compareWithBucket(requests, { limit }, request.isAccepted);
          injected.floods += 1;
          injected.requests += requests.length;
          injected.allowed += result.allowed;
          injected.refused += result.refused;
          violations.tooMany += result.tooMany;
          violations.otherAnswers += result.others;
          if (result.refused === 0) violations.serversWithoutLimit += 1;
        }
        const retries = await Promise.all(servers.map((server) => waitForRetryAfter(server, request)));
        injected.retriesAfterTheWait += retries.length;
        violations.retriesRefused += retries.filter((isAccepted) => !isAccepted).length;
        await redis.start();
      }
      await recordProof({
        id: 'T15',
        promise: 'When Redis is killed during a flood, no server fails open: each server allows at most its own limit',
        seed: null,
        injected: { ...injected, limitPerMinute: limit },
        violations,
      });
      expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
    },
    proofMsMax,
  );
});
