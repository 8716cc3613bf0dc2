import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { formatSecret } from '@centavo/contracts';
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

/** Creates a user with two trackers. The first tracker is the active and the default tracker. */
async function newUserWithTrackers() {
  const user = await server.newUser();
  const first = await server.newTracker(user);
  const second = await server.newTracker(user);
  return { user, first: first.id, second: second.id };
}

/** Inserts a credential of the user directly with SQL. Other tests cover the creation of credentials through the API. */
async function newSecret(user: TestUser, fields: { scopes?: string[]; trackerIds?: string[] } = {}) {
  const { scopes = ['context:read', 'context:write', 'trackers:read'], trackerIds = [] } = fields;
  const secret = formatSecret(randomBytes(32));
  const id = randomUUID();
  await client.query(
    `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, tracker_ids, secret_sha256,
       secret_last4, expires_at)
     values ($1, $2, $1, 'integration_client', 'Robot', $3, $4, $5, $6, $7, '2100-01-01T00:00:00Z')`,
    [
      id,
      user.userId,
      scopes,
      trackerIds.length === 0 ? 'all_memberships' : 'selected',
      trackerIds,
      createHash('sha256').update(secret).digest(),
      secret.slice(-4),
    ],
  );
  return { id, secret };
}

const put = (choice: 'Active' | 'Default', token: string, trackerId: string, tracker?: string) =>
  server.call(`set${choice}Tracker`, { token, body: { trackerId }, ...(tracker === undefined ? {} : { tracker }) });

describe('GET /context, PUT /context/active-tracker or PUT /context/default-tracker', () => {
  // @proves spec, Context and trackers: GET · /context
  // @proves contract 2: Principals
  // @proves contract 3: context
  it('returns the user and the tracker that the server uses for the request', async () => {
    const { user, first, second } = await newUserWithTrackers();
    const stored = await server.call('getContext', { token: user.token });
    expect(stored.meta.trackerId).toBe(first);
    expect(stored.data).toMatchObject({
      activeTrackerId: first,
      defaultTrackerId: first,
      resolvedBy: 'active',
      principal: { type: 'user', id: user.userId, name: 'Ada', kind: null, expiresAt: null },
    });
    expect(stored.data.principal.scopes).toHaveLength(17);
    const named = await server.call('getContext', { token: user.token, tracker: second });
    expect(named.data).toMatchObject({ activeTrackerId: second, defaultTrackerId: first, resolvedBy: 'header' });
  });

  // @proves spec, Context and trackers: GET · /context
  // @proves spec, Authentication: context:read
  // @proves contract 2: Principals
  it('returns the credential, and nothing about its owner, to an integration client', async () => {
    const { user, first } = await newUserWithTrackers();
    const credential = await newSecret(user, { trackerIds: [first] });
    const { data } = await server.call('getContext', { token: credential.secret });
    expect(data).toEqual({
      activeTrackerId: first,
      defaultTrackerId: null,
      resolvedBy: 'single',
      principal: {
        type: 'integration_client',
        id: credential.id,
        name: 'Robot',
        kind: 'integration_client',
        scopes: ['context:read', 'context:write', 'trackers:read'],
        expiresAt: '2100-01-01T00:00:00.000Z',
      },
    });
  });

  // @proves spec, Context and trackers: PUT · /context/active-tracker
  // @proves spec, Versioning: rule 3
  it('makes the tracker in the body of a PUT active for the next request, even if X-Service-Tracker-Id of the PUT names another tracker', async () => {
    const { user, first, second } = await newUserWithTrackers();
    const chosen = await put('Active', user.token, second, first);
    expect(chosen.meta.trackerId).toBe(second);
    expect(chosen.data).toMatchObject({ activeTrackerId: second, defaultTrackerId: first, resolvedBy: 'active' });
    const next = await server.call('getContext', { token: user.token });
    expect(next.data).toEqual(chosen.data);
  });

  // @proves spec, Context and trackers: PUT · /context/default-tracker
  // @proves contract 4: PUT /context/default-tracker
  it('still uses the active tracker after a different tracker is made the default tracker', async () => {
    const { user, first, second } = await newUserWithTrackers();
    const { data, meta } = await put('Default', user.token, second);
    expect(data).toMatchObject({ activeTrackerId: first, defaultTrackerId: second, resolvedBy: 'active' });
    expect(meta.trackerId).toBe(first);
    expect((await server.call('getContext', { token: user.token })).data).toEqual(data);
  });

  // @proves contract 2: Active and default tracker
  it('stores the tracker chosen by an integration client only for this client, and not for its owner', async () => {
    const { user, first, second } = await newUserWithTrackers();
    const credential = await newSecret(user);
    const { data } = await put('Default', credential.secret, second);
    expect(data).toMatchObject({ activeTrackerId: second, defaultTrackerId: second, resolvedBy: 'default' });
    expect((await server.call('getContext', { token: credential.secret })).data).toEqual(data);
    expect((await server.call('getContext', { token: user.token })).data.defaultTrackerId).toBe(first);
    const listed = await server.call('listTrackers', { token: credential.secret });
    expect(listed.data).toMatchObject([
      { id: first, isActive: false, isDefault: false },
      { id: second, isActive: false, isDefault: true },
    ]);
  });

  // @proves contract 2: Active and default tracker
  it('lets an API key set an active tracker, but still requires X-Service-Tracker-Id if the key may access several trackers', async () => {
    const user = await server.newSteppedUpUser();
    await server.newTracker(user);
    const { id } = await server.newTracker(user);
    const body = { name: 'Key', scopes: ['context:write', 'context:read'], access: { mode: 'all_managed' } };
    const key = await server.call('createApiKey', { token: user.token, body });
    const chosen = await put('Active', key.data.secret, id);
    expect(chosen.data).toMatchObject({ activeTrackerId: null, resolvedBy: null, principal: { kind: 'secure' } });
    expect(chosen.meta.trackerId).toBeNull();
    const next = await server.call('getContext', { token: key.data.secret });
    expect(next.issues).toEqual(['header.X-Service-Tracker-Id TRACKER_HEADER_REQUIRED']);
  });

  it('records an audit event with the previous value when the active tracker changes, and no event when it stays the same', async () => {
    const { user, first, second } = await newUserWithTrackers();
    await put('Active', user.token, second);
    await put('Active', user.token, second);
    const { rows } = await client.query(
      `select action, resource_id, change from app.user_audit_events where user_id = $1 and resource_type = 'tracker'
         and action like 'context.%'`,
      [user.userId],
    );
    const change = { activeTrackerId: [first, second] };
    expect(rows).toEqual([{ action: 'context.active_tracker_chosen', resource_id: second, change }]);
  });
});

describe('GET /context, PUT /context/active-tracker or PUT /context/default-tracker without permission', () => {
  // @proves contract 10a: Context and trackers
  it('rejects another user’s tracker with the same error as a tracker that does not exist', async () => {
    const { user, first } = await newUserWithTrackers();
    const others = await newUserWithTrackers();
    for (const trackerId of [others.first, randomUUID()]) {
      for (const choice of ['Active', 'Default'] as const) {
        const { error } = await put(choice, user.token, trackerId);
        expect(error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [trackerId] } });
      }
    }
    const { data } = await server.call('getContext', { token: user.token });
    expect(data).toMatchObject({ activeTrackerId: first, defaultTrackerId: first });
  });

  it('rejects a tracker that the integration client may not access', async () => {
    const { user, first, second } = await newUserWithTrackers();
    const credential = await newSecret(user, { trackerIds: [first] });
    const { error } = await put('Active', credential.secret, second);
    expect(error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [second] } });
  });

  // @proves spec, Context and trackers: PUT · /context/active-tracker
  // @proves spec, Authentication: context:write
  it('returns INSUFFICIENT_SCOPE for a PUT by an integration client without the scope context:write', async () => {
    const { user, second } = await newUserWithTrackers();
    const credential = await newSecret(user, { scopes: ['context:read'] });
    expect((await put('Active', credential.secret, second)).error).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: { requiredScopes: ['context:write'] },
    });
  });

  it('returns TRACKER_FORBIDDEN for the context of a user without trackers', async () => {
    const user = await server.newUser();
    const { error } = await server.call('getContext', { token: user.token });
    expect(error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [] } });
  });
});
