import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let client: pg.Client;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  user = await server.newSteppedUpUser();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

function list(query: Record<string, string> = {}, token = user.token) {
  return server.call('listSecurityEvents', { token, query });
}

it('GET /security-events returns an empty page for a user without a tracker and without events', async () => {
  const other = await server.newUser();
  const { status, data, meta } = await list({}, other.token);
  expect([status, data, meta.trackerId]).toEqual([200, [], null]);
  expect(meta.pagination).toEqual({
    limit: 50,
    offset: null,
    count: 0,
    total: null,
    hasMore: false,
    nextOffset: null,
    nextCursor: null,
  });
});

it("GET /security-events returns the user's events that belong to no tracker, newest first, each with its type, resource and change", async () => {
  const { token, userId } = user;
  const tracker = await server.newTracker(user);
  const second = await server.newTracker(user);
  const category = await server.call('createCategory', {
    token,
    tracker: tracker.id,
    body: { name: 'Mine', scope: 'user' },
  });
  await server.call('createCategory', { token, tracker: tracker.id, body: { name: 'Shared' } });
  await server.call('setActiveTracker', { token, body: { trackerId: second.id } });
  await server.call('setDefaultTracker', { token, body: { trackerId: second.id } });
  const scopes = ['movements:read'];
  const access = { mode: 'selected', trackerIds: [tracker.id] };
  const key = await server.call('createApiKey', { token, body: { name: 'import', scopes, access } });
  const { data: rotated, meta } = await server.call('rotateApiKey', {
    token,
    params: { clientId: key.data.clientId },
    body: {},
  });
  await server.call('revokeApiKey', { token, params: { clientId: rotated.clientId } });
  const integration = await server.call('createIntegrationClient', { token, body: { name: 'sync', scopes } });
  const { clientId } = integration.data;
  await server.call('revokeIntegrationClient', { token, params: { clientId } });
  // The list must contain neither this login, which records no event, nor this movement, whose event belongs to a tracker.
  await server.call('createSession', { body: { email: user.email, password: user.password } });
  await server.call('createMovement', {
    token,
    tracker: tracker.id,
    body: { type: 'expense', amountDecimal: '1', accountId: tracker.accountId },
  });

  const { data } = await list();
  const credential = (id: string) => ({ type: 'credential', id });
  expect(data.map(({ type, resource, change }) => [type, resource, change])).toEqual([
    ['integration_client.revoked', credential(clientId), null],
    ['integration_client.created', credential(clientId), null],
    ['api_key.revoked', credential(rotated.clientId), null],
    ['api_key.rotated', credential(rotated.clientId), null],
    ['api_key.created', credential(key.data.clientId), null],
    [
      'context.default_tracker_chosen',
      { type: 'tracker', id: second.id },
      { defaultTrackerId: [tracker.id, second.id] },
    ],
    ['context.active_tracker_chosen', { type: 'tracker', id: second.id }, { activeTrackerId: [tracker.id, second.id] }],
    ['category.created', { type: 'category', id: category.data.id }, null],
    ['tracker.created', { type: 'tracker', id: second.id }, null],
    ['tracker.created', { type: 'tracker', id: tracker.id }, null],
  ]);
  expect(data[3]).toMatchObject({ actor: { type: 'user', id: userId }, requestId: meta.requestId });
  const { rows } = await client.query(
    `select count(*)::int from app.recorded_events where action like 'tracker.created'`,
  );
  expect(rows).toEqual([{ count: 0 }]);
});

it('GET /security-events pages by cursor, and rejects a malformed cursor', async () => {
  const all = (await list()).data.map(({ id }) => id);
  const seen: string[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; pages < 4; pages += 1) {
    const { data, meta } = await list({ limit: '3', ...(cursor ? { cursor } : {}) });
    seen.push(...data.map(({ id }) => id));
    cursor = meta.pagination?.nextCursor;
    expect(meta.pagination).toMatchObject({ hasMore: pages < 3, count: data.length });
  }
  expect([seen, cursor]).toEqual([all, null]);
  const forged = (text: string) => Buffer.from(text).toString('base64url');
  const id = all[0] ?? '';
  for (const wrong of ['x', forged('2026-02-31T00:00:00.000Z x'), forged(`2026-02-31T00:00:00.000Z ${id}`)]) {
    expect((await list({ cursor: wrong })).issues).toEqual(['query.cursor INVALID_FORMAT']);
  }
  expect((await list({ limit: '201' })).issues).toEqual(['query.limit OUT_OF_RANGE']);
});

it('GET /security-events names the credential that caused an event, and refuses a request with an API key', async () => {
  const { token } = user;
  const tracker = await server.newTracker(user);
  const scopes = ['context:write', 'trackers:read', 'audit:read', 'catalog:write:user', 'movements:read'];
  const { data: key } = await server.call('createApiKey', {
    token,
    body: { name: 'all', scopes, access: { mode: 'selected', trackerIds: [tracker.id] } },
  });
  await server.call('createCategory', { token: key.secret, body: { name: 'By key', scope: 'user' } });
  const [newest] = (await list({ limit: '1' })).data;
  expect(newest).toMatchObject({
    type: 'category.created',
    actor: { type: 'integration_client', id: key.clientId },
  });
  const refused = await list({}, key.secret);
  expect([refused.status, refused.error?.code]).toEqual([403, 'USER_SESSION_REQUIRED']);
});

it('GET /security-events returns no event of another user', async () => {
  const other = await server.newSteppedUpUser();
  await server.newTracker(other);
  expect((await list({}, other.token)).data.map(({ type }) => type)).toEqual(['tracker.created']);
});
