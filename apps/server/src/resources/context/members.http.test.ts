import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let client: pg.Client;
let owner: TestUser;
let admin: TestUser;
let editor: TestUser;
let otherUser: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  [owner, admin, editor, otherUser] = (await Promise.all(Array.from({ length: 4 }, () => server.newUser()))) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ];
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

/** Creates a tracker with an owner, an admin and an editor. */
async function newTracker(): Promise<string> {
  const { id } = await server.newTracker(owner);
  await server.addMember({ by: owner, trackerId: id, user: admin, role: 'admin' });
  await server.addMember({ by: owner, trackerId: id, user: editor, role: 'editor' });
  return id;
}

function invite(caller: TestUser, trackerId: string, body: Record<string, unknown>) {
  return server.call('addMember', { token: caller.token, params: { trackerId }, body });
}

function change(caller: TestUser, trackerId: string, member: { userId: string; role: string }) {
  const { userId, role } = member;
  return server.call('changeMemberRole', { token: caller.token, params: { trackerId, userId }, body: { role } });
}

function remove(caller: TestUser, trackerId: string, userId: string) {
  return server.call('removeMember', { token: caller.token, params: { trackerId, userId } });
}

async function rolesIn(trackerId: string): Promise<Record<string, string>> {
  const { rows } = await client.query('select user_id, role from app.members where tracker_id = $1', [trackerId]);
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
}

async function invitedRolesIn(trackerId: string): Promise<Record<string, string>> {
  const { rows } = await client.query('select user_id, role from app.invitations where tracker_id = $1', [trackerId]);
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
}

async function auditsIn(trackerId: string) {
  const { rows } = await client.query(
    `select action, user_id, resource_id, change from app.recorded_events
     where tracker_id = $1 and resource_type = 'member' order by occurred_at, id`,
    [trackerId],
  );
  return rows;
}

describe('GET /trackers/{trackerId}/members', () => {
  // @proves contract 10a: Members
  it('returns only the members of this tracker to an editor', async () => {
    const trackerId = await newTracker();
    await newTracker();
    const { data } = await server.call('listMembers', { token: editor.token, params: { trackerId } });
    expect(data.map(({ email, role, status }) => [email, role, status])).toEqual([
      [owner.email, 'owner', 'active'],
      [admin.email, 'admin', 'active'],
      [editor.email, 'editor', 'active'],
    ]);
  });

  // @proves contract 10a: Members
  it('lists an invited user, with the time when the user registered, until the invitation expires', async () => {
    const trackerId = await newTracker();
    await invite(admin, trackerId, { email: otherUser.email, role: 'viewer' });
    const listed = () => server.call('listMembers', { token: editor.token, params: { trackerId } });
    const { rows } = await client.query('select created_at from app.users where id = $1', [otherUser.userId]);
    expect((await listed()).data.at(-1)).toMatchObject({
      userId: otherUser.userId,
      email: otherUser.email,
      displayName: 'Ada',
      role: 'viewer',
      status: 'invited',
      registeredAt: new Date(rows[0].created_at).toISOString(),
    });
    await client.query(`update app.invitations set expires_at = now() - interval '1 second' where tracker_id = $1`, [
      trackerId,
    ]);
    expect((await listed()).data.map(({ userId }) => userId)).toEqual([owner.userId, admin.userId, editor.userId]);
  });
});

describe('PATCH /trackers/{trackerId}/members/{userId}', () => {
  it('changes the role of an invitation, and records an audit event', async () => {
    const trackerId = await newTracker();
    await invite(admin, trackerId, { email: otherUser.email, role: 'viewer' });
    const { status, data } = await change(admin, trackerId, { userId: otherUser.userId, role: 'admin' });
    expect([status, data.role, data.status]).toEqual([200, 'admin', 'invited']);
    expect(await invitedRolesIn(trackerId)).toEqual({ [otherUser.userId]: 'admin' });
    expect(await rolesIn(trackerId)).not.toHaveProperty(otherUser.userId);
    expect((await auditsIn(trackerId)).at(-1)).toEqual({
      action: 'member.invited',
      user_id: admin.userId,
      resource_id: otherUser.userId,
      change: { role: ['viewer', 'admin'] },
    });
  });

  it('applies a changed role to the next request, and records an audit event', async () => {
    const trackerId = await newTracker();
    const { data } = await change(admin, trackerId, { userId: editor.userId, role: 'viewer' });
    expect(data).toMatchObject({ userId: editor.userId, email: editor.email, displayName: 'Ada', role: 'viewer' });
    const tried = await server.call('createCategory', {
      token: editor.token,
      tracker: trackerId,
      body: { name: 'Food' },
    });
    expect(tried.error?.code).toBe('INSUFFICIENT_ROLE');
    expect((await auditsIn(trackerId)).at(-1)).toEqual({
      action: 'member.role_changed',
      user_id: admin.userId,
      resource_id: editor.userId,
      change: { role: ['editor', 'viewer'] },
    });
  });

  it('returns the member and records no audit event when the new role equals the current one', async () => {
    const trackerId = await newTracker();
    const before = await auditsIn(trackerId);
    expect((await change(owner, trackerId, { userId: owner.userId, role: 'owner' })).data.role).toBe('owner');
    expect(await auditsIn(trackerId)).toEqual(before);
  });

  it('lets an owner take a lower role when there is another owner', async () => {
    const trackerId = await newTracker();
    await change(owner, trackerId, { userId: admin.userId, role: 'owner' });
    expect((await change(owner, trackerId, { userId: owner.userId, role: 'viewer' })).status).toBe(200);
    expect(await rolesIn(trackerId)).toMatchObject({ [owner.userId]: 'viewer', [admin.userId]: 'owner' });
  });
});

describe('POST /trackers/{trackerId}/members', () => {
  // @proves contract 9: GET, POST /trackers/{id}/members
  it('invites a user by e-mail address, regardless of letter case and surrounding spaces, and does not make the user a member yet', async () => {
    const trackerId = await newTracker();
    const { status, data, headers } = await invite(admin, trackerId, {
      email: ` ${otherUser.email.toUpperCase()} `,
      role: 'viewer',
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/financial/trackers/${trackerId}/members`);
    expect(data).toMatchObject({ userId: otherUser.userId, email: otherUser.email, role: 'viewer', status: 'invited' });
    expect(await rolesIn(trackerId)).not.toHaveProperty(otherUser.userId);
    expect((await auditsIn(trackerId)).at(-1)).toMatchObject({
      action: 'member.invited',
      user_id: admin.userId,
      resource_id: otherUser.userId,
      change: { role: [null, 'viewer'] },
    });
  });

  it('lets an owner invite another user as owner', async () => {
    const trackerId = await newTracker();
    expect((await invite(owner, trackerId, { email: otherUser.email, role: 'owner' })).data.role).toBe('owner');
  });

  it('invites a user again after the invitation has expired', async () => {
    const trackerId = await newTracker();
    await invite(owner, trackerId, { email: otherUser.email, role: 'owner' });
    await client.query(
      `update app.invitations set created_at = now() - interval '30 days', expires_at = now() where tracker_id = $1`,
      [trackerId],
    );
    const { status, data } = await invite(admin, trackerId, { email: otherUser.email, role: 'viewer' });
    expect([status, data.role, data.status]).toEqual([201, 'viewer', 'invited']);
    expect(await invitedRolesIn(trackerId)).toEqual({ [otherUser.userId]: 'viewer' });
  });
});

describe('DELETE /trackers/{trackerId}/members/{userId}', () => {
  it('like PATCH, returns INSUFFICIENT_ROLE to an editor without waiting for a lock that another transaction holds on the membership', async () => {
    const trackerId = await newTracker();
    const other = new pg.Client({ connectionString: server.connectionString });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', [`${trackerId} ${admin.userId}`]);
      // If a request waited for the lock, it would end with 503 after the lock timeout.
      expect((await remove(editor, trackerId, admin.userId)).error?.code).toBe('INSUFFICIENT_ROLE');
      expect((await change(editor, trackerId, { userId: admin.userId, role: 'viewer' })).error?.code).toBe(
        'INSUFFICIENT_ROLE',
      );
    } finally {
      await other.end();
    }
  });

  it('lets an admin remove a member, who then gets TRACKER_FORBIDDEN for the tracker', async () => {
    const trackerId = await newTracker();
    expect((await remove(admin, trackerId, editor.userId.toUpperCase())).status).toBe(204);
    const refused = await server.call('listAccounts', { token: editor.token, tracker: trackerId });
    expect(refused.error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [trackerId] } });
    expect((await auditsIn(trackerId)).at(-1)).toEqual({
      action: 'member.removed',
      user_id: admin.userId,
      resource_id: editor.userId,
      change: { role: ['editor', null] },
    });
  });

  it('lets an admin withdraw an invitation, and returns 404 when the request is repeated', async () => {
    const trackerId = await newTracker();
    await invite(admin, trackerId, { email: otherUser.email, role: 'viewer' });
    expect((await remove(admin, trackerId, otherUser.userId)).status).toBe(204);
    expect(await invitedRolesIn(trackerId)).toEqual({});
    expect((await auditsIn(trackerId)).at(-1)).toEqual({
      action: 'member.removed',
      user_id: admin.userId,
      resource_id: otherUser.userId,
      change: { role: ['viewer', null] },
    });
    expect((await remove(admin, trackerId, otherUser.userId)).status).toBe(404);
    expect((await invite(admin, trackerId, { email: otherUser.email, role: 'viewer' })).status).toBe(201);
  });

  // @proves contract 10a: Members
  it('lets an editor leave, and records an audit event in the tracker', async () => {
    const trackerId = await newTracker();
    expect((await remove(editor, trackerId, editor.userId)).status).toBe(204);
    expect(await rolesIn(trackerId)).not.toHaveProperty(editor.userId);
    expect((await auditsIn(trackerId)).at(-1)).toMatchObject({ action: 'member.removed', user_id: editor.userId });
  });

  // @proves contract 2: A JWT, legacy or integration_client credential without the header
  it('does not replace the active tracker of the removed user, who then gets TRACKER_FORBIDDEN from GET /context', async () => {
    const trackerId = await newTracker();
    const member = await server.newUser();
    await server.newTracker(member);
    await server.addMember({ by: owner, trackerId, user: member, role: 'viewer' });
    await server.call('setActiveTracker', { token: member.token, body: { trackerId } });
    await remove(owner, trackerId, member.userId);
    const { error } = await server.call('getContext', { token: member.token });
    expect(error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [trackerId] } });
  });
});

describe('the operations on members', () => {
  // @proves contract 9: GET, POST /trackers/{id}/members
  it('return INSUFFICIENT_ROLE to an admin who adds, changes or removes an owner', async () => {
    const trackerId = await newTracker();
    const before = await rolesIn(trackerId);
    for (const { error } of [
      await invite(admin, trackerId, { email: otherUser.email, role: 'owner' }),
      await change(admin, trackerId, { userId: editor.userId, role: 'owner' }),
      await change(admin, trackerId, { userId: admin.userId, role: 'owner' }),
      await change(admin, trackerId, { userId: owner.userId, role: 'viewer' }),
      await remove(admin, trackerId, owner.userId),
    ]) {
      expect(error).toMatchObject({ code: 'INSUFFICIENT_ROLE', details: { requiredRole: 'owner' } });
    }
    expect(await rolesIn(trackerId)).toEqual(before);
  });

  it('return INSUFFICIENT_ROLE to an admin who changes or withdraws an invitation with the role owner, or grants this role', async () => {
    const trackerId = await newTracker();
    const other = await server.newUser();
    await invite(owner, trackerId, { email: otherUser.email, role: 'owner' });
    await invite(owner, trackerId, { email: other.email, role: 'viewer' });
    const before = await invitedRolesIn(trackerId);
    for (const { error } of [
      await change(admin, trackerId, { userId: otherUser.userId, role: 'viewer' }),
      await remove(admin, trackerId, otherUser.userId),
      await change(admin, trackerId, { userId: other.userId, role: 'owner' }),
    ]) {
      expect(error).toMatchObject({ code: 'INSUFFICIENT_ROLE', details: { requiredRole: 'owner' } });
    }
    expect(await invitedRolesIn(trackerId)).toEqual(before);
  });

  it('return the same INSUFFICIENT_ROLE to an editor who invites, changes or removes a user, whether or not the user is a member', async () => {
    const trackerId = await newTracker();
    const before = await rolesIn(trackerId);
    for (const { error } of [
      await invite(editor, trackerId, { email: otherUser.email, role: 'viewer' }),
      await change(editor, trackerId, { userId: editor.userId, role: 'admin' }),
      await remove(editor, trackerId, admin.userId),
      await remove(editor, trackerId, otherUser.userId),
    ]) {
      expect(error).toMatchObject({ code: 'INSUFFICIENT_ROLE', details: { requiredRole: 'admin' } });
    }
    expect(await rolesIn(trackerId)).toEqual(before);
  });
});

describe('the operations on members', () => {
  it('return the same 404 for a tracker of other users and for one that does not exist', async () => {
    const trackerId = await newTracker();
    for (const { error } of [
      await server.call('listMembers', { token: otherUser.token, params: { trackerId } }),
      await invite(otherUser, trackerId, { email: otherUser.email, role: 'viewer' }),
      await remove(otherUser, trackerId, otherUser.userId),
      await remove(otherUser, randomUUID(), otherUser.userId),
    ]) {
      expect(error).toMatchObject({ code: 'NOT_FOUND', details: {} });
    }
  });

  // @proves contract 10a: Members
  it('return 404 with details.resource "user" for an unknown e-mail address', async () => {
    const trackerId = await newTracker();
    const { error } = await invite(owner, trackerId, { email: 'nobody@example.org', role: 'viewer' });
    expect(error).toMatchObject({ code: 'NOT_FOUND', details: { resource: 'user', path: 'email' } });
  });

  it('return 404 when the changed or removed user is not a member', async () => {
    const trackerId = await newTracker();
    for (const userId of [otherUser.userId, randomUUID(), 'malformed']) {
      expect((await change(owner, trackerId, { userId, role: 'viewer' })).error).toMatchObject({ code: 'NOT_FOUND' });
      expect((await remove(owner, trackerId, userId)).error).toMatchObject({ code: 'NOT_FOUND', details: {} });
    }
  });
});

describe('the operations on members', () => {
  // @proves contract 10a: Members
  it('return already_member for all but one of several concurrent invitations of a user, even with different roles', async () => {
    const trackerId = await newTracker();
    const responses = await Promise.all(
      ['viewer', 'editor', 'viewer'].map((role) => invite(owner, trackerId, { email: otherUser.email, role })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.error?.details).toEqual({ reason: 'already_member' });
  });

  it('return already_member for the invitation of a member', async () => {
    const trackerId = await newTracker();
    const { error } = await invite(owner, trackerId, { email: editor.email, role: 'admin' });
    expect(error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'already_member' } });
    expect(await invitedRolesIn(trackerId)).toEqual({});
  });

  // @proves contract 9: GET, POST /trackers/{id}/members
  it('return last_owner when the last owner leaves or takes a lower role, even if another user is invited as owner', async () => {
    const trackerId = await newTracker();
    await invite(owner, trackerId, { email: otherUser.email, role: 'owner' });
    for (const { error } of [
      await remove(owner, trackerId, owner.userId),
      await change(owner, trackerId, { userId: owner.userId, role: 'admin' }),
    ]) {
      expect(error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'last_owner' } });
    }
    expect(await rolesIn(trackerId)).toMatchObject({ [owner.userId]: 'owner' });
  });
});
