import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/test-database.js';
import { runSweep } from '../../database/hourly-sweeps.js';
import { createDatabase, type Database } from '../../database/pool.js';
import { openIdentity, type TestIdentity } from '../test-support/open-identity.js';
import { sessionSweeps } from './session-retention.queries.js';

const benches: { bench: TestIdentity; database: Database }[] = [];
let bench: TestIdentity;
let database: Database;

beforeEach(async () => {
  bench = openIdentity(await createTestDatabase());
  database = createDatabase({ connectionString: bench.connectionString, poolMax: 4 });
  benches.push({ bench, database });
});
afterAll(async () => {
  for (const opened of benches) {
    await opened.database.close();
    await opened.bench.close();
  }
});

async function sweep(): Promise<number> {
  let removed = 0;
  for (const one of sessionSweeps) removed += await runSweep({ database, sweep: one, isStopped: () => false });
  return removed;
}

const sessionIds = async () =>
  (await bench.rows('select id from identity.sessions order by id')).map(({ id }) => id as string);
const tokenCount = async () =>
  (await bench.rows('select count(*)::int as count from identity.refresh_tokens'))[0]?.count;

/** Moves all times of a session into the past. */
const age = (sessionId: string, days: number) =>
  bench.rows(
    `update identity.sessions set created_at = created_at - interval '${days} days',
       expires_at = expires_at - interval '${days} days', ended_at = ended_at - interval '${days} days'
     where id = '${sessionId}'`,
  );

describe('the sweep of sessions', () => {
  test('removes only sessions that ended or expired more than a week ago, and removes their refresh tokens', async () => {
    const [active, ended, endedLately, expired, expiredLately] = await Promise.all(
      Array.from({ length: 5 }, () => bench.logIn()),
    );
    if (!active || !ended || !endedLately || !expired || !expiredLately) throw new Error('Expected five sessions.');
    await bench.call('refreshSession', { body: { refreshToken: ended.refreshToken } });
    for (const { accessToken } of [ended, endedLately]) await bench.call('endSession', { token: accessToken });
    await age(active.sessionId, 29);
    await age(ended.sessionId, 8);
    await age(endedLately.sessionId, 6);
    await age(expired.sessionId, 38);
    await age(expiredLately.sessionId, 36);
    // The sweep removes two sessions and three tokens, because one session was refreshed.
    expect(await sweep()).toBe(5);
    expect(await sessionIds()).toEqual([active, endedLately, expiredLately].map(({ sessionId }) => sessionId).sort());
    expect(await tokenCount()).toBe(3);
    expect((await bench.call('getMe', { token: active.accessToken })).status).toBe(200);
  });

  test('keeps the used refresh tokens of an active session, so that their reuse ends the session', async () => {
    const session = await bench.logIn();
    const refreshed = await bench.call('refreshSession', { body: { refreshToken: session.refreshToken } });
    await age(session.sessionId, 29);
    expect(await sweep()).toBe(0);
    const again = await bench.call('refreshSession', { body: { refreshToken: session.refreshToken } });
    expect(again.body.error.code).toBe('CREDENTIAL_REVOKED');
    const after = await bench.call('getMe', { token: refreshed.body.data.accessToken });
    expect(after.body.error.code).toBe('SESSION_INACTIVE');
  });

  test('removes 1,500 old sessions and their tokens, each row once, when three sweeps run concurrently', async () => {
    const { sessionId } = await bench.logIn();
    await bench.rows(
      `with old as (
         insert into identity.sessions (id, user_id, amr, created_at, expires_at)
         select gen_random_uuid(), s.user_id, '[]', now() - interval '60 days', now() - interval '30 days'
         from identity.sessions s, generate_series(1, 1500) returning id
       )
       insert into identity.refresh_tokens (token_sha256, session_id)
       select sha256(convert_to(old.id::text || n::text, 'UTF8')), old.id from old, generate_series(1, 2) n`,
    );
    const removed = await Promise.all([sweep(), sweep(), sweep()]);
    // A sweep skips the rows that another sweep has locked. The next sweep removes them.
    expect(removed.reduce((sum, count) => sum + count) + (await sweep())).toBe(4500);
    expect(await sessionIds()).toEqual([sessionId]);
    expect(await tokenCount()).toBe(1);
  });
});
