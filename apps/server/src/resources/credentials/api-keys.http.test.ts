import { createHash, randomUUID } from 'node:crypto';
import { isWellFormedSecret } from '@centavo/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };
let client: pg.Client;

const dayMs = 86_400_000;

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newSteppedUpUser();
  tracker = await server.newTracker(user);
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

function create(fields: Record<string, unknown> = {}, token: string = user.token) {
  return server.call('createApiKey', {
    token,
    body: {
      name: 'Import',
      scopes: ['movements:write', 'movements:read'],
      access: { mode: 'selected', trackerIds: [tracker.id] },
      ...fields,
    },
  });
}

function movement(token: string, options: { tracker?: string; accountId?: string; key?: string } = {}) {
  return server.call('createMovement', {
    token,
    idempotencyKey: options.key ?? randomUUID(),
    ...(options.tracker === undefined ? {} : { tracker: options.tracker }),
    body: { type: 'expense', amountDecimal: '1', accountId: options.accountId ?? tracker.accountId },
  });
}

describe('POST /api-keys', () => {
  // @proves spec, Credential creation fields: name
  // @proves spec, Credential administration: POST · /api-keys
  // @proves spec, Authentication: rule 5
  // @proves contract 3: credential
  it('returns the secret once and stores only its hash and last four characters', async () => {
    const { status, data, headers } = await create();
    expect(status).toBe(201);
    expect(headers.get('location')).toBe('/v1/financial/api-keys');
    expect(isWellFormedSecret(data.secret)).toBe(true);
    expect(data).toMatchObject({
      kind: 'secure',
      status: 'active',
      secretPrefix: 'centavo_live_',
      secretLast4: data.secret.slice(-4),
      access: { mode: 'selected', trackerIds: [tracker.id] },
      rotatedFrom: null,
      lastUsedAt: null,
    });
    const { data: listed } = await server.call('listApiKeys', { token: user.token });
    const { secret, ...record } = data;
    expect(listed).toContainEqual(record);
    const { rows } = await client.query('select c::text as row, secret_sha256 from app.credentials c where id = $1', [
      data.clientId,
    ]);
    expect(rows[0].row).not.toContain(secret);
    expect(rows[0].secret_sha256).toEqual(createHash('sha256').update(secret).digest());
    const { rows: audits } = await client.query('select * from app.user_audit_events where resource_id = $1', [
      data.clientId,
    ]);
    expect(audits).toMatchObject([{ action: 'api_key.created', user_id: user.userId }]);
    expect(JSON.stringify(audits)).not.toContain(secret);
  });

  // @proves spec, Authentication: Integration secret
  // @proves spec, Authentication: rule 6
  // @proves spec, Limits: Default key validity
  // @proves contract 4: expiry
  it('creates a key that expires in 90 days by default, and accepts an expiry that is 364 days ahead', async () => {
    const usual = await create();
    expect(Date.parse(usual.data.expiresAt) - Date.parse(usual.data.createdAt)).toBe(90 * dayMs);
    const expiresAt = new Date(Date.now() + 364 * dayMs).toISOString();
    expect((await create({ expiresAt })).data.expiresAt).toBe(expiresAt);
  });

  // @proves contract 6: Operations with a key
  it('creates a new API key for each request, even under the same Idempotency-Key', async () => {
    const body = { name: 'x', scopes: ['movements:read'], access: { mode: 'all_managed' } };
    const send = () => server.call('createApiKey', { token: user.token, body, headers: { 'Idempotency-Key': 'same' } });
    const [first, second] = [await send(), await send()];
    expect(first.data.clientId).not.toBe(second.data.clientId);
  });

  // @proves spec, Authentication: movements:write
  // @proves contract 3: movement
  it('returns a key whose movements have the source type integration_client', async () => {
    const { data: key } = await create();
    const { status, data } = await movement(key.secret);
    expect(status).toBe(201);
    expect(data.source).toEqual({ type: 'integration_client', id: key.clientId });
    const { rows } = await client.query('select * from app.recorded_events where resource_id = $1', [data.id]);
    expect(rows).toMatchObject([{ user_id: user.userId, credential_id: key.clientId }]);
  });
});

describe('POST /api-keys with invalid input', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    // @proves spec, Credential creation fields: scopes
    ['no scope', { scopes: [] }, ['scopes REQUIRED']],
    // @proves spec, Credential creation fields: scopes
    ['an unknown scope', { scopes: ['movements:delete'] }, ['scopes.0 INVALID_FORMAT']],
    // @proves spec, Credential creation fields: scopes
    ['a scope twice', { scopes: ['movements:read', 'movements:read'] }, ['scopes INVALID_FORMAT']],
    // @proves spec, Credential creation fields: access.mode
    ['no access', { access: undefined }, ['access REQUIRED']],
    // @proves spec, Credential creation fields: access.mode
    ['an unknown mode', { access: { mode: 'everything' } }, ['access.mode INVALID_FORMAT']],
    // @proves spec, Credential creation fields: access.trackerIds
    ['an empty selection', { access: { mode: 'selected', trackerIds: [] } }, ['access.trackerIds REQUIRED']],
    // @proves spec, Credential creation fields: access.trackerIds
    ['the mode selected without a tracker list', { access: { mode: 'selected' } }, ['access.trackerIds REQUIRED']],
    [
      'a tracker list together with all_managed',
      { access: { mode: 'all_managed', trackerIds: [randomUUID()] } },
      ['access.trackerIds FIELD_CONFLICT'],
    ],
    [
      'an empty tracker list together with all_managed',
      { access: { mode: 'all_managed', trackerIds: [] } },
      ['access.trackerIds FIELD_CONFLICT'],
    ],
    // @proves contract 4: expiry
    ['an expiry of null', { expiresAt: null }, ['expiresAt INVALID_FORMAT']],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, ['expiresAt OUT_OF_RANGE']],
    // @proves contract 4: expiry
    ['an expiry beyond the maximum', { expiresAt: '2099-01-01T00:00:00Z' }, ['expiresAt OUT_OF_RANGE']],
    [
      'a default tracker outside the selection',
      { defaultTrackerId: randomUUID() },
      ['defaultTrackerId FIELD_CONFLICT'],
    ],
  ])('returns 400 for %s', async (_, fields, issues) => {
    const refused = await create(fields);
    expect(refused.status).toBe(400);
    expect(refused.issues).toEqual(issues);
  });
});

describe('API keys: the server', () => {
  // @proves spec, Credential administration: POST · /api-keys
  it('returns STEP_UP_REQUIRED (RFC 9470) for a new key if the one-time code is missing or old', async () => {
    const fresh = await server.newUser();
    const refused = await create({}, fresh.token);
    expect([refused.status, refused.error?.code]).toEqual([401, 'STEP_UP_REQUIRED']);
    expect(refused.error?.details).toEqual({ method: 'totp', maxAgeSeconds: 600 });
    expect(refused.headers.get('www-authenticate')).toMatch(/insufficient_user_authentication.*max_age="?600/);

    const stepped = await server.newSteppedUpUser();
    await server.newTracker(stepped);
    const body = { access: { mode: 'all_managed' } };
    expect((await create(body, stepped.token)).status).toBe(201);
    server.advance(601_000);
    try {
      expect((await create(body, stepped.token)).error?.code).toBe('STEP_UP_REQUIRED');
    } finally {
      server.advance(-601_000);
    }
  });

  // @proves spec, Credential administration: POST · /api-keys
  // @proves spec, Authentication: rule 4
  it('returns SESSION_INACTIVE, not STEP_UP_REQUIRED, for a new key in an ended session', async () => {
    const gone = await server.newUser();
    await server.call('endSession', { token: gone.token });
    expect((await create({}, gone.token)).error?.code).toBe('SESSION_INACTIVE');
  });

  // @proves spec, States and transitions: active · passage of time
  // @proves spec, States and transitions: revoked · any request with the credential
  // @proves contract 10a: 401 codes
  it('returns CREDENTIAL_EXPIRED for an expired key and CREDENTIAL_REVOKED for a revoked key', async () => {
    const { data: key } = await create();
    await client.query(`update app.credentials set expires_at = now() - interval '1 second' where id = $1`, [
      key.clientId,
    ]);
    expect((await movement(key.secret)).error?.code).toBe('CREDENTIAL_EXPIRED');
    await client.query('update app.credentials set revoked_at = now() where id = $1', [key.clientId]);
    expect((await movement(key.secret)).error?.code).toBe('CREDENTIAL_REVOKED');
  });
});

describe('API keys: the server', () => {
  // @proves spec, Credential creation fields: access.trackerIds
  // @proves contract 4: POST /api-keys, POST /integration-clients
  // @proves contract 5: 403
  it('returns TRACKER_FORBIDDEN for a new key if the caller is not a member of one of the selected trackers', async () => {
    const otherUser = await server.newUser();
    const otherTracker = await server.newTracker(otherUser);
    const refused = await create({ access: { mode: 'selected', trackerIds: [tracker.id, otherTracker.id] } });
    expect(refused.error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [otherTracker.id] } });
  });

  // @proves spec, Credential creation fields: scopes
  // @proves spec, Authentication: movements:read
  it('returns INSUFFICIENT_SCOPE for an operation outside the scopes of the key', async () => {
    const { data: key } = await create({ scopes: ['movements:read'] });
    const refused = await movement(key.secret);
    expect(refused.error).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: { requiredScopes: ['movements:write'] },
    });
    expect((await server.call('listMovements', { token: key.secret })).status).toBe(200);
  });

  // @proves spec, Credential administration: GET · /api-keys
  it('returns USER_SESSION_REQUIRED to a key that creates or lists keys, or creates an account', async () => {
    const { data: key } = await create();
    expect((await create({}, key.secret)).error?.code).toBe('USER_SESSION_REQUIRED');
    expect((await server.call('listApiKeys', { token: key.secret })).error?.code).toBe('USER_SESSION_REQUIRED');
    const body = { name: 'x', type: 'cash' };
    expect((await server.call('createAccount', { token: key.secret, body })).error?.code).toBe('USER_SESSION_REQUIRED');
  });

  // @proves spec, Authentication: rule 2
  // @proves contract 2: Eligible trackers
  it('returns TRACKER_FORBIDDEN to a key with the access mode all_managed after its owner lost the role admin', async () => {
    const admin = await server.newSteppedUpUser();
    const own = await server.newTracker(admin);
    await server.addMember({ by: user, trackerId: tracker.id, user: admin, role: 'admin' });
    const { data: key } = await create({ access: { mode: 'all_managed' } }, admin.token);
    expect((await movement(key.secret, { tracker: tracker.id })).status).toBe(201);
    await server.call('changeMemberRole', {
      token: user.token,
      params: { trackerId: tracker.id, userId: admin.userId },
      body: { role: 'editor' },
    });
    const refused = await movement(key.secret, { tracker: tracker.id });
    expect(refused.error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [tracker.id] } });
    expect((await movement(key.secret, { accountId: own.accountId })).meta.trackerId).toBe(own.id);
  });

  // @proves spec, Authentication: rule 2
  // @proves contract 2: Eligible trackers
  it('returns TRACKER_FORBIDDEN to a key with the access mode selected after its owner lost the role admin', async () => {
    const admin = await server.newSteppedUpUser();
    await server.addMember({ by: user, trackerId: tracker.id, user: admin, role: 'admin' });
    const { data: key } = await create({}, admin.token);
    expect((await movement(key.secret)).status).toBe(201);
    await server.call('changeMemberRole', {
      token: user.token,
      params: { trackerId: tracker.id, userId: admin.userId },
      body: { role: 'editor' },
    });
    const refused = await movement(key.secret);
    expect(refused.error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [] } });
  });
});

describe('a request with an API key', () => {
  // @proves spec, Authentication: rule 3
  // @proves contract 2: A secure key without the header
  it('may omit X-Service-Tracker-Id only if the key may access exactly one tracker', async () => {
    const owner = await server.newSteppedUpUser();
    const home = await server.newTracker(owner);
    const { data: key } = await create({ access: { mode: 'all_managed' } }, owner.token);
    const only = await movement(key.secret, { accountId: home.accountId });
    expect([only.status, only.meta.trackerId]).toEqual([201, home.id]);

    const work = await server.newTracker(owner);
    const several = await movement(key.secret, { accountId: home.accountId });
    expect(several.issues).toEqual(['header.X-Service-Tracker-Id TRACKER_HEADER_REQUIRED']);
    expect((await movement(key.secret, { accountId: work.accountId, tracker: work.id })).status).toBe(201);
  });

  // @proves spec, Credential creation fields: access.trackerIds
  // @proves spec, Authentication: Integration secret
  it('may use only the selected trackers, even if the owner of the key may use other trackers', async () => {
    const owner = await server.newSteppedUpUser();
    const home = await server.newTracker(owner);
    const work = await server.newTracker(owner);
    const { data: key } = await create({ access: { mode: 'selected', trackerIds: [home.id] } }, owner.token);
    const refused = await movement(key.secret, { accountId: work.accountId, tracker: work.id });
    expect(refused.error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [work.id] } });
  });
});

describe('POST /api-keys at its limit', () => {
  // @proves contract 4: GET /movements
  it('allows at most 100 unrevoked credentials per user, also for concurrent requests', async () => {
    const collector = await server.newSteppedUpUser();
    await server.newTracker(collector);
    await client.query(
      `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, secret_sha256, secret_last4, expires_at)
       select gen_random_uuid(), $1, gen_random_uuid(), 'secure', 'x', '{movements:read}', 'all_managed',
         sha256(n::text::bytea), 'abcd', now() from generate_series(1, 99) n`,
      [collector.userId],
    );
    const body = { access: { mode: 'all_managed' } };
    const results = await Promise.all([create(body, collector.token), create(body, collector.token)]);
    expect(results.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(results.find(({ status }) => status === 409)?.error?.details).toEqual({ reason: 'limit_reached' });
  });
});
