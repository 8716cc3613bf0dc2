import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../test-support/start-test-server.js';
import { type OpenIdProvider, startOpenIdProvider, tokenSeconds } from './test-support/start-openid-provider.js';

let provider: OpenIdProvider;
let server: TestServer;
let client: pg.Client;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  server = await startTestServer({ env: provider.env });
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await server?.close();
  await provider?.goDown();
});

const newSubject = () => `auth0|${randomUUID()}`;
const steppedUp = (subject = newSubject()) => provider.logIn({ subject, amr: ['pwd', 'otp'] });

async function newTracker(token: string): Promise<string> {
  const { data } = await server.call('createTracker', {
    token,
    body: { name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid' },
  });
  return data.id;
}

const createKey = (token: string, tracker: string) =>
  server.call('createApiKey', {
    token,
    body: { name: 'Nightly', scopes: ['movements:read'], access: { mode: 'selected', trackerIds: [tracker] } },
  });

const createClient = (token: string) =>
  server.call('createIntegrationClient', { token, body: { name: 'Bot', scopes: ['movements:read'] } });

async function usersOf(subject: string) {
  const { rows } = await client.query('select email, display_name, issuer from app.users where subject = $1', [
    subject,
  ]);
  return rows;
}

const verdict = (answer: { status: number; error: { code: string } | undefined }) => [
  answer.status,
  answer.error?.code,
];

describe('the first token of a user', () => {
  // @proves contract 8: Identity
  test('adds the user with the verified e-mail address and the name in the token', async () => {
    const subject = newSubject();
    const email = `${randomUUID()}@example.org`;
    const token = await provider.logIn({ subject, amr: ['pwd'], email, emailVerified: true, name: 'Ana' });
    const context = await server.call('getContext', { token, tracker: await newTracker(token) });
    expect(context.data.principal).toMatchObject({ type: 'user', name: 'Ana' });
    expect(await usersOf(subject)).toEqual([{ email, display_name: 'Ana', issuer: provider.env.IDENTITY_ISSUER }]);
  });

  test('adds one user, even if 20 concurrent requests send it', async () => {
    const subject = newSubject();
    const token = await provider.logIn({ subject, amr: ['pwd'] });
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.call('listTrackers', { token })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await usersOf(subject)).toHaveLength(1);
  });

  test('adds the user without the e-mail address if the issuer has not verified the address', async () => {
    const subject = newSubject();
    const token = await provider.logIn({ subject, amr: ['pwd'], email: 'eve@example.org', emailVerified: false });
    expect((await server.call('listTrackers', { token })).status).toBe(200);
    expect(await usersOf(subject)).toMatchObject([{ email: null }]);
  });

  test('adds the user without the e-mail address if another subject of the issuer already has this address', async () => {
    const email = `${randomUUID()}@example.org`;
    const [first, second] = [newSubject(), newSubject()];
    for (const subject of [first, second]) {
      const token = await provider.logIn({ subject, amr: ['pwd'], email, emailVerified: true });
      expect((await server.call('listTrackers', { token })).status).toBe(200);
    }
    expect(await usersOf(first)).toMatchObject([{ email }]);
    expect(await usersOf(second)).toMatchObject([{ email: null }]);
  });

  test('lets a tracker owner invite the user by the verified e-mail address, even if a user of another issuer has this address', async () => {
    const [subject, email] = [newSubject(), `${randomUUID()}@example.org`];
    await client.query(
      `insert into app.users (id, issuer, subject, email) values ($1::uuid, 'urn:centavo:identity', $1::text, $2)`,
      [randomUUID(), email],
    );
    const guest = await provider.logIn({ subject, amr: ['pwd'], email, emailVerified: true, name: 'Ana' });
    await server.call('listTrackers', { token: guest });
    const owner = await steppedUp();
    const trackerId = await newTracker(owner);
    const added = await server.call('addMember', {
      token: owner,
      params: { trackerId },
      body: { email, role: 'viewer' },
    });
    expect([added.status, added.data.displayName]).toEqual([201, 'Ana']);
    await server.call('acceptInvitation', { token: guest, params: { trackerId } });
    expect((await server.call('listTrackers', { token: guest })).data.map(({ id }) => id)).toEqual([trackerId]);
  });

  test('adds the user; after that, a request needs only one transaction, and not the database role centavo_identity', async () => {
    const token = await steppedUp();
    await server.call('listTrackers', { token });
    const before = server.statements.length;
    await server.call('listTrackers', { token });
    const sent = server.statements.slice(before);
    expect(sent.filter((sql) => /^begin/i.test(sql))).toHaveLength(1);
    expect(sent.filter((sql) => sql.includes('centavo_identity'))).toEqual([]);
  });
});

describe('with an external issuer, a step-up operation', () => {
  test('returns 201 for a new and a rotated API key in a session with a one-time code', async () => {
    const token = await steppedUp();
    const tracker = await newTracker(token);
    const created = await createKey(token, tracker);
    expect(created.status).toBe(201);
    const rotated = await server.call('rotateApiKey', { token, params: { clientId: created.data.clientId } });
    expect(rotated.status).toBe(201);
  });

  test('returns 401 STEP_UP_REQUIRED without a one-time code, or with one that is too old', async () => {
    const token = await provider.logIn({ subject: newSubject(), amr: ['pwd'] });
    const answer = await createKey(token, await newTracker(token));
    expect(verdict(answer)).toEqual([401, 'STEP_UP_REQUIRED']);
    const strict = await startTestServer({ env: { ...provider.env, STEP_UP_MAX_AGE_SECONDS: '30' } });
    try {
      const old = await steppedUp();
      strict.advance(60_000);
      const late = await strict.call('createApiKey', {
        token: old,
        body: { name: 'Nightly', scopes: ['movements:read'], access: { mode: 'all_managed' } },
      });
      expect(verdict(late)).toEqual([401, 'STEP_UP_REQUIRED']);
    } finally {
      await strict.close();
    }
  });

  // @proves contract 10a: Sessions
  test('returns 401 SESSION_INACTIVE after the issuer has revoked the session, although the JWT is still valid', async () => {
    const subject = newSubject();
    const token = await steppedUp(subject);
    const tracker = await newTracker(token);
    const { data } = await createKey(token, tracker);
    await provider.revoke(token);
    expect(verdict(await createKey(token, tracker))).toEqual([401, 'SESSION_INACTIVE']);
    const rotated = await server.call('rotateApiKey', { token, params: { clientId: data.clientId } });
    expect(verdict(rotated)).toEqual([401, 'SESSION_INACTIVE']);
    expect(verdict(await createClient(token))).toEqual([401, 'SESSION_INACTIVE']);
    expect((await server.call('listTrackers', { token })).status).toBe(200);
    const revoked = await server.call('revokeApiKey', { token, params: { clientId: data.clientId } });
    expect(revoked.status).toBe(204);
  });

  test('returns SESSION_INACTIVE, not STEP_UP_REQUIRED, for a revoked session without a one-time code', async () => {
    const token = await provider.logIn({ subject: newSubject(), amr: ['pwd'] });
    const tracker = await newTracker(token);
    await provider.revoke(token);
    expect(verdict(await createKey(token, tracker))).toEqual([401, 'SESSION_INACTIVE']);
  });

  // @proves contract 5: Order of checks
  test('returns 429 before introspection, so that the issuer gets no more requests than the limit allows', async () => {
    const limited = await startTestServer({ env: { ...provider.env, RATE_LIMIT_ADMIN_PER_MINUTE: '2' } });
    try {
      const token = await steppedUp();
      const before = provider.introspections.length;
      const create = () => limited.call('createApiKey', { token, body: {} });
      const answers = [await create(), await create(), await create(), await create()];
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 429, 429]);
      expect(provider.introspections.slice(before)).toEqual([token, token]);
    } finally {
      await limited.close();
    }
  });

  test('returns the rate-limit headers in responses with status 201, 401 SESSION_INACTIVE and 503', async () => {
    const token = await steppedUp();
    const tracker = await newTracker(token);
    const made = await createKey(token, tracker);
    await provider.goDown();
    const unclear = await createKey(token, tracker);
    await provider.comeBack();
    await provider.revoke(token);
    const ended = await createKey(token, tracker);
    expect([made.status, unclear.status, ended.status]).toEqual([201, 503, 401]);
    for (const { headers } of [made, unclear, ended]) {
      expect(headers.get('ratelimit-policy')).toBe('"admin";q=1000000;w=60');
      expect(headers.get('ratelimit')).toMatch(/^"admin";r=\d+;t=\d+$/);
    }
  });

  // @proves contract 8: Recent TOTP
  test('introspects the session at the issuer, unlike a request that lists or revokes API keys', async () => {
    const token = await steppedUp();
    const tracker = await newTracker(token);
    const before = provider.introspections.length;
    const { data } = await createKey(token, tracker);
    await createKey(token, tracker);
    await server.call('rotateApiKey', { token, params: { clientId: data.clientId } });
    await createClient(token);
    await server.call('listApiKeys', { token });
    await server.call('revokeApiKey', { token, params: { clientId: data.clientId } });
    expect(provider.introspections.slice(before)).toEqual([token, token, token, token]);
  });

  test('introspects the session for a new URL of a webhook, but not for a new description', async () => {
    const token = await steppedUp();
    await newTracker(token);
    const { data } = await server.call('createWebhook', { token, body: { url: 'https://hooks.example.org/1' } });
    const update = (body: { url?: string; description?: string }) =>
      server.call('updateWebhook', { token, params: { webhookId: data.id }, body });
    const before = provider.introspections.length;
    expect((await update({ description: 'Books' })).status).toBe(200);
    expect(provider.introspections.length).toBe(before);
    await provider.revoke(token);
    expect(verdict(await update({ url: 'https://hooks.example.org/2' }))).toEqual([401, 'SESSION_INACTIVE']);
    expect((await update({ description: 'Home books' })).status).toBe(200);
  });

  test('returns 503 while the issuer is down; a read request succeeds with the keys loaded before', async () => {
    const token = await steppedUp();
    const tracker = await newTracker(token);
    await provider.goDown();
    try {
      expect(verdict(await createKey(token, tracker))).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(verdict(await createClient(token))).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect((await server.call('listTrackers', { token })).status).toBe(200);
    } finally {
      await provider.comeBack();
    }
    expect((await createKey(token, tracker)).status).toBe(201);
  });
});

describe('a token of an external issuer', () => {
  test('gets 401 CREDENTIAL_EXPIRED if it expired more than 30 s ago, even while the issuer is down', async () => {
    const moved = await startTestServer({ env: provider.env });
    try {
      const token = await steppedUp();
      expect((await moved.call('listTrackers', { token })).status).toBe(200);
      await provider.goDown();
      // By then the keys are also older than ten minutes, so the server tries to reload them.
      moved.advance(2 * tokenSeconds * 1000 + 31_000);
      expect(verdict(await moved.call('listTrackers', { token }))).toEqual([401, 'CREDENTIAL_EXPIRED']);
    } finally {
      await provider.comeBack();
      await moved.close();
    }
  });

  test('gets 401 CREDENTIAL_INVALID if it was changed or is too long; a valid token of the embedded provider gets the same response', async () => {
    const token = await steppedUp();
    const [header, , signature] = token.split('.');
    const payload = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'admin' })).toString('base64url');
    for (const forged of [`${header}.${payload}.${signature}`, `${token}${'A'.repeat(8192)}`]) {
      expect(verdict(await server.call('listTrackers', { token: forged }))).toEqual([401, 'CREDENTIAL_INVALID']);
    }
    const embedded = await startTestServer();
    try {
      const { token: other } = await embedded.newUser();
      expect(verdict(await server.call('listTrackers', { token: other }))).toEqual([401, 'CREDENTIAL_INVALID']);
    } finally {
      await embedded.close();
    }
  });

  test('gets 503 if the server could never load the keys of the issuer', async () => {
    const token = await steppedUp();
    const cold = await startTestServer({ env: { ...provider.env, IDENTITY_JWKS_URL: 'http://127.0.0.1:1/jwks' } });
    try {
      expect(verdict(await cold.call('listTrackers', { token }))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    } finally {
      await cold.close();
    }
  });
});
