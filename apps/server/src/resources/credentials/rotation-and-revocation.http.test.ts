import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };
let client: pg.Client;

beforeAll(async () => {
  server = await startTestServer({ env: { DATABASE_POOL_MAX: '20' } });
  user = await server.newSteppedUpUser();
  tracker = await server.newTracker(user);
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

async function newKey(fields: Record<string, unknown> = {}) {
  const { data } = await server.call('createApiKey', {
    token: user.token,
    body: {
      name: 'Key',
      scopes: ['movements:write'],
      access: { mode: 'selected', trackerIds: [tracker.id] },
      ...fields,
    },
  });
  return data;
}

function rotate(clientId: string, options: { body?: unknown; token?: string } = {}) {
  return server.call('rotateApiKey', {
    token: options.token ?? user.token,
    params: { clientId },
    ...(options.body === undefined ? {} : { body: options.body }),
  });
}

function revoke(clientId: string, token: string = user.token) {
  return server.call('revokeApiKey', { token, params: { clientId } });
}

/** Until so many statements of the server wait for locks, or there is nothing more to wait for. */
async function waiting(statements: number, isOver: () => boolean = () => false): Promise<void> {
  const locked = `select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'centavo-server' and wait_event_type = 'Lock'`;
  for (let looks = 0; looks < 10_000; looks += 1) {
    if (isOver() || (await client.query(locked)).rowCount === statements) return;
  }
  throw new Error(`There were never ${statements} that waited.`);
}

function movement(token: string, key: string = randomUUID()) {
  return server.call('createMovement', {
    token,
    idempotencyKey: key,
    body: { type: 'expense', amountDecimal: '1', accountId: tracker.accountId },
  });
}

describe('rotation', () => {
  it('makes a second active key with the same rights, and leaves the first as it was', async () => {
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
    expect(secret).not.toBe(old.secret);
    expect((await movement(old.secret)).status).toBe(201);
    expect((await movement(secret)).status).toBe(201);
    const { data } = await server.call('listApiKeys', { token: user.token });
    expect(data.find(({ clientId }) => clientId === old.clientId)?.status).toBe('active');
  });

  it('takes a name and an expiry, and nothing that would widen the key', async () => {
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

  it('keeps one intent one: a retry under the new key replays what the old one recorded, and back', async () => {
    const old = await newKey();
    const { data: next } = await rotate(old.clientId);
    const { data: last } = await rotate(next.clientId);
    const key = randomUUID();
    const first = await movement(old.secret, key);
    for (const secret of [next.secret, last.secret, old.secret]) {
      const replay = await movement(secret, key);
      expect([replay.status, replay.data]).toEqual([200, first.data]);
    }
    const stranger = await newKey();
    expect((await movement(stranger.secret, key)).status).toBe(201);
  });

  it('keeps one intent one although the old and the new key send it at the same moment, in a tracker where the key is new', async () => {
    const owner = await server.newSteppedUpUser();
    const [home, work] = [await server.newTracker(owner), await server.newTracker(owner)];
    const { data: old } = await server.call('createApiKey', {
      token: owner.token,
      body: { name: 'Key', scopes: ['movements:write'], access: { mode: 'all_managed' } },
    });
    const { data: next } = await rotate(old.clientId, { token: owner.token });
    const send = (token: string, place: typeof home, key: string) =>
      server.call('createMovement', {
        token,
        tracker: place.id,
        idempotencyKey: key,
        body: { type: 'expense', amountDecimal: '1', accountId: place.accountId },
      });
    for (let round = 0; round < 10; round += 1) {
      const key = randomUUID();
      await send(old.secret, home, key);
      const answers = await Promise.all([send(old.secret, work, key), send(next.secret, work, key)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
      expect(answers[0].data.id).toBe(answers[1].data.id);
    }
  });

  it('asks for a one-time code and an active session', async () => {
    const old = await newKey();
    const { data: session } = await server.call('createSession', {
      body: { email: user.email, password: user.password },
    });
    expect((await rotate(old.clientId, { token: session.accessToken })).error?.code).toBe('STEP_UP_REQUIRED');
    await server.call('endSession', { token: session.accessToken });
    expect((await rotate(old.clientId, { token: session.accessToken })).error?.code).toBe('SESSION_INACTIVE');
  });

  it('is refused for keys that are not active, not mine, or of the interface before', async () => {
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

  it('is refused when the caller has a hundred credentials that are not revoked', async () => {
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

describe('revocation', () => {
  it('takes effect at once and stays: 204, and 204 again', async () => {
    const key = await newKey();
    expect((await revoke(key.clientId)).status).toBe(204);
    expect((await movement(key.secret)).error?.code).toBe('CREDENTIAL_REVOKED');
    expect((await revoke(key.clientId)).status).toBe(204);
    const { rows } = await client.query(`select action from app.user_audit_events where resource_id = $1`, [
      key.clientId,
    ]);
    expect(rows.map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked']);
  });

  it('needs no one-time code, works on a legacy key, and on nobody else’s', async () => {
    const { data: session } = await server.call('createSession', {
      body: { email: user.email, password: user.password },
    });
    const legacy = await newKey();
    await client.query(`update app.credentials set kind = 'legacy' where id = $1`, [legacy.clientId]);
    expect((await revoke(legacy.clientId, session.accessToken)).status).toBe(204);
    const other = await server.newUser();
    const mine = await newKey();
    const [foreign, none] = [await revoke(mine.clientId, other.token), await revoke(randomUUID())];
    expect(foreign.status).toBe(404);
    expect(foreign.error).toEqual(none.error);
    expect((await movement(mine.secret)).status).toBe(201);
  });

  it('is answered after a write that was let in before it, and lets none in after it', async () => {
    const key = await newKey();
    const countMovements = async () => {
      const { rows } = await client.query(`select count(*)::int as count from app.movements where source_id = $1`, [
        key.clientId,
      ]);
      return rows[0].count;
    };
    const other = new pg.Client({ connectionString: server.connectionString });
    await other.connect();
    try {
      // Somebody holds the balance, so that the write waits when it was let in already.
      await other.query('begin');
      await other.query('select from app.cashboxes where id = $1 for update', [tracker.cashboxId]);
      const written = movement(key.secret);
      await waiting(1);
      let isAnswered = false;
      const revoked = revoke(key.clientId).then(async ({ status }) => {
        isAnswered = true;
        return { status, movements: await countMovements() };
      });
      await waiting(2, () => isAnswered);
      const wasAnsweredTooEarly = isAnswered;
      await other.query('commit');

      expect({ wasAnsweredTooEarly, ...(await revoked) }).toEqual({
        wasAnsweredTooEarly: false,
        status: 204,
        movements: 1,
      });
      expect((await written).status).toBe(201);
      expect((await movement(key.secret)).error?.code).toBe('CREDENTIAL_REVOKED');
      expect(await countMovements()).toBe(1);
    } finally {
      await other.end();
    }
  });

  it('lets nothing commit after its 204, while sixteen writers are at work', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = await newKey();
      let isRevoked = false;
      const lateSuccesses: string[] = [];
      const writers = Array.from({ length: 16 }, async () => {
        for (;;) {
          const startedAfter = isRevoked;
          const answer = await movement(key.secret);
          if (answer.status !== 201) return answer.error?.code;
          if (startedAfter) lateSuccesses.push(answer.data.id);
        }
      });
      await revoke(key.clientId);
      isRevoked = true;
      const { rows: atRevocation } = await client.query(
        `select count(*)::int as count from app.movements where source_id = $1`,
        [key.clientId],
      );
      expect(new Set(await Promise.all(writers))).toEqual(new Set(['CREDENTIAL_REVOKED']));
      const { rows: after } = await client.query(
        `select count(*)::int as count from app.movements where source_id = $1`,
        [key.clientId],
      );
      expect(after[0].count).toBe(atRevocation[0].count);
      expect(lateSuccesses).toEqual([]);
    }
  });
});

describe('integration clients where the operator asks for a step-up', () => {
  it('take the same one-time code as API keys', async () => {
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
  it('have the newest first', async () => {
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

  it('are made with a session alone, for every tracker of the caller unless told otherwise', async () => {
    const member = await server.newUser();
    await server.call('addMember', {
      token: user.token,
      params: { trackerId: tracker.id },
      body: { email: member.email, role: 'editor' },
    });
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

  it('take the trackers one is a member of, and no others', async () => {
    const stranger = await server.newUser();
    const place = await server.newTracker(stranger);
    const refused = await newClient({ access: { mode: 'selected', trackerIds: [place.id] } });
    expect(refused.error).toMatchObject({ code: 'TRACKER_FORBIDDEN', details: { trackerIds: [place.id] } });
    expect((await newClient({ access: { mode: 'selected', trackerIds: [tracker.id] } })).status).toBe(201);
  });

  it('are of another family than API keys: neither lists, rotates or deletes the other', async () => {
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
