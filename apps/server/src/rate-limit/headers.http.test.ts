import { formatSecret } from '@centavo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

/** An empty variable counts as unset, so the server runs with the limits of the contract. */
const contractRates = {
  RATE_LIMIT_READS_PER_MINUTE: '',
  RATE_LIMIT_WRITES_PER_MINUTE: '',
  RATE_LIMIT_ADMIN_PER_MINUTE: '',
  RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '',
};
const unknownSecret = formatSecret(new Uint8Array(32));

let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string };

beforeAll(async () => {
  server = await startTestServer({ env: contractRates, stoppedClock: true });
  user = await server.newUser();
  tracker = await server.newTracker(user);
});

afterAll(() => server.close());

const policyOf = (answer: { headers: Headers }) => answer.headers.get('ratelimit-policy');
const limitStatusOf = (answer: { headers: Headers }) => answer.headers.get('ratelimit');
const movement = () => ({ type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId });

describe('the rate limit headers', () => {
  // @proves contract 7: Buckets
  it('count the remaining tokens down from the limits of the contract: 600 reads, 300 writes, 10 changes of credentials', async () => {
    const { token } = await server.newUser();
    const read = await server.call('listTrackers', { token });
    expect([policyOf(read), limitStatusOf(read)]).toEqual(['"reads";q=600;w=60', '"reads";r=599;t=1']);
    const again = await server.call('getMe', { token });
    expect(limitStatusOf(again)).toBe('"reads";r=598;t=1');
    // Logging in was the first write.
    const write = await server.call('createTracker', {
      token,
      body: { name: 'Home', currencyCode: 'EUR', timeZone: 'UTC' },
    });
    expect([policyOf(write), limitStatusOf(write)]).toEqual(['"writes";q=300;w=60', '"writes";r=298;t=1']);
    const admin = await server.call('createIntegrationClient', {
      token,
      body: { name: 'Robot', scopes: ['movements:read'] },
    });
    expect([policyOf(admin), limitStatusOf(admin)]).toEqual(['"admin";q=10;w=60', '"admin";r=9;t=6']);
  });

  // @proves contract 7: Headers
  it('are on each response to an authenticated principal: status 200, 201, 204, 304, 400, 401, 403, 404, 409, and a replay', async () => {
    const { token } = user;
    const created = await server.call('createMovement', { token, body: movement(), idempotencyKey: 'k1' });
    const params = { movementId: created.data.id };
    const robot = await server.call('createIntegrationClient', {
      token,
      body: { name: 'Robot', scopes: ['catalog:read'] },
    });
    const client = { clientId: robot.data.clientId };
    const answers = [
      created,
      robot,
      await server.call('createMovement', { token, body: movement(), idempotencyKey: 'k1' }),
      await server.call('getMovement', { token, params }),
      await server.call('getMovement', {
        token,
        params,
        headers: { 'If-None-Match': created.headers.get('etag') ?? '' },
      }),
      await server.call('createMovement', { token, body: { amountDecimal: 'x' } }),
      await server.call('listMovements', { token, tracker: 'not-a-tracker' }),
      await server.call('createApiKey', { token, body: {} }),
      await server.call('listApiKeys', { token: robot.data.secret }),
      await server.call('listMovements', { token: robot.data.secret }),
      await server.call('getMovement', { token, params: { movementId: tracker.id } }),
      await server.call('createMovement', { token, body: { ...movement(), amountDecimal: '2' }, idempotencyKey: 'k1' }),
      await server.call('revokeIntegrationClient', { token, params: client }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      201, 201, 200, 200, 304, 400, 400, 401, 403, 403, 404, 409, 204,
    ]);
    for (const answer of answers) {
      expect(policyOf(answer)).toMatch(/^"(reads|writes|admin)";q=\d+;w=60$/);
      expect(limitStatusOf(answer)).toMatch(/^"(reads|writes|admin)";r=\d+;t=\d+$/);
    }
  });

  // @proves contract 7: Headers
  // @proves contract 10a: Rate limits
  it('are not on responses to logins, refused credentials, unknown paths and health checks', async () => {
    const answers = [
      await server.call('listMovements', {}),
      await server.call('listMovements', { token: unknownSecret }),
      await server.call('createSession', { body: { email: user.email, password: user.password } }),
      await fetch(`${server.baseUrl}/nowhere`, { headers: { Authorization: `Bearer ${user.token}` } }),
      await fetch(`${server.origin}/health/live`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 201, 404, 200]);
    for (const answer of answers) expect([policyOf(answer), limitStatusOf(answer)]).toEqual([null, null]);
  });
});

describe('a limit of 0', () => {
  // @proves contract 7: Settings
  it('switches the policy off: no request is counted and no header is sent', async () => {
    const off = await startTestServer({
      env: {
        RATE_LIMIT_READS_PER_MINUTE: '0',
        RATE_LIMIT_WRITES_PER_MINUTE: '0',
        RATE_LIMIT_ADMIN_PER_MINUTE: '1',
        RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0',
      },
      stoppedClock: true,
    });
    try {
      const { token, email, password } = await off.newUser();
      for (let count = 0; count < 30; count += 1) {
        expect((await off.call('listMovements', { token: unknownSecret })).status).toBe(401);
      }
      const read = await off.call('getMe', { token });
      expect([read.status, policyOf(read), limitStatusOf(read)]).toEqual([200, null, null]);
      const write = await off.call('createTracker', { token, body: {} });
      expect([write.status, policyOf(write), limitStatusOf(write)]).toEqual([400, null, null]);
      const admin = await off.call('createIntegrationClient', { token, body: {} });
      expect([admin.status, limitStatusOf(admin)]).toEqual([400, '"admin";r=0;t=60']);
      for (let count = 0; count < 10; count += 1) {
        expect((await off.call('createUser', { body: {} })).status).toBe(400);
        expect((await off.call('createSession', { body: { email, password: 'wrong' } })).status).toBe(401);
        expect((await off.call('createSession', { body: { email, password } })).status).toBe(201);
      }
    } finally {
      await off.close();
    }
  });
});
