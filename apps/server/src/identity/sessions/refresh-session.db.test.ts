import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/test-database.js';
import { openIdentity, type TestIdentity } from '../test-support/open-identity.js';

let bench: TestIdentity;
beforeAll(async () => {
  bench = openIdentity(await createTestDatabase());
});
afterAll(() => bench.close());

const refresh = (refreshToken: string) => bench.call('refreshSession', { body: { refreshToken } });

describe('POST /sessions/refresh', () => {
  // @proves contract 8: POST /sessions/refresh
  // @proves contract 10a: TOTP
  test('returns 200 with a new pair of tokens, and keeps the expiry and authentication times of the session', async () => {
    const session = await bench.logIn();
    await bench.enrol(session.accessToken);
    const codeEnteredAtSeconds = Math.floor(bench.now().getTime() / 1000);
    bench.advance(3_600);
    const { status, body } = await refresh(session.refreshToken);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      sessionId: session.sessionId,
      refreshExpiresAt: session.refreshExpiresAt,
      totpEnrolled: true,
    });
    expect(body.data.refreshToken).not.toBe(session.refreshToken);
    const claims = await bench.identity.provider.verifyAccessToken(body.data.accessToken);
    expect(claims).toMatchObject({ sessionId: session.sessionId, totpAtSeconds: codeEnteredAtSeconds });
    expect((await refresh(body.data.refreshToken)).status).toBe(200);
  });

  // @proves contract 8: POST /sessions/refresh
  // @proves contract 10a: 401 codes
  test('returns 401 CREDENTIAL_REVOKED for a reused refresh token, and ends the session', async () => {
    const session = await bench.logIn();
    const { body } = await refresh(session.refreshToken);
    const again = await refresh(session.refreshToken);
    expect(again.status).toBe(401);
    expect(again.body.error.code).toBe('CREDENTIAL_REVOKED');
    expect(again.headers['WWW-Authenticate']).toMatch(/^Bearer /);
    const withNewToken = await bench.call('getMe', { token: body.data.accessToken });
    expect(withNewToken.body.error.code).toBe('SESSION_INACTIVE');
    expect((await refresh(body.data.refreshToken)).body.error.code).toBe('SESSION_INACTIVE');
    expect((await refresh(session.refreshToken)).body.error.code).toBe('CREDENTIAL_REVOKED');
  });

  // @proves contract 8: POST /sessions/refresh
  test('accepts only one of several parallel uses of a refresh token', async () => {
    const { refreshToken, sessionId } = await bench.logIn();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const codes = answers.filter((answer) => !won.includes(answer)).map(({ body }) => body.error.code);
    expect(new Set(codes)).toEqual(new Set(['CREDENTIAL_REVOKED']));
    const tokens = await bench.rows(`select 1 from identity.refresh_tokens where session_id = '${sessionId}'`);
    expect(tokens).toHaveLength(2);
  });

  test('returns SESSION_INACTIVE for the refresh token of an ended session', async () => {
    const session = await bench.logIn();
    await bench.call('endSession', { token: session.accessToken });
    expect((await refresh(session.refreshToken)).body.error.code).toBe('SESSION_INACTIVE');
  });

  test('returns 401 CREDENTIAL_INVALID for an unknown refresh token', async () => {
    const answer = await refresh('A'.repeat(43));
    expect([answer.status, answer.body.error.code]).toEqual([401, 'CREDENTIAL_INVALID']);
  });

  test('returns 401 CREDENTIAL_EXPIRED 30 days after the login, even if the session was refreshed', async () => {
    const session = await bench.logIn();
    bench.advance(29 * 86_400);
    const { body } = await refresh(session.refreshToken);
    bench.advance(86_400 - 1);
    const late = await refresh(body.data.refreshToken);
    expect(late.body.data.expiresAt).toBe(session.refreshExpiresAt.replace(/\.\d+Z$/, '.000Z'));
    bench.advance(1);
    const expired = await refresh(late.body.data.refreshToken);
    expect([expired.status, expired.body.error.code]).toEqual([401, 'CREDENTIAL_EXPIRED']);
  });
});
