import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplicatedServer, startReplicatedServer } from '../../test-support/start-replicated-server.js';
import type { TestUser } from '../../test-support/start-test-server.js';
import { createDatabase, type Database, type Transaction } from '../database/database.js';
import { query } from '../database/query.js';
import { enterReplica } from './access.queries.js';

let place: ReplicatedServer;
let owner: TestUser;
let stranger: TestUser;
let tracker: { id: string; accountId: string };
let strangersTracker: { id: string; accountId: string };

const anything = { 'Centavo-Read-After': '0/0' };

beforeAll(async () => {
  place = await startReplicatedServer();
  [owner, stranger] = [await place.server.newSteppedUpUser(), await place.server.newUser()];
  tracker = await place.server.newTracker(owner);
  strangersTracker = await place.server.newTracker(stranger);
  await place.postgres.catchUp();
});

afterAll(() => place.close());

/** Lists the accounts, from whatever the replica has. */
function list(token: string, trackerId = tracker.id) {
  return place.server.call('listAccounts', { token, tracker: trackerId, headers: anything });
}

describe('however far behind the replica is', () => {
  it('a key that was revoked is refused by the next read', async () => {
    const body = { name: 'Key', scopes: ['accounts:read'], access: { mode: 'all_managed' } };
    const { data: key } = await place.server.call('createApiKey', { token: owner.token, body });
    await place.postgres.catchUp();
    const outcomes = await place.outcomesOf(async () => expect((await list(key.secret)).status).toBe(200));
    expect(outcomes).toEqual({ answered: 1 });
    await place.whileBehind(async () => {
      expect((await list(key.secret)).status).toBe(200);
      await place.server.call('revokeApiKey', { token: owner.token, params: { clientId: key.clientId } });
      const { status, error } = await list(key.secret);
      expect([status, error?.code]).toEqual([401, 'CREDENTIAL_REVOKED']);
    });
  });

  it('a session that has ended is refused by the next read', async () => {
    const { data } = await place.server.call('createSession', {
      body: { email: owner.email, password: owner.password },
    });
    await place.whileBehind(async () => {
      expect((await list(data.accessToken)).status).toBe(200);
      await place.server.call('endSession', { token: data.accessToken });
      expect((await list(data.accessToken)).error?.code).toBe('SESSION_INACTIVE');
    });
  });

  it('a member who was removed is refused by the next read, and one who was added is answered by the primary', async () => {
    const params = { trackerId: tracker.id };
    const outcomes = await place.outcomesOf(() =>
      place.whileBehind(async () => {
        await place.server.addMember({ by: owner, trackerId: tracker.id, user: stranger, role: 'viewer' });
        const { data } = await list(stranger.token);
        expect(data.map(({ id }) => id)).toEqual([tracker.accountId]);
      }),
    );
    expect(outcomes).toEqual({ behind: 1 });
    await place.whileBehind(async () => {
      await place.server.call('removeMember', { token: owner.token, params: { ...params, userId: stranger.userId } });
      const { status, error } = await list(stranger.token);
      expect([status, error?.code]).toEqual([403, 'TRACKER_FORBIDDEN']);
    });
  });
});

describe('on the replica', () => {
  let standby: Database;

  beforeAll(() => {
    standby = createDatabase({ connectionString: place.postgres.standbyUrl, poolMax: 1 });
  });

  afterAll(() => standby.close());

  const enter = (tx: Transaction, reading: { userId: string; trackerId: string; readAfter?: string }) =>
    enterReplica(tx, { principalRoot: `user:${reading.userId}`, readAfter: '0/0', ...reading });

  it('each sees their own books and nothing of the other’s, by lists and by ids', async () => {
    const { data } = await place.server.call('createMovement', {
      token: owner.token,
      tracker: tracker.id,
      body: { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId },
    });
    await place.postgres.catchUp();
    const outcomes = await place.outcomesOf(async () => {
      expect((await list(owner.token)).data.map(({ id }) => id)).toEqual([tracker.accountId]);
      const others = await list(stranger.token, strangersTracker.id);
      expect(others.data.map(({ id }) => id)).toEqual([strangersTracker.accountId]);
      const byId = { token: stranger.token, params: { movementId: data.id }, headers: anything };
      expect((await place.server.call('getMovement', byId)).status).toBe(404);
    });
    expect(outcomes).toEqual({ answered: 3 });
    expect((await list(stranger.token)).error?.code).toBe('TRACKER_FORBIDDEN');
  });

  it('row-level security binds the reading: as centavo_app, in one tracker, and nothing of that stays', async () => {
    const rows = await standby.transaction({ readOnly: true }, async (tx) => {
      const isEnough = await enter(tx, { userId: owner.userId, trackerId: tracker.id });
      const [context] = await query(
        tx,
        `select current_user::text as role, current_setting('app.principal_root') as root,
           current_setting('statement_timeout') as "statementTimeout",
           (select array_agg(distinct tracker_id::text) from app.accounts) as trackers`,
      );
      return { isEnough, context };
    });
    expect(rows).toEqual({
      isEnough: true,
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
    ['who is no member of the tracker', () => ({ userId: stranger.userId, trackerId: tracker.id })],
    ['whom nobody knows', () => ({ userId: randomUUID(), trackerId: tracker.id })],
    ['who wants what is still to come', () => ({ userId: owner.userId, trackerId: tracker.id, readAfter: 'F/0' })],
  ])('there is not enough for a caller %s', async (_, reading) => {
    expect(await standby.transaction({ readOnly: true }, (tx) => enter(tx, reading()))).toBe(false);
  });

  it('a server that replays nothing is never enough, because its place in the log says nothing', async () => {
    const primary = createDatabase({ connectionString: place.postgres.primaryUrl, poolMax: 1 });
    const reading = { userId: owner.userId, trackerId: tracker.id };
    expect(await primary.transaction({ readOnly: true }, (tx) => enter(tx, reading))).toBe(false);
    await primary.close();
  });

  it('there is not enough where the rows lie on other machines, whose logs are others', async () => {
    const reading = { userId: owner.userId, trackerId: tracker.id };
    const isEnough = () => standby.transaction({ readOnly: true }, (tx) => enter(tx, reading));
    expect(await isEnough()).toBe(true);
    // Only that it is named there is asked, and what it needs to be made is not on every machine.
    await place.postgres.onPrimary(`set allow_system_table_mods = on; insert into pg_extension
      (oid, extname, extowner, extnamespace, extrelocatable, extversion) values (1, 'citus', 10, 11, false, '0')`);
    await place.postgres.catchUp();
    expect(await isEnough()).toBe(false);
    await place.postgres.onPrimary(
      `set allow_system_table_mods = on; delete from pg_extension where extname = 'citus'`,
    );
    await place.postgres.catchUp();
  });
});

describe('a replica that is none any more', () => {
  it('because it was made a primary answers nothing: its place in the log says nothing about ours', async () => {
    const outcomes = await place.outcomesOf(async () => {
      expect((await list(owner.token)).status).toBe(200);
      await place.postgres.promoteStandby();
      expect((await list(owner.token)).status).toBe(200);
    });
    expect(outcomes).toEqual({ answered: 1, behind: 1 });
  });

  it('because it ended costs nobody an answer: the primary gives all of them', async () => {
    await place.postgres.stopStandby();
    const outcomes = await place.outcomesOf(async () => {
      const { status, headers } = await place.server.call('createMovement', {
        token: owner.token,
        tracker: tracker.id,
        body: { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId },
      });
      expect([status, headers.has('centavo-read-after')]).toEqual([201, true]);
      for (let reads = 0; reads < 5; reads += 1) expect((await list(owner.token)).status).toBe(200);
      expect((await fetch(`${place.server.origin}/health/ready`)).status).toBe(200);
    });
    expect(outcomes).toEqual({ away: 5 });
  });
});
