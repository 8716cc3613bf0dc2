import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let client: pg.Client;
let owner: TestUser;
let guest: TestUser;
let trackerId: string;

beforeAll(async () => {
  server = await startTestServer();
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

beforeEach(async () => {
  owner = await server.newUser();
  guest = await server.newUser();
  trackerId = (await server.newTracker(owner)).id;
});

function invite(role = 'editor', caller = owner) {
  return server.call('addMember', { token: caller.token, params: { trackerId }, body: { email: guest.email, role } });
}

function accept(user: TestUser, id = trackerId) {
  return server.call('acceptInvitation', { token: user.token, params: { trackerId: id } });
}

function decline(user: TestUser, id = trackerId) {
  return server.call('declineInvitation', { token: user.token, params: { trackerId: id } });
}

describe('an open invitation', () => {
  // @proves contract 10a: Members
  it('does not change the context, trackers, accounts or movements that the invited user can read', async () => {
    const existingUser = guest;
    const own = await server.newTracker(existingUser);
    await server.call('setActiveTracker', { token: existingUser.token, body: { trackerId: own.id } });
    await client.query('update app.users set active_tracker_id = null, default_tracker_id = null where id = $1', [
      existingUser.userId,
    ]);
    const newUser = await server.newUser();
    for (guest of [existingUser, newUser]) {
      const before = await collectResponses(guest);
      expect((await invite('owner')).status).toBe(201);
      expect(await collectResponses(guest)).toEqual(before);
    }
    const body = { name: 'Mine', type: 'cash' };
    expect((await server.call('createAccount', { token: existingUser.token, body })).meta.trackerId).toBe(own.id);
    const refused = await server.call('createAccount', { token: newUser.token, body });
    expect(refused.error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [] } });
  });
});

describe('GET /invitations or POST /invitations/{trackerId}/accept', () => {
  // @proves contract 9: GET /invitations
  it("lists the caller's invitations with tracker, inviter and expiry", async () => {
    await invite('viewer');
    await server.call('addMember', {
      token: owner.token,
      params: { trackerId },
      body: { email: (await server.newUser()).email, role: 'admin' },
    });
    const { data, meta } = await server.call('listInvitations', { token: guest.token });
    expect(data).toEqual([
      {
        trackerId,
        trackerName: 'Home',
        role: 'viewer',
        invitedBy: { userId: owner.userId, email: owner.email, displayName: 'Ada' },
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ]);
    const [invitation] = data;
    expect(Date.parse(invitation?.expiresAt ?? '') - Date.parse(invitation?.createdAt ?? '')).toBe(30 * 86_400_000);
    expect(meta.trackerId).toBeNull();
    expect((await server.call('listInvitations', { token: owner.token })).data).toEqual([]);
  });

  // @proves contract 9: GET /invitations
  it('gives the role immediately to the user who accepts, and removes the invitation', async () => {
    await invite('editor');
    const { status, data, meta } = await accept(guest, trackerId.toUpperCase());
    expect([status, meta.trackerId]).toEqual([200, null]);
    expect(data).toMatchObject({ userId: guest.userId, email: guest.email, role: 'editor', status: 'active' });
    const { data: trackers } = await server.call('listTrackers', { token: guest.token });
    expect(trackers).toMatchObject([{ id: trackerId, role: 'editor', isActive: false, isDefault: false }]);
    const made = await server.call('createCategory', { token: guest.token, body: { name: 'Food' } });
    expect([made.status, made.meta.trackerId]).toEqual([201, trackerId]);
    expect((await server.call('listInvitations', { token: guest.token })).data).toEqual([]);
  });

  it('records the acceptance as an audit event of the tracker, caused by the user who accepted', async () => {
    const own = await server.newTracker(guest);
    await invite('editor');
    await accept(guest);
    const { rows } = await client.query(
      `select tracker_id, action, user_id, resource_id, change from app.recorded_events
       where tracker_id = any ($1) and user_id = $2 and resource_type = 'member'`,
      [[trackerId, own.id], guest.userId],
    );
    expect(rows).toEqual([
      {
        tracker_id: trackerId,
        action: 'member.added',
        user_id: guest.userId,
        resource_id: guest.userId,
        change: { role: [null, 'editor'] },
      },
    ]);
  });

  it('makes the user an owner when the accepted invitation has the role owner', async () => {
    await invite('owner');
    expect((await accept(guest)).data.role).toBe('owner');
    const params = { trackerId, userId: owner.userId };
    expect((await server.call('removeMember', { token: guest.token, params })).status).toBe(204);
  });
});

describe('DELETE /invitations/{trackerId}', () => {
  // @proves contract 9: GET /invitations
  it('removes the invitation, so that it can no longer be accepted and the user can be invited again', async () => {
    await invite();
    const declined = await decline(guest);
    expect(declined.status).toBe(204);
    expect((await accept(guest)).status).toBe(404);
    const { rows } = await client.query('select action, resource_id from app.user_audit_events where user_id = $1', [
      guest.userId,
    ]);
    expect(rows).toEqual([{ action: 'invitation.declined', resource_id: trackerId }]);
    expect((await invite()).status).toBe(201);
  });
});

describe('the operations on invitations, called by an integration client', () => {
  it('return USER_SESSION_REQUIRED, even if the client belongs to the invited user', async () => {
    await invite();
    const body = { name: 'Bot', scopes: ['movements:read'] };
    const { data } = await server.call('createIntegrationClient', { token: guest.token, body });
    const token = data.secret;
    for (const { error } of [
      await server.call('listInvitations', { token }),
      await server.call('acceptInvitation', { token, params: { trackerId } }),
      await server.call('declineInvitation', { token, params: { trackerId } }),
    ]) {
      expect(error?.code).toBe('USER_SESSION_REQUIRED');
    }
    expect((await accept(guest)).status).toBe(200);
  });
});

describe('the operations that accept or decline an invitation', () => {
  // @proves contract 9: GET /invitations
  it('return 404 for an invitation that does not exist, belongs to another user, was withdrawn or has expired', async () => {
    const outsider = await server.newUser();
    await invite();
    for (const { error } of [
      await accept(outsider),
      await decline(outsider),
      await accept(owner),
      await accept(guest, randomUUID()),
      await decline(guest, randomUUID()),
      await accept(guest, 'malformed'),
      await decline(guest, 'malformed'),
    ]) {
      expect(error).toMatchObject({ code: 'NOT_FOUND', details: {} });
    }
    await client.query(`update app.invitations set expires_at = now() - interval '1 second' where tracker_id = $1`, [
      trackerId,
    ]);
    expect((await server.call('listInvitations', { token: guest.token })).data).toEqual([]);
    expect([(await accept(guest)).status, (await decline(guest)).status]).toEqual([404, 404]);
    await invite();
    await server.call('removeMember', { token: owner.token, params: { trackerId, userId: guest.userId } });
    expect([(await accept(guest)).status, (await decline(guest)).status]).toEqual([404, 404]);
    const { rows } = await client.query('select user_id from app.members where tracker_id = $1', [trackerId]);
    expect(rows).toEqual([{ user_id: owner.userId }]);
  });
});

describe('invitations', () => {
  it('stay open when the invited user already owns 200 trackers and therefore cannot accept the role owner', async () => {
    await client.query(
      `with t as (insert into app.trackers (id, name, currency_code, time_zone)
         select gen_random_uuid(), 'Old ' || n, 'EUR', 'UTC' from generate_series(1, 200) n returning id)
       insert into app.members (tracker_id, user_id, role) select id, $1, 'owner' from t`,
      [guest.userId],
    );
    await invite('owner');
    const refused = await accept(guest);
    expect(refused.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
    expect((await server.call('listInvitations', { token: guest.token })).data).toHaveLength(1);
    await server.call('changeMemberRole', {
      token: owner.token,
      params: { trackerId, userId: guest.userId },
      body: { role: 'admin' },
    });
    expect((await accept(guest)).status).toBe(200);
  });

  // @proves contract 10a: Bounds
  it('are refused with limit_reached when the user already has 100 open invitations, even if the requests are concurrent', async () => {
    // Inserts 98 open invitations and three expired ones.
    await client.query(
      `with t as (insert into app.trackers (id, name, currency_code, time_zone)
         select gen_random_uuid(), 'Other ' || n, 'EUR', 'UTC' from generate_series(1, 101) n returning id)
       insert into app.invitations (tracker_id, user_id, role, invited_by, expires_at)
       select id, $1, 'viewer', $2, now() + case when row_number() over () > 98 then interval '0' else interval '1 day' end
       from t`,
      [guest.userId, owner.userId],
    );
    const inviters = await Promise.all(Array.from({ length: 4 }, () => server.newUser()));
    const trackers = await Promise.all(inviters.map((inviter) => server.newTracker(inviter)));
    const responses = await Promise.all(
      inviters.map(({ token }, index) =>
        server.call('addMember', {
          token,
          params: { trackerId: trackers[index]?.id ?? '' },
          body: { email: guest.email, role: 'viewer' },
        }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
    expect((await server.call('listInvitations', { token: guest.token })).data).toHaveLength(100);
  });
});

/** Collects the responses that a user gets without a tracker header, and with a header that names the tracker of the invitation. */
async function collectResponses({ token }: TestUser) {
  const responses = [];
  for (const tracker of [{}, { tracker: trackerId }]) {
    for (const name of ['getContext', 'listTrackers', 'listAccounts', 'listMovements'] as const) {
      const { status, data, error, meta } = await server.call(name, { token, ...tracker });
      responses.push({ name, status, data, error, trackerId: meta.trackerId });
    }
  }
  const { status, error } = await server.call('listMembers', { token, params: { trackerId } });
  return [...responses, { status, error }];
}
