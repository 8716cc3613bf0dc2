import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplicatedServer, startReplicatedServer } from '../../test-support/start-replicated-server.js';
import type { TestUser } from '../../test-support/start-test-server.js';
import { createDatabase, type Database } from '../database/pool.js';
import { query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';
import { openReplicaContext } from './auth.queries.js';

let replicated: ReplicatedServer;
let owner: TestUser;
let otherUser: TestUser;
let tracker: { id: string; accountId: string };
let otherTracker: { id: string; accountId: string };

const anyPosition = { 'Centavo-Read-After': '0/0' };

beforeAll(async () => {
  replicated = await startReplicatedServer();
  [owner, otherUser] = [await replicated.server.newSteppedUpUser(), await replicated.server.newUser()];
  tracker = await replicated.server.newTracker(owner);
  otherTracker = await replicated.server.newTracker(otherUser);
  await replicated.postgres.catchUp();
});

afterAll(() => replicated.close());

/** Lists the accounts. The request accepts any log position, so that the replica may answer even while it lags. */
function list(token: string, trackerId = tracker.id) {
  return replicated.server.call('listAccounts', { token, tracker: trackerId, headers: anyPosition });
}

describe('the server, while its replica lags', () => {
  it('rejects reads with a revoked key at once', async () => {
    const body = { name: 'Key', scopes: ['accounts:read'], access: { mode: 'all_managed' } };
    const { data: key } = await replicated.server.call('createApiKey', { token: owner.token, body });
    await replicated.postgres.catchUp();
    const outcomes = await replicated.outcomesOf(async () => expect((await list(key.secret)).status).toBe(200));
    expect(outcomes).toEqual({ answered: 1 });
    await replicated.whileBehind(async () => {
      expect((await list(key.secret)).status).toBe(200);
      await replicated.server.call('revokeApiKey', { token: owner.token, params: { clientId: key.clientId } });
      const { status, error } = await list(key.secret);
      expect([status, error?.code]).toEqual([401, 'CREDENTIAL_REVOKED']);
    });
  });

  it('rejects reads in an ended session at once', async () => {
    const { data } = await replicated.server.call('createSession', {
      body: { email: owner.email, password: owner.password },
    });
    await replicated.whileBehind(async () => {
      expect((await list(data.accessToken)).status).toBe(200);
      await replicated.server.call('endSession', { token: data.accessToken });
      expect((await list(data.accessToken)).error?.code).toBe('SESSION_INACTIVE');
    });
  });

  it('rejects reads by a removed member at once, and serves a new member from the primary', async () => {
    const params = { trackerId: tracker.id };
    const outcomes = await replicated.outcomesOf(() =>
      replicated.whileBehind(async () => {
        await replicated.server.addMember({ by: owner, trackerId: tracker.id, user: otherUser, role: 'viewer' });
        const { data } = await list(otherUser.token);
        expect(data.map(({ id }) => id)).toEqual([tracker.accountId]);
      }),
    );
    expect(outcomes).toEqual({ behind: 1 });
    await replicated.whileBehind(async () => {
      await replicated.server.call('removeMember', {
        token: owner.token,
        params: { ...params, userId: otherUser.userId },
      });
      const { status, error } = await list(otherUser.token);
      expect([status, error?.code]).toEqual([403, 'TRACKER_FORBIDDEN']);
    });
  });
});

describe('a read sent to the replica', () => {
  let standby: Database;

  beforeAll(() => {
    standby = createDatabase({ connectionString: replicated.postgres.standbyUrl, poolMax: 1 });
  });

  afterAll(() => standby.close());

  const openContext = (tx: Transaction, reading: { userId: string; trackerId: string; readAfter?: string }) =>
    openReplicaContext(tx, { principalRoot: `user:${reading.userId}`, readAfter: '0/0', ...reading });

  it("returns only accounts of the caller's tracker, and 404 for a movement of another tracker", async () => {
    const { data } = await replicated.server.call('createMovement', {
      token: owner.token,
      tracker: tracker.id,
      body: { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId },
    });
    await replicated.postgres.catchUp();
    const outcomes = await replicated.outcomesOf(async () => {
      expect((await list(owner.token)).data.map(({ id }) => id)).toEqual([tracker.accountId]);
      const other = await list(otherUser.token, otherTracker.id);
      expect(other.data.map(({ id }) => id)).toEqual([otherTracker.accountId]);
      const byId = { token: otherUser.token, params: { movementId: data.id }, headers: anyPosition };
      expect((await replicated.server.call('getMovement', byId)).status).toBe(404);
    });
    expect(outcomes).toEqual({ answered: 3 });
    expect((await list(otherUser.token)).error?.code).toBe('TRACKER_FORBIDDEN');
  });

  it('runs with the role centavo_app with the settings of one tracker, and leaves no role and no settings on the connection', async () => {
    const rows = await standby.transaction({ readOnly: true }, async (tx) => {
      const mayAnswer = await openContext(tx, { userId: owner.userId, trackerId: tracker.id });
      const [context] = await query(
        tx,
        `select current_user::text as role, current_setting('app.principal_root') as root,
           current_setting('statement_timeout') as "statementTimeout",
           (select array_agg(distinct tracker_id::text) from app.accounts) as trackers`,
      );
      return { mayAnswer, context };
    });
    expect(rows).toEqual({
      mayAnswer: true,
      context: {
        role: 'centavo_app',
        root: `user:${owner.userId}`,
        statementTimeout: '3s',
        trackers: [tracker.id],
      },
    });
    const [after] = await standby.transaction({ readOnly: true }, (tx) =>
      query(tx, `select current_user = session_user as outside, current_setting('app.user_id', true) as "userId"`),
    );
    expect(after).toEqual({ outside: true, userId: '' });
  });

  it.each([
    ['who is not a member of the tracker', () => ({ userId: otherUser.userId, trackerId: tracker.id })],
    ['who is unknown', () => ({ userId: randomUUID(), trackerId: tracker.id })],
    [
      'who requires a log position that the replica has not replayed',
      () => ({ userId: owner.userId, trackerId: tracker.id, readAfter: 'F/0' }),
    ],
  ])('is not answered by the replica for a caller %s', async (_, reading) => {
    expect(await standby.transaction({ readOnly: true }, (tx) => openContext(tx, reading()))).toBe(false);
  });

  it('is not answered by the configured replica if it is a primary, because a primary does not replay the write-ahead log', async () => {
    const primary = createDatabase({ connectionString: replicated.postgres.primaryUrl, poolMax: 1 });
    const reading = { userId: owner.userId, trackerId: tracker.id };
    expect(await primary.transaction({ readOnly: true }, (tx) => openContext(tx, reading))).toBe(false);
    await primary.close();
  });

  it('is not answered by a replica with Citus, because each node of Citus has its own write-ahead log', async () => {
    const reading = { userId: owner.userId, trackerId: tracker.id };
    const mayAnswer = () => standby.transaction({ readOnly: true }, (tx) => openContext(tx, reading));
    expect(await mayAnswer()).toBe(true);
    // The test inserts the row in pg_extension that the server looks for. CREATE EXTENSION needs files that some machines lack.
    await replicated.postgres.onPrimary(`set allow_system_table_mods = on; insert into pg_extension
      (oid, extname, extowner, extnamespace, extrelocatable, extversion) values (1, 'citus', 10, 11, false, '0')`);
    await replicated.postgres.catchUp();
    expect(await mayAnswer()).toBe(false);
    await replicated.postgres.onPrimary(
      `set allow_system_table_mods = on; delete from pg_extension where extname = 'citus'`,
    );
    await replicated.postgres.catchUp();
  });
});

describe('a former replica', () => {
  it('serves no read after its promotion', async () => {
    const outcomes = await replicated.outcomesOf(async () => {
      expect((await list(owner.token)).status).toBe(200);
      await replicated.postgres.promoteStandby();
      expect((await list(owner.token)).status).toBe(200);
    });
    expect(outcomes).toEqual({ answered: 1, behind: 1 });
  });

  it('causes no failed request after it stops, because the primary serves every read', async () => {
    await replicated.postgres.stopStandby();
    const outcomes = await replicated.outcomesOf(async () => {
      const { status, headers } = await replicated.server.call('createMovement', {
        token: owner.token,
        tracker: tracker.id,
        body: { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId },
      });
      expect([status, headers.has('centavo-read-after')]).toEqual([201, true]);
      for (let reads = 0; reads < 5; reads += 1) expect((await list(owner.token)).status).toBe(200);
      expect((await fetch(`${replicated.server.origin}/health/ready`)).status).toBe(200);
    });
    expect(outcomes).toEqual({ away: 5 });
  });
});
