import { jwksPath } from '@centavo/contracts';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../test-support/start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('the embedded identity provider over HTTP', () => {
  // @proves contract 8: GET /.well-known/jwks.json (at the root)
  test('publishes keys that verify the tokens and have no private members', async () => {
    const { token, userId } = await server.newUser();
    const response = await fetch(server.origin + jwksPath);
    const set = (await response.json()) as JSONWebKeySet;
    expect(set.keys.every((key) => key.d === undefined)).toBe(true);
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(set), { algorithms: ['ES256'] });
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: set.keys[0]?.kid });
    expect(payload).toMatchObject({ iss: 'urn:centavo:identity', aud: 'urn:centavo:api', sub: userId });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(900);
  });

  test('returns 401 CREDENTIAL_EXPIRED for a token older than 15 minutes plus 30 seconds of clock skew', async () => {
    const moved = await startTestServer();
    try {
      const { token } = await moved.newUser();
      moved.advance(931_000);
      const answer = await moved.call('getMe', { token });
      expect([answer.status, answer.error?.code]).toEqual([401, 'CREDENTIAL_EXPIRED']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
    } finally {
      await moved.close();
    }
  });

  // @proves contract 10a: Sessions
  test('returns 401 SESSION_INACTIVE if a financial operation is called with a token of an ended session', async () => {
    const { token } = await server.newUser();
    expect((await server.call('listTrackers', { token })).status).toBe(200);
    expect((await server.call('endSession', { token })).status).toBe(204);
    const answer = await server.call('listTrackers', { token });
    expect([answer.status, answer.error?.code]).toEqual([401, 'SESSION_INACTIVE']);
  });

  // @proves contract 8: GET /me
  test('returns 401 UNAUTHENTICATED without a token, and CREDENTIAL_INVALID for a forged token', async () => {
    const without = await server.call('getMe');
    expect([without.status, without.error?.code]).toEqual([401, 'UNAUTHENTICATED']);
    const { token } = await server.newUser();
    const forged = await server.call('getMe', { token: `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}` });
    expect([forged.status, forged.error?.code]).toEqual([401, 'CREDENTIAL_INVALID']);
  });

  test('returns 429 with Retry-After after five wrong one-time codes', async () => {
    const { token } = await server.newSteppedUpUser();
    const answers = [];
    // Each of these codes is correct only with a probability of three in a million, because three codes are valid at any time.
    for (const code of ['000000', '111111', '222222', '333333', '444444', '555555']) {
      answers.push(await server.call('verifyTotp', { token, body: { code } }));
    }
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    const retryAfter = answers.at(-1)?.headers.get('retry-after');
    expect(answers.at(-1)?.error?.details).toMatchObject({ policy: 'totp', retryAfterSeconds: Number(retryAfter) });
  });

  test('includes no password in an error response, and no password or token in an SQL statement', async () => {
    const { password, token, email } = await server.newUser();
    const answer = await server.call('createSession', { body: { email, password: `${password}!` } });
    expect(JSON.stringify(answer.error)).not.toContain(password);
    const sent = server.statements.join('\n');
    expect(sent).not.toContain(password);
    expect(sent).not.toContain(token);
  });
});
