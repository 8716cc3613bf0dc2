import { formatSecret } from '@centavo/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { recordSpans } from '../../test-support/record-spans.js';
import { hasRedis, startRedis, type TestRedis } from '../../test-support/start-redis.js';
import { startTestServer, type TestServer } from '../../test-support/start-test-server.js';

if (!hasRedis) process.stderr.write('redis-server is not installed: tests of shared rate limits are skipped.\n');

const unknownSecret = formatSecret(new Uint8Array(32));

describe.skipIf(!hasRedis)('two servers with one REDIS_URL', () => {
  let redis: TestRedis;
  let first: TestServer;
  let second: TestServer;

  beforeAll(async () => {
    redis = await startRedis();
    // A test cannot change the clock of Redis. Therefore the limits are so low that no token is refilled while a test runs.
    const env = {
      REDIS_URL: redis.url,
      RATE_LIMIT_READS_PER_MINUTE: '2',
      RATE_LIMIT_WRITES_PER_MINUTE: '3',
      // A key expires when its bucket is full again. With a higher limit that is sooner, perhaps before the test reads the key.
      RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '2',
      TRUST_PROXY: '1',
    };
    first = await startTestServer({ env, stoppedClock: true });
    const { servingUrl } = first;
    second = await startTestServer({ env, stoppedClock: true, connectThrough: async () => servingUrl });
  });

  afterAll(async () => {
    await second?.close();
    await first?.close();
    await redis?.close();
  });

  const read = async (server: TestServer, token: string) => (await server.call('getMe', { token })).status;

  /** Sends requests from new addresses to both servers, until each server counts them in Redis. */
  async function untilShared(): Promise<void> {
    for (const server of [first, second]) {
      await vi.waitFor(
        async () => {
          server.advance(1_000);
          const before = await redis.limitKeys();
          await server.call('listTrackers', {
            token: unknownSecret,
            headers: { 'X-Forwarded-For': `10.0.${before.length}.${server === first ? 1 : 2}` },
          });
          expect((await redis.limitKeys()).length).toBeGreaterThan(before.length);
        },
        { timeout: 30_000, interval: 50 },
      );
    }
  }

  it('record a span for each Redis script, without the id of the user', async () => {
    const { token, userId } = await first.newUser();
    const spans = recordSpans();
    try {
      expect(await read(first, token)).toBe(200);
      expect(spans.get('EVAL').attributes).toEqual({
        'db.system.name': 'redis',
        'db.namespace': '0',
        'db.operation.name': 'EVAL',
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(redis.url).port),
      });
      expect(JSON.stringify(spans.all().map(({ attributes }) => attributes))).not.toContain(userId);
    } finally {
      spans.stop();
    }
  });

  // @proves contract 7: Several processes
  it('share the rate-limit bucket of a user', async () => {
    const { token } = await first.newUser();
    expect([await read(first, token), await read(second, token)]).toEqual([200, 200]);
    expect([await read(first, token), await read(second, token)]).toEqual([429, 429]);
    const refused = await second.call('getMe', { token });
    expect(refused.error?.details).toMatchObject({ policy: 'reads', limit: 2, windowSeconds: 60 });
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.error?.details.retryAfterSeconds);
    expect(refused.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=([1-9]|[12]\d|30)$/);
  });

  it('share the rate-limit bucket of an address, and the bucket of its failed credentials', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.50' };
    const register = async (server: TestServer) => (await server.call('createUser', { body: {}, headers })).status;
    expect([await register(first), await register(second), await register(first)]).toEqual([400, 400, 400]);
    expect([await register(first), await register(second)]).toEqual([429, 429]);
    const { email, password } = await first.newUser();
    const logIn = async (server: TestServer, attempt: string) =>
      server.call('createSession', {
        body: { email, password: attempt },
        headers: { 'X-Forwarded-For': '203.0.113.51' },
      });
    expect([(await logIn(first, 'wrong')).status, (await logIn(second, 'wrong')).status]).toEqual([401, 401]);
    expect((await logIn(first, password)).error?.details).toMatchObject({ policy: 'auth_failures', limit: 2 });
  });

  // @proves contract 7: Several processes
  it('accept exactly two of 20 concurrent requests if the shared bucket has two tokens', async () => {
    const { token } = await first.newUser();
    const reads = Array.from({ length: 20 }, (_, index) => read(index % 2 === 0 ? first : second, token));
    const statuses = await Promise.all(reads);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(18);
  });

  it('set an expiry of at most one minute on each Redis key', async () => {
    const keys = await redis.limitKeys();
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).toMatch(/^centavo:limit:(reads|writes|admin|auth_failures):/);
    expect(await redis.secondsToLiveMax()).toBeLessThanOrEqual(60);
  });

  // @proves contract 7: Several processes
  it('apply the rate limits per process while Redis is down, and share them when Redis is back', async () => {
    const { token } = await first.newUser();
    expect(await read(first, token)).toBe(200);
    const headers = { 'X-Forwarded-For': '203.0.113.52' };
    const register = async (server: TestServer) => (await server.call('createUser', { body: {}, headers })).status;
    expect([await register(first), await register(first)]).toEqual([400, 400]);
    await redis.kill();
    // The first server has counted two requests from this address, so it accepts one more: the limit is three.
    expect([await register(first), await register(first)]).toEqual([400, 429]);
    // The first server has counted one request of this caller, and the second server none.
    expect([await read(first, token), await read(first, token)]).toEqual([200, 429]);
    expect([await read(second, token), await read(second, token), await read(second, token)]).toEqual([200, 200, 429]);
    await redis.start();
    await untilShared();
    const { token: next } = await first.newUser();
    expect([await read(first, next), await read(second, next), await read(first, next)]).toEqual([200, 200, 429]);
  });

  it('apply the rate limits without waiting for a Redis that hangs', async () => {
    await untilShared();
    const { token } = await first.newUser();
    redis.hang();
    try {
      expect([await read(first, token), await read(first, token), await read(first, token)]).toEqual([200, 200, 429]);
    } finally {
      redis.resume();
    }
    await untilShared();
  });

  it('start and apply the rate limits while Redis is down', async () => {
    const env = { REDIS_URL: 'redis://127.0.0.1:1', RATE_LIMIT_READS_PER_MINUTE: '1' };
    const alone = await startTestServer({ env, stoppedClock: true });
    try {
      const { token } = await alone.newUser();
      expect([await read(alone, token), await read(alone, token)]).toEqual([200, 429]);
    } finally {
      await alone.close();
    }
  });
});
