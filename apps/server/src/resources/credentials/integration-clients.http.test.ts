import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiKeyFixture, startApiKeyFixture } from '../../../test-support/start-api-key-fixture.js';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let fixture: ApiKeyFixture;
let server: TestServer;
let user: TestUser;
let tracker: ApiKeyFixture['tracker'];
let newKey: ApiKeyFixture['newKey'];
let rotate: ApiKeyFixture['rotate'];
let revoke: ApiKeyFixture['revoke'];
let movement: ApiKeyFixture['movement'];

beforeAll(async () => {
  fixture = await startApiKeyFixture();
  ({ server, user, tracker, newKey, rotate, revoke, movement } = fixture);
});

afterAll(() => fixture.close());

describe('integration clients with INTEGRATION_CLIENTS_REQUIRE_STEP_UP=true', () => {
  // @proves contract 4: POST /integration-clients and TOTP
  it('can be created only with a recent one-time code', async () => {
    const strict = await startTestServer({ env: { INTEGRATION_CLIENTS_REQUIRE_STEP_UP: 'true' } });
    try {
      const body = { name: 'Bot', scopes: ['context:read'] };
      const plain = await strict.newUser();
      const refused = await strict.call('createIntegrationClient', { token: plain.token, body });
      expect(refused.error?.code).toBe('STEP_UP_REQUIRED');
      const stepped = await strict.newSteppedUpUser();
      expect((await strict.call('createIntegrationClient', { token: stepped.token, body })).status).toBe(201);
    } finally {
      await strict.close();
    }
  });
});

describe('the lists of credentials', () => {
  // @proves contract 10a: Integration clients
  it('begin with the newest credential', async () => {
    const collector = await server.newSteppedUpUser();
    await server.newTracker(collector);
    const { token } = collector;
    const names = ['first', 'second', 'third'];
    for (const name of names) {
      const body = { name, scopes: ['movements:read'], access: { mode: 'all_managed' } };
      await server.call('createApiKey', { token, body });
      await server.call('createIntegrationClient', { token, body });
    }
    for (const list of ['listApiKeys', 'listIntegrationClients'] as const) {
      const { data } = await server.call(list, { token });
      expect(data.map(({ name }) => name)).toEqual(['third', 'second', 'first']);
    }
  });
});

describe('integration clients', () => {
  async function newClient(fields: Record<string, unknown> = {}, token: string = user.token) {
    return server.call('createIntegrationClient', {
      token,
      body: { name: 'Bot', scopes: ['movements:write', 'context:read'], ...fields },
    });
  }

  // @proves spec, Credential administration: POST · /integration-clients
  // @proves contract 4: POST /api-keys, POST /integration-clients
  // @proves contract 4: POST /integration-clients and TOTP
  it('can be created in a session without a one-time code, and may access every tracker of the caller by default', async () => {
    const member = await server.newUser();
    await server.addMember({ by: user, trackerId: tracker.id, user: member, role: 'editor' });
    const { status, data, headers } = await newClient({}, member.token);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe('/v1/financial/integration-clients');
    expect(data).toMatchObject({
      kind: 'integration_client',
      access: { mode: 'all_memberships', trackerIds: [] },
      rotatedFrom: null,
    });
    expect((await movement(data.secret)).status).toBe(201);
    const context = await server.call('getContext', { token: data.secret });
    expect(context.data.principal).toMatchObject({
      type: 'integration_client',
      kind: 'integration_client',
      id: data.clientId,
    });
  });

  // @proves contract 2: Eligible trackers
  // @proves contract 4: POST /api-keys, POST /integration-clients
  it('can be created only for trackers of which the caller is a member', async () => {
    const otherUser = await server.newUser();
    const otherTracker = await server.newTracker(otherUser);
    const refused = await newClient({ access: { mode: 'selected', trackerIds: [otherTracker.id] } });
    expect(refused.error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [otherTracker.id] } });
    expect((await newClient({ access: { mode: 'selected', trackerIds: [tracker.id] } })).status).toBe(201);
  });

  // @proves spec, States and transitions: active · DELETE /api-keys/{clientId} or DELETE /integration-clients/{clientId}
  // @proves spec, Credential administration: GET · /integration-clients
  // @proves spec, Credential administration: DELETE · /integration-clients/{clientId}
  // @proves contract 2: Credential lists
  // @proves contract 10a: Integration clients
  it('are separate from API keys: operations on one kind do not list, rotate or revoke credentials of the other kind', async () => {
    const { data: bot } = await newClient();
    const key = await newKey();
    const keys = await server.call('listApiKeys', { token: user.token });
    const clients = await server.call('listIntegrationClients', { token: user.token });
    expect(keys.data.map(({ clientId }) => clientId)).not.toContain(bot.clientId);
    expect(clients.data.map(({ clientId }) => clientId)).toContain(bot.clientId);
    expect(clients.data.map(({ clientId }) => clientId)).not.toContain(key.clientId);
    expect((await rotate(bot.clientId)).status).toBe(404);
    expect((await revoke(bot.clientId)).status).toBe(404);
    const params = { clientId: key.clientId };
    expect((await server.call('revokeIntegrationClient', { token: user.token, params })).status).toBe(404);
    const own = { token: user.token, params: { clientId: bot.clientId } };
    expect((await server.call('revokeIntegrationClient', own)).status).toBe(204);
    expect((await movement(bot.secret)).error?.code).toBe('CREDENTIAL_REVOKED');
  });
});
