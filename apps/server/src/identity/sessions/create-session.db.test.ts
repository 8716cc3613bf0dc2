import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/test-database.js';
import { openIdentity, type TestIdentity } from '../test-support/open-identity.js';
import { argon2id, unknownUserPasswordHash } from '../users/password-hashing.js';

let bench: TestIdentity;
const verified: string[] = [];
beforeAll(async () => {
  bench = openIdentity(await createTestDatabase(), {
    passwords: {
      ...argon2id,
      verify: (passwordHash, password) => {
        verified.push(passwordHash);
        return argon2id.verify(passwordHash, password);
      },
    },
  });
});
afterEach(() => verified.splice(0));
afterAll(() => bench.close());

describe('POST /sessions', () => {
  // @proves contract 8: POST /sessions
  // @proves contract 8: GET /me
  // @proves contract 8: An access token is valid for 15 minutes
  test('returns 201 with an access token of 15 minutes and a session of 30 days', async () => {
    const session = await bench.logIn();
    expect(session).toMatchObject({ tokenType: 'Bearer', totpEnrolled: false });
    expect(session.refreshExpiresAt).toBe(new Date(bench.now().getTime() + 30 * 86_400_000).toISOString());
    expect(session.expiresAt).toBe(new Date(bench.now().getTime() + 900_000).toISOString());
    const me = await bench.call('getMe', { token: session.accessToken });
    expect(me.body.data).toMatchObject({ email: session.email, displayName: null, totpEnrolled: false });
    expect(await bench.identity.provider.verifyAccessToken(session.accessToken)).toEqual({
      issuer: 'urn:centavo:identity',
      subject: me.body.data.userId,
      sessionId: session.sessionId,
      totpAtSeconds: null,
    });
  });

  test('returns a refresh token of 256 bits and stores only its hash', async () => {
    const { refreshToken, sessionId } = await bench.logIn();
    expect(Buffer.from(refreshToken, 'base64url')).toHaveLength(32);
    const stored = await bench.rows(
      `select token_sha256 from identity.refresh_tokens where session_id = '${sessionId}'`,
    );
    expect(stored).toEqual([{ token_sha256: createHash('sha256').update(refreshToken).digest() }]);
  });

  test('accepts the e-mail address in upper or lower case', async () => {
    const { email, password } = await bench.logIn();
    const answer = await bench.call('createSession', { body: { email: email.toUpperCase(), password } });
    expect(answer.status).toBe(201);
  });

  // @proves contract 10a: 401 codes
  test('returns the same 401 CREDENTIAL_INVALID for an unknown address and a wrong password, and verifies one hash in both cases', async () => {
    const { email } = await bench.logIn();
    verified.splice(0);
    const wrong = await bench.call('createSession', { body: { email, password: 'not the password' } });
    const unknown = await bench.call('createSession', {
      body: { email: 'nobody@example.com', password: 'not the password' },
    });
    expect(wrong.status).toBe(401);
    expect(wrong.body.error.code).toBe('CREDENTIAL_INVALID');
    expect([unknown.status, unknown.headers, unknown.body.error]).toEqual([401, wrong.headers, wrong.body.error]);
    // Each login verifies one hash. The two hashes have the same parameters (see password-hashing.test.ts), so both logins take the same
    // time.
    expect(verified).toEqual([expect.stringMatching(/^\$argon2id\$/), unknownUserPasswordHash]);
  });

  test('succeeds with a pool of one database connection, as does the enrolment of an authenticator', async () => {
    const narrow = openIdentity(await createTestDatabase(), { poolMax: 1 });
    try {
      const session = await narrow.logIn();
      const { accessToken } = await narrow.enrol(session.accessToken);
      expect((await narrow.call('getMe', { token: accessToken })).body.data.totpEnrolled).toBe(true);
    } finally {
      await narrow.close();
    }
  });
});
