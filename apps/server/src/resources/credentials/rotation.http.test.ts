import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiKeyFixture, startApiKeyFixture } from '../../../test-support/start-api-key-fixture.js';
import type { TestServer, TestUser } from '../../../test-support/start-test-server.js';

let fixture: ApiKeyFixture;
let server: TestServer;
let user: TestUser;
let tracker: ApiKeyFixture['tracker'];
let client: pg.Client;
let newKey: ApiKeyFixture['newKey'];
let rotate: ApiKeyFixture['rotate'];
let revoke: ApiKeyFixture['revoke'];
let movement: ApiKeyFixture['movement'];

beforeAll(async () => {
  fixture = await startApiKeyFixture();
  ({ server, user, tracker, client, newKey, rotate, revoke, movement } = fixture);
});

afterAll(() => fixture.close());

describe('the rotation of an API key', () => {
  // @proves spec, States and transitions: active · POST /api-keys/{clientId}/rotate
  // @proves spec, Credential administration: GET · /api-keys
  // @proves spec, Credential administration: POST · /api-keys/{clientId}/rotate
  // @proves contract 2: Active and default tracker
  // @proves contract 4: POST /api-keys/{id}/rotate
  it('creates a second active key with the same rights, and keeps the first key active', async () => {
    const old = await newKey({ defaultTrackerId: tracker.id });
    const rotated = await rotate(old.clientId);
    expect(rotated.status).toBe(201);
    const { secret, ...record } = rotated.data;
    expect(record).toMatchObject({
      kind: 'secure',
      name: old.name,
      scopes: old.scopes,
      access: old.access,
      defaultTrackerId: tracker.id,
      rotatedFrom: old.clientId,
      status: 'active',
    });
    expect(Date.parse(record.expiresAt) - Date.parse(record.createdAt)).toBe(90 * 86_400_000);
    expect(secret).not.toBe(old.secret);
    expect((await movement(old.secret)).status).toBe(201);
    expect((await movement(secret)).status).toBe(201);
    const { data } = await server.call('listApiKeys', { token: user.token });
    expect(data.find(({ clientId }) => clientId === old.clientId)?.status).toBe('active');
  });

  // @proves contract 4: POST /api-keys/{id}/rotate
  it('accepts a name and an expiry, but no scopes', async () => {
    const old = await newKey();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await rotate(old.clientId, { body: { name: 'Newer', expiresAt } })).data).toMatchObject({
      name: 'Newer',
      expiresAt,
    });
    expect((await rotate(old.clientId, { body: { scopes: ['movements:read'] } })).issues).toEqual([
      'scopes UNKNOWN_FIELD',
    ]);
  });

  // @proves contract 6: Scope of a key
  it('returns the stored response of a request of the first key to the new key, even after several rotations', async () => {
    const old = await newKey();
    const { data: next } = await rotate(old.clientId);
    const { data: last } = await rotate(next.clientId);
    const key = randomUUID();
    const first = await movement(old.secret, key);
    for (const secret of [next.secret, last.secret, old.secret]) {
      const replay = await movement(secret, key);
      expect([replay.status, replay.data]).toEqual([200, first.data]);
    }
    const unrelatedKey = await newKey();
    expect((await movement(unrelatedKey.secret, key)).status).toBe(201);
  });

  // @proves contract 6: Scope of a key
  it('lets the old and the new API key record only one movement when both send it concurrently under one Idempotency-Key', async () => {
    const owner = await server.newSteppedUpUser();
    const [home, work] = [await server.newTracker(owner), await server.newTracker(owner)];
    const { data: old } = await server.call('createApiKey', {
      token: owner.token,
      body: { name: 'Key', scopes: ['movements:write'], access: { mode: 'all_managed' } },
    });
    const { data: next } = await rotate(old.clientId, { token: owner.token });
    const send = (token: string, target: typeof home, key: string) =>
      server.call('createMovement', {
        token,
        tracker: target.id,
        idempotencyKey: key,
        body: { type: 'expense', amountDecimal: '1', accountId: target.accountId },
      });
    for (let round = 0; round < 10; round += 1) {
      const key = randomUUID();
      // In another tracker, the same Idempotency-Key identifies another operation.
      await send(old.secret, home, key);
      const responses = await Promise.all([send(old.secret, work, key), send(next.secret, work, key)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 201]);
      expect(responses[0].data.id).toBe(responses[1].data.id);
    }
  });

  // @proves spec, States and transitions: active · POST /api-keys/{clientId}/rotate
  // @proves spec, Credential administration: POST · /api-keys/{clientId}/rotate
  it('requires a recent one-time code and an active session', async () => {
    const old = await newKey();
    const { data: session } = await server.call('createSession', {
      body: { email: user.email, password: user.password },
    });
    expect((await rotate(old.clientId, { token: session.accessToken })).error?.code).toBe('STEP_UP_REQUIRED');
    await server.call('endSession', { token: session.accessToken });
    expect((await rotate(old.clientId, { token: session.accessToken })).error?.code).toBe('SESSION_INACTIVE');
  });

  // @proves contract 4: POST /api-keys/{id}/rotate
  // @proves contract 10a: Integration clients
  it('rejects inactive keys, legacy keys and keys of other users', async () => {
    const gone = await newKey();
    await revoke(gone.clientId);
    expect((await rotate(gone.clientId)).error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { reason: 'not_active' },
    });
    const late = await newKey();
    await client.query(`update app.credentials set expires_at = now() - interval '1 second' where id = $1`, [
      late.clientId,
    ]);
    expect((await rotate(late.clientId)).error?.details).toEqual({ reason: 'not_active' });
    const legacy = await newKey();
    await client.query(`update app.credentials set kind = 'legacy' where id = $1`, [legacy.clientId]);
    expect((await rotate(legacy.clientId)).error?.details).toEqual({ reason: 'legacy' });
    const other = await server.newSteppedUpUser();
    const mine = await newKey();
    const [foreign, none] = [await rotate(mine.clientId, { token: other.token }), await rotate(randomUUID())];
    expect([foreign.status, none.status]).toEqual([404, 404]);
    expect(foreign.error).toEqual(none.error);
  });

  it('returns limit_reached when the caller has 100 credentials that are not revoked', async () => {
    const collector = await server.newSteppedUpUser();
    await server.newTracker(collector);
    const body = { name: 'Key', scopes: ['movements:read'], access: { mode: 'all_managed' } };
    const { data: key } = await server.call('createApiKey', { token: collector.token, body });
    await client.query(
      `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, secret_sha256, secret_last4, expires_at)
       select gen_random_uuid(), $1, gen_random_uuid(), 'secure', 'x', '{movements:read}', 'all_managed',
         sha256(('rotated' || n)::bytea), 'abcd', now() from generate_series(1, 99) n`,
      [collector.userId],
    );
    const refused = await rotate(key.clientId, { token: collector.token });
    expect(refused.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'limit_reached' } });
  });
});
