import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let client: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

function create(user: TestUser, fields: Record<string, unknown> = {}) {
  const body = { name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid', ...fields };
  return server.call('createTracker', { token: user.token, body });
}

function update(user: TestUser, trackerId: string, body: Record<string, unknown>) {
  return server.call('updateTracker', { token: user.token, params: { trackerId }, body });
}

async function newKey(user: TestUser, access: Record<string, unknown>): Promise<string> {
  const body = { name: 'Robot', scopes: ['trackers:read'], access };
  const { data } = await server.call('createApiKey', { token: user.token, body });
  return data.secret;
}

describe('GET /trackers or PATCH /trackers/{trackerId}', () => {
  // @proves contract 1: lists
  it('returns an empty list to a user without trackers', async () => {
    const user = await server.newUser();
    expect(await server.call('listTrackers', { token: user.token })).toMatchObject({
      status: 200,
      data: [],
      meta: { trackerId: null },
    });
  });

  // @proves spec, Context and trackers: GET · /trackers
  // @proves contract 3: tracker
  it("lists only the caller's trackers, each with the caller's role", async () => {
    const [user, other] = await Promise.all([server.newUser(), server.newUser()]);
    const mine = await create(user);
    const shared = await create(other, { name: 'Shared' });
    await create(other, { name: 'Theirs' });
    await server.addMember({ by: other, trackerId: shared.data.id, user, role: 'viewer' });
    const { data, meta } = await server.call('listTrackers', { token: user.token });
    expect(data).toMatchObject([
      { id: mine.data.id, role: 'owner', isActive: true, isDefault: true },
      { id: shared.data.id, role: 'viewer', isActive: false, isDefault: false },
    ]);
    expect(meta.trackerId).toBe(mine.data.id);
  });

  // @proves spec, Context and trackers: GET · /trackers
  // @proves spec, Authentication: trackers:read
  it('lists only the trackers that an API key may access', async () => {
    const user = await server.newSteppedUpUser();
    await create(user);
    const { data: listed } = await create(user);
    const secret = await newKey(user, { mode: 'selected', trackerIds: [listed.id] });
    const { data } = await server.call('listTrackers', { token: secret });
    expect(data).toMatchObject([{ id: listed.id, role: 'owner' }]);
  });

  // @proves contract 9: PATCH /trackers/{id}
  it('renames a tracker and changes its time zone in one request, and records one audit event', async () => {
    const user = await server.newUser();
    const { data: tracker } = await create(user);
    const { status, data, meta } = await update(user, tracker.id, { name: 'Casa', timeZone: 'Asia/Tokyo' });
    expect(status).toBe(200);
    expect(meta.trackerId).toBe(tracker.id);
    expect(data).toMatchObject({ id: tracker.id, name: 'Casa', timeZone: 'Asia/Tokyo', currencyCode: 'EUR' });
    expect((await server.call('listTrackers', { token: user.token })).data).toEqual([data]);
    const { rows } = await client.query('select action, change from app.recorded_events where tracker_id = $1', [
      tracker.id,
    ]);
    const change = { name: ['Home', 'Casa'], timeZone: ['Europe/Madrid', 'Asia/Tokyo'] };
    expect(rows).toEqual([{ action: 'tracker.updated', change }]);
  });

  it('stores the IANA spelling of a time zone, and changes nothing when an update differs only in letter case', async () => {
    const user = await server.newUser();
    const { data: tracker } = await create(user, { timeZone: 'america/port-au-prince' });
    expect(tracker.timeZone).toBe('America/Port-au-Prince');
    const respelled = await update(user, tracker.id, { timeZone: 'AMERICA/PORT-AU-PRINCE' });
    expect(respelled.data).toEqual(tracker);
    const moved = await update(user, tracker.id, { timeZone: 'ASIA/CALCUTTA' });
    expect(moved.data.timeZone).toBe('Asia/Calcutta');
  });

  it('changes nothing when the new name equals the current one', async () => {
    const user = await server.newUser();
    const { data: tracker } = await create(user);
    expect((await update(user, tracker.id, { name: 'Home' })).data).toEqual(tracker);
  });
});

describe('POST /trackers', () => {
  // @proves contract 3: tracker
  // @proves contract 9: POST /trackers
  it('makes only the first tracker of a user the active and default tracker', async () => {
    const user = await server.newUser();
    const first = await create(user);
    expect(first).toMatchObject({ status: 201, meta: { trackerId: null } });
    expect(first.headers.get('location')).toBe('/v1/financial/trackers');
    expect(first.data).toMatchObject({ name: 'Home', role: 'owner', isActive: true, isDefault: true });
    const second = await create(user);
    expect(second.data).toMatchObject({ isActive: false, isDefault: false });
    expect(second.meta.trackerId).toBe(first.data.id);
    const { rows } = await client.query(
      `select action, resource_id from app.user_audit_events where user_id = $1 and action like 'tracker.%' order by id`,
      [user.userId],
    );
    expect(rows.map(({ resource_id }) => resource_id)).toEqual([first.data.id, second.data.id]);
  });

  it('makes only one of two concurrent first trackers the active and default tracker', async () => {
    const user = await server.newUser();
    const made = await Promise.all([create(user), create(user)]);
    expect(made.filter(({ data }) => data.isActive && data.isDefault)).toHaveLength(1);
    const { data } = await server.call('listTrackers', { token: user.token });
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
    expect(data.toSorted(byId)).toEqual(made.map((response) => response.data).toSorted(byId));
  });
});

describe('POST or PATCH of trackers with invalid input', () => {
  it('rejects an unknown time zone at creation and in an update', async () => {
    const user = await server.newUser();
    const { data: tracker } = await create(user);
    for (const timeZone of ['Mars/Olympus', '+02:00', 'PST', 'posix/Europe/Madrid', '']) {
      expect((await create(user, { timeZone })).issues).toEqual(['timeZone INVALID_FORMAT']);
      expect((await update(user, tracker.id, { timeZone })).issues).toEqual(['timeZone INVALID_FORMAT']);
    }
  });

  it('rejects a change of the currency', async () => {
    const user = await server.newUser();
    const { data: tracker } = await create(user);
    const { issues } = await update(user, tracker.id, { name: 'Home', currencyCode: 'USD' });
    expect(issues).toEqual(['currencyCode UNKNOWN_FIELD']);
  });
});

describe('POST or PATCH of trackers without permission', () => {
  // @proves contract 9: POST /trackers
  it('returns USER_SESSION_REQUIRED to an API key that creates a tracker', async () => {
    const user = await server.newSteppedUpUser();
    await create(user);
    const secret = await newKey(user, { mode: 'all_managed' });
    const { error } = await create({ ...user, token: secret });
    expect(error?.code).toBe('USER_SESSION_REQUIRED');
  });

  // @proves contract 9: PATCH /trackers/{id}
  it('returns INSUFFICIENT_ROLE to an editor who renames a tracker', async () => {
    const [owner, editor] = await Promise.all([server.newUser(), server.newUser()]);
    const { data: tracker } = await create(owner);
    await server.addMember({ by: owner, trackerId: tracker.id, user: editor, role: 'editor' });
    const { error } = await update(editor, tracker.id, { name: 'Mine' });
    expect(error).toMatchObject({ code: 'INSUFFICIENT_ROLE', details: { requiredRole: 'admin' } });
  });
});

describe('PATCH /trackers/{trackerId}', () => {
  // @proves contract 10a: Context and trackers
  it('returns the same 404 for a tracker of other users and for one that does not exist', async () => {
    const [user, other] = await Promise.all([server.newUser(), server.newUser()]);
    await create(user);
    const { data: theirs } = await create(other);
    for (const trackerId of [theirs.id, randomUUID(), 'malformed']) {
      const { error } = await update(user, trackerId, { name: 'Mine' });
      expect(error).toMatchObject({ code: 'NOT_FOUND', details: {} });
    }
  });
});
