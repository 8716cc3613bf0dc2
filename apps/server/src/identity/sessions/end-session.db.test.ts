import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/test-database.js';
import { waitingForAdvisoryLocks, waitUntil } from '../test-support/advisory-locks.js';
import { openIdentity, type TestIdentity } from '../test-support/open-identity.js';

let bench: TestIdentity;
beforeAll(async () => {
  bench = openIdentity(await createTestDatabase());
});
afterAll(() => bench.close());

describe('DELETE /sessions/current', () => {
  // @proves contract 8: DELETE /sessions/current
  test('returns 204, and later operations with the token return 401 SESSION_INACTIVE', async () => {
    const { accessToken } = await bench.logIn();
    expect(await bench.call('endSession', { token: accessToken })).toEqual({
      status: 204,
      headers: {},
      body: undefined,
    });
    for (const name of ['getMe', 'endSession', 'enrolTotp'] as const) {
      const answer = await bench.call(name, { token: accessToken });
      expect([answer.status, answer.body.error.code]).toEqual([401, 'SESSION_INACTIVE']);
    }
  });

  test('keeps other sessions of the user active', async () => {
    const { accessToken, email, password } = await bench.logIn();
    const other = await bench.call('createSession', { body: { email, password } });
    await bench.call('endSession', { token: accessToken });
    expect((await bench.call('getMe', { token: other.body.data.accessToken })).status).toBe(200);
  });

  // @proves contract 8: Revocation and loss of a role
  test('waits for an open write transaction of the session before it ends the session', async () => {
    const { accessToken, sessionId } = await bench.logIn();
    const writer = new pg.Client({ connectionString: bench.connectionString });
    await writer.connect();
    try {
      // Takes the shared lock that the authentication of a write takes. A write holds this lock until COMMIT.
      await writer.query('begin');
      await writer.query('select pg_advisory_xact_lock_shared(hashtextextended($1::uuid::text, 1))', [sessionId]);
      const ending = bench.call('endSession', { token: accessToken });
      await waitUntil(async () => (await waitingForAdvisoryLocks(writer)) === 1);
      const endedBefore = await bench.rows(`select ended_at from identity.sessions where id = '${sessionId}'`);
      await writer.query('commit');
      expect(endedBefore).toEqual([{ ended_at: null }]);
      expect((await ending).status).toBe(204);
    } finally {
      await writer.end();
    }
  });
});
