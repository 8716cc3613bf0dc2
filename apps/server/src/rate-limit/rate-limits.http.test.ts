import { formatSecret } from '@centavo/contracts';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

const unknownSecret = formatSecret(new Uint8Array(32));

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    env: {
      RATE_LIMIT_READS_PER_MINUTE: '3',
      RATE_LIMIT_WRITES_PER_MINUTE: '5',
      RATE_LIMIT_ADMIN_PER_MINUTE: '2',
      RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '2',
      TRUST_PROXY: '1',
    },
    stoppedClock: true,
  });
});

afterAll(() => server.close());

/** Lists trackers `count` times, by default until no read token is left. */
async function consumeReads(token: string, count = 3) {
  for (let index = 0; index < count; index += 1) {
    expect((await server.call('listTrackers', { token })).status).toBe(200);
  }
}

const from = (address: string) => ({ 'X-Forwarded-For': address });
const badLogin = (user: TestUser, address: string) =>
  server.call('createSession', { body: { email: user.email, password: 'not my password' }, headers: from(address) });

describe('429 RATE_LIMITED', () => {
  // @proves spec, Errors: 429
  // @proves contract 5: 429
  it('names the policy and a wait of 20 seconds, after which one request succeeds', async () => {
    const { token } = await server.newUser();
    await consumeReads(token);
    const refused = await server.call('listTrackers', { token });
    expect(refused.status).toBe(429);
    expect(refused.error).toMatchObject({
      code: 'RATE_LIMITED',
      details: { policy: 'reads', limit: 3, windowSeconds: 60, retryAfterSeconds: 20 },
    });
    expect(refused.headers.get('retry-after')).toBe('20');
    expect(refused.headers.get('ratelimit-policy')).toBe('"reads";q=3;w=60');
    expect(refused.headers.get('ratelimit')).toBe('"reads";r=0;t=20');
    server.advance(20_000);
    await consumeReads(token, 1);
    expect((await server.call('listTrackers', { token })).status).toBe(429);
  });

  // @proves contract 5: 429
  it('rounds the wait up to whole seconds', async () => {
    const { token } = await server.newUser();
    await consumeReads(token);
    server.advance(18_500);
    const refused = await server.call('listTrackers', { token });
    expect(refused.error?.details.retryAfterSeconds).toBe(2);
    server.advance(2_000);
    await consumeReads(token, 1);
  });

  it('is not returned to a write when only the read tokens are used up', async () => {
    const { token } = await server.newUser();
    await consumeReads(token);
    expect((await server.call('listTrackers', { token })).status).toBe(429);
    expect((await server.call('createTracker', { token, body: {} })).status).toBe(400);
  });

  // @proves contract 6: Transaction
  it('does not use up the Idempotency-Key, and writes nothing', async () => {
    const user = await server.newUser();
    const { token } = user;
    const { accountId } = await server.newTracker(user);
    const body = { type: 'expense', amountDecimal: '1.00', accountId };
    for (const idempotencyKey of ['first', 'second']) {
      expect((await server.call('createMovement', { token, body, idempotencyKey })).status).toBe(201);
    }
    const refuse = async () => {
      await server.settled();
      const before = server.statements.length;
      const refused = await server.call('createMovement', { token, body, idempotencyKey: 'third' });
      expect(refused.error?.details).toMatchObject({ policy: 'writes', limit: 5, retryAfterSeconds: 12 });
      return server.statements.slice(before);
    };
    // The four statements are BEGIN, the statement that authenticates, the read that is prefetched in the same batch, and ROLLBACK.
    const sent = await refuse();
    expect(sent).toHaveLength(4);
    expect(sent.at(-1)).toMatch(/^ROLLBACK/i);
    server.advance(12_000);
    const other = await server.call('createMovement', {
      token,
      body: { ...body, amountDecimal: '2.00' },
      idempotencyKey: 'third',
    });
    expect([other.status, other.meta.idempotentReplay]).toEqual([201, undefined]);
    const { data } = await server.call('listMovements', { token });
    expect(data).toHaveLength(3);
  });

  // @proves contract 5: Order of checks
  it('is returned after the check of the credential and before the check of the tracker', async () => {
    const { token } = await server.newUser();
    await consumeReads(token);
    expect((await server.call('listMovements', { token, tracker: 'nonsense' })).status).toBe(429);
    await server.call('endSession', { token });
    expect((await server.call('listMovements', { token, tracker: 'nonsense' })).error?.code).toBe('SESSION_INACTIVE');
  });
});

describe('a bucket of the rate limits', () => {
  // @proves contract 7: Buckets
  it('is shared by all sessions of a user, and by no other user', async () => {
    const user = await server.newUser();
    await consumeReads(user.token);
    const session = await server.call('createSession', { body: { email: user.email, password: user.password } });
    expect((await server.call('getMe', { token: session.data.accessToken })).status).toBe(429);
    await consumeReads((await server.newUser()).token);
  });

  // @proves contract 7: Buckets
  it('is separate for an integration client and for the user who created it', async () => {
    const user = await server.newUser();
    await server.newTracker(user);
    const body = { name: 'Robot', scopes: ['trackers:read'] };
    const robot = await server.call('createIntegrationClient', { token: user.token, body });
    await consumeReads(robot.data.secret);
    expect((await server.call('listTrackers', { token: robot.data.secret })).status).toBe(429);
    await consumeReads(user.token);
  });

  it('is separate for changes of credentials, and listing credentials consumes none of its tokens', async () => {
    const { token } = await server.newUser();
    const create = () =>
      server.call('createIntegrationClient', { token, body: { name: 'Robot', scopes: ['trackers:read'] } });
    expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
    expect((await create()).error?.details).toMatchObject({ policy: 'admin', limit: 2, retryAfterSeconds: 30 });
    const { data, status } = await server.call('listIntegrationClients', { token });
    expect([status, data.length]).toEqual([200, 2]);
    const clientId = data[0]?.clientId ?? '';
    expect((await server.call('revokeIntegrationClient', { token, params: { clientId } })).status).toBe(429);
    expect((await server.call('createTracker', { token, body: {} })).status).toBe(400);
  });
});

describe('failed authentication attempts', () => {
  // @proves contract 7: Failed authentication
  it('consume rate-limit tokens of their address, and get 429 instead of 401 when none is left', async () => {
    const user = await server.newUser();
    expect((await badLogin(user, '203.0.113.1')).error?.code).toBe('CREDENTIAL_INVALID');
    expect((await badLogin(user, '203.0.113.1')).error?.code).toBe('CREDENTIAL_INVALID');
    const refused = await badLogin(user, '203.0.113.1');
    expect(refused.error).toMatchObject({
      code: 'RATE_LIMITED',
      details: { policy: 'auth_failures', limit: 2, windowSeconds: 60, retryAfterSeconds: 30 },
    });
    expect(refused.headers.get('retry-after')).toBe('30');
    expect((await badLogin(user, '203.0.113.2')).status).toBe(401);
    server.advance(30_000);
    expect((await badLogin(user, '203.0.113.1')).status).toBe(401);
  });

  // @proves contract 10a: Rate limits
  it('never block a valid access token or integration client from the same address', async () => {
    const user = await server.newUser();
    await server.newTracker(user);
    const body = { name: 'Robot', scopes: ['trackers:read'] };
    const robot = await server.call('createIntegrationClient', { token: user.token, body });
    const headers = from('203.0.113.3');
    for (let index = 0; index < 4; index += 1) await badLogin(user, '203.0.113.3');
    expect((await server.call('getMe', { token: user.token, headers })).status).toBe(200);
    expect((await server.call('listTrackers', { token: robot.data.secret, headers })).status).toBe(200);
  });

  it('block the next login from their address before its password is hashed, but no login from another address', async () => {
    const user = await server.newUser();
    const { email, password } = user;
    const logIn = (address: string) =>
      server.call('createSession', { body: { email, password }, headers: from(address) });
    expect((await badLogin(user, '203.0.113.6')).status).toBe(401);
    expect((await badLogin(user, '203.0.113.6')).status).toBe(401);
    await server.settled();
    const before = server.statements.length;
    const refused = await logIn('203.0.113.6');
    expect(refused.error?.details).toMatchObject({ policy: 'auth_failures', limit: 2, retryAfterSeconds: 30 });
    expect(refused.headers.get('retry-after')).toBe('30');
    // The server queries the user before it hashes the password. No statement was sent, so no password was hashed.
    expect(server.statements.slice(before)).toEqual([]);
    expect((await logIn('203.0.113.7')).status).toBe(201);
    server.advance(30_000);
    expect((await logIn('203.0.113.6')).status).toBe(201);
    // The successful login consumed no token of the bucket.
    expect((await badLogin(user, '203.0.113.6')).status).toBe(401);
  });

  it('include unknown API keys, invalid tokens, ended sessions, unknown refresh tokens and wrong one-time codes', async () => {
    const user = await server.newUser();
    const enrolment = await server.call('enrolTotp', { token: user.token });
    const wrong = (await generate({ secret: enrolment.data.secret, epoch: 0 })) === '000000' ? '111111' : '000000';
    const ended = await server.newUser();
    await server.call('endSession', { token: ended.token });
    const failures = {
      secret: (headers: Record<string, string>) => server.call('listTrackers', { token: unknownSecret, headers }),
      token: (headers: Record<string, string>) => server.call('listTrackers', { token: 'a.b.c', headers }),
      malformed: (headers: Record<string, string>) => server.call('listTrackers', { token: 'hello', headers }),
      session: (headers: Record<string, string>) => server.call('listTrackers', { token: ended.token, headers }),
      refresh: (headers: Record<string, string>) =>
        server.call('refreshSession', { body: { refreshToken: 'x'.repeat(43) }, headers }),
      code: (headers: Record<string, string>) =>
        server.call('confirmTotp', { token: user.token, body: { code: wrong }, headers }),
    };
    for (const [index, fail] of Object.values(failures).entries()) {
      const headers = from(`198.51.100.${index}`);
      const statuses = [(await fail(headers)).status, (await fail(headers)).status, (await fail(headers)).status];
      expect(statuses).toEqual([401, 401, 429]);
    }
  });

  it('do not include requests without a credential, or requests that are refused with STEP_UP_REQUIRED', async () => {
    const user = await server.newUser();
    const headers = from('203.0.113.4');
    for (let index = 0; index < 4; index += 1) {
      expect((await server.call('listTrackers', { headers })).error?.code).toBe('UNAUTHENTICATED');
    }
    for (let index = 0; index < 2; index += 1) {
      const refused = await server.call('createApiKey', { token: user.token, body: {}, headers });
      expect(refused.error?.code).toBe('STEP_UP_REQUIRED');
    }
    expect((await badLogin(user, '203.0.113.4')).status).toBe(401);
  });

  it('include expired tokens', async () => {
    const { token } = await server.newUser();
    server.advance(16 * 60_000);
    const list = () => server.call('listTrackers', { token, headers: from('203.0.113.5') });
    const answers = [await list(), await list(), await list()];
    expect(answers.map(({ error }) => error?.code)).toEqual([
      'CREDENTIAL_EXPIRED',
      'CREDENTIAL_EXPIRED',
      'RATE_LIMITED',
    ]);
  });

  it('are counted per /64 of the IPv6 address that the proxy reports', async () => {
    const user = await server.newUser();
    expect((await badLogin(user, '2001:db8:0:1::1')).status).toBe(401);
    expect((await badLogin(user, '2001:db8:0:1:ffff::2')).status).toBe(401);
    expect((await badLogin(user, '192.0.2.1, 2001:db8:0:1::3')).status).toBe(429);
    expect((await badLogin(user, '2001:db8:0:2::1')).status).toBe(401);
  });
});

describe('operations without a credential', () => {
  it.each(['createUser', 'createSession', 'refreshSession'] as const)(
    'consume a write token of the address, and get 429 without a database statement when none is left: %s',
    async (name) => {
      const address = `192.0.2.${name.length}`;
      const send = (headers: Record<string, string>) => server.call(name, { body: {}, headers });
      for (let index = 0; index < 5; index += 1) expect((await send(from(address))).status).toBe(400);
      await server.settled();
      const before = server.statements.length;
      const refused = await send(from(address));
      expect(refused.status).toBe(429);
      expect(refused.error?.details).toEqual({
        policy: 'writes',
        limit: 5,
        windowSeconds: 60,
        retryAfterSeconds: 12,
      });
      expect(refused.headers.get('retry-after')).toBe('12');
      expect(server.statements.slice(before)).toEqual([]);
      // Only the last entry of X-Forwarded-For counts, because the trusted proxy wrote it.
      expect((await send(from(`198.51.100.77, ${address}`))).status).toBe(429);
      expect((await send(from(`${address}, 198.51.100.${name.length + 100}`))).status).toBe(400);
      server.advance(12_000);
      expect((await send(from(address))).status).toBe(400);
    },
  );

  it('share one bucket for all addresses of an IPv6 /64', async () => {
    const calls = ['createUser', 'createSession', 'refreshSession', 'createUser', 'createSession'] as const;
    for (const [index, name] of calls.entries()) {
      expect((await server.call(name, { body: {}, headers: from(`2001:db8:9::${index}`) })).status).toBe(400);
    }
    expect((await server.call('createUser', { body: {}, headers: from('2001:db8:9::ffff') })).status).toBe(429);
  });

  it('do not consume the write tokens of users at the same address', async () => {
    const { token } = await server.newUser();
    const headers = from('192.0.2.200');
    for (let index = 0; index < 6; index += 1) await server.call('createUser', { body: {}, headers });
    expect((await server.call('createTracker', { token, body: {}, headers })).status).toBe(400);
  });
});

describe('a login', () => {
  const logIn = (user: TestUser, address: string) =>
    server.call('createSession', { body: { email: user.email, password: user.password }, headers: from(address) });

  it('consumes a write token of its user when it succeeds, from any address', async () => {
    const user = await server.newUser();
    for (const last of [1, 2, 3, 4]) expect((await logIn(user, `198.51.100.${last + 200}`)).status).toBe(201);
    const refused = await logIn(user, '198.51.100.210');
    expect(refused.error?.details).toMatchObject({ policy: 'writes', limit: 5, retryAfterSeconds: 12 });
    expect((await server.call('createTracker', { token: user.token, body: {} })).status).toBe(429);
    expect((await logIn(await server.newUser(), '198.51.100.210')).status).toBe(201);
    server.advance(12_000);
    expect((await logIn(user, '198.51.100.211')).status).toBe(201);
  });

  it('consumes no write token of its user when it fails', async () => {
    const user = await server.newUser();
    for (let index = 0; index < 6; index += 1) {
      expect((await badLogin(user, `198.51.100.${index + 220}`)).status).toBe(401);
    }
    expect((await logIn(user, '198.51.100.230')).status).toBe(201);
  });
});
