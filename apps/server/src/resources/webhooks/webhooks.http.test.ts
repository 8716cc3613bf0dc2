import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let client: pg.Client;
let user: TestUser;
let trackerId: string;
let accountId: string;
const url = 'https://example.org/hook';

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

beforeEach(async () => {
  const tracker = await server.newTracker(user);
  ({ id: trackerId, accountId } = tracker);
});

const as = (token = user.token) => ({ token, tracker: trackerId });

async function create(body: Record<string, unknown> = {}, token = user.token) {
  return server.call('createWebhook', { ...as(token), body: { url, ...body } });
}

async function record(count = 1, token = user.token) {
  for (let index = 0; index < count; index += 1) {
    const body = { type: 'expense', amountDecimal: '1.00', accountId };
    expect((await server.call('createMovement', { ...as(token), body })).status).toBe(201);
  }
}

async function newKey(
  scopes: readonly string[] = ['webhooks:read', 'webhooks:write', 'movements:read', 'movements:write'],
) {
  const { data } = await server.call('createApiKey', {
    token: user.token,
    body: { name: 'Hooks', scopes, access: { mode: 'selected', trackerIds: [trackerId] } },
  });
  return data;
}

async function events(type: string) {
  await client.query('select app.number_events($1, 10000)', [trackerId]);
  const { rows } = await client.query(
    'select change, user_id, resource_id from app.events where tracker_id = $1 and action = $2 order by sequence',
    [trackerId, type],
  );
  return rows;
}

const set = (id: string, assignments: string) =>
  client.query(`update app.webhook_endpoints set ${assignments} where id = $1`, [id]);

describe('POST /webhooks', () => {
  it('returns the endpoint with its defaults and its secret; a later read does not return the secret', async () => {
    await record(2);
    const { status, data, headers } = await create();
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/financial/webhooks/${data.id}`);
    const { secret, ...shown } = data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({
      url,
      description: null,
      eventTypes: ['*'],
      payload: 'reference',
      excludeOwnWrites: false,
      maxInFlight: 4,
      status: 'active',
      disabledReason: null,
      owner: { type: 'user', id: user.userId },
      lagSequence: 0,
      failingSince: null,
      lastSuccessAt: null,
      secretLast4: secret.slice(-4),
    });
    // The tracker has four events: one for the account, one for its cashbox, and two for movements.
    expect(shown.cursorSequence).toBe(4);
    const read = await server.call('getWebhook', { ...as(), params: { webhookId: data.id } });
    expect(read.data).toEqual({ ...shown, lagSequence: read.data.lagSequence });
    expect(await events('webhook.created')).toEqual([{ change: null, user_id: user.userId, resource_id: data.id }]);
  });

  it('sets excludeOwnWrites by default when an API key creates the endpoint, and makes the key the owner', async () => {
    const key = await newKey();
    const { data } = await create({}, key.secret);
    expect(data).toMatchObject({
      excludeOwnWrites: true,
      owner: { type: 'integration_client', id: key.clientId },
    });
  });

  it('sets cursorSequence to one less than fromSequence', async () => {
    await record();
    expect((await create({ fromSequence: 1 })).data).toMatchObject({ cursorSequence: 0, lagSequence: 3 });
    const { data } = await create({ fromSequence: 5 });
    expect(data.cursorSequence).toBe(4);
  });

  it('returns 400 OUT_OF_RANGE for a fromSequence greater than the number of the next event', async () => {
    expect((await create({ fromSequence: 4 })).issues).toEqual(['fromSequence OUT_OF_RANGE']);
  });

  it('returns 409 cursor_expired if fromSequence is the number of an event that retention removed', async () => {
    await record();
    await create();
    await client.query('update app.event_heads set floor_sequence = 2 where tracker_id = $1', [trackerId]);
    expect((await create({ fromSequence: 2 })).error?.details).toEqual({ reason: 'cursor_expired', restart: true });
    expect((await create({ fromSequence: 3 })).status).toBe(201);
  });

  it('returns 409 limit_reached for the 21st endpoint of a tracker, even when many endpoints are created at the same time', async () => {
    const results = await Promise.all(Array.from({ length: 25 }, () => create()));
    expect(results.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(results.find(({ status }) => status === 409)?.error?.details).toEqual({ reason: 'limit_reached' });
    const first = results.find(({ status }) => status === 201)?.data.id ?? '';
    await server.call('deleteWebhook', { ...as(), params: { webhookId: first } });
    expect((await create()).status).toBe(201);
  });

  it.each([
    [{ url: 'https://127.0.0.1/' }, 'url ADDRESS_NOT_ALLOWED'],
    [{ url: 'https://2130706433/' }, 'url ADDRESS_NOT_ALLOWED'],
    [{ url: 'https://[::ffff:10.0.0.1]:8443/' }, 'url ADDRESS_NOT_ALLOWED'],
    [{ url: 'http://example.org/' }, 'url INVALID_FORMAT'],
    [{ url: 'https://example.org:80/' }, 'url OUT_OF_RANGE'],
    [{ eventTypes: ['movement.made'] }, 'eventTypes.0 INVALID_FORMAT'],
  ])('returns 400 for %j', async (body, issue) => {
    expect((await create(body)).issues).toEqual([issue]);
  });

  it('returns 401 STEP_UP_REQUIRED to a session without a recent one-time code', async () => {
    const plain = await server.newUser();
    await server.addMember({ by: user, trackerId, user: plain, role: 'admin' });
    expect((await create({}, plain.token)).error?.code).toBe('STEP_UP_REQUIRED');
  });

  it('ignores an Idempotency-Key and refuses a dry run', async () => {
    const first = await server.call('createWebhook', { ...as(), body: { url }, idempotencyKey: 'one' });
    const second = await server.call('createWebhook', { ...as(), body: { url }, idempotencyKey: 'one' });
    expect(second.data.id).not.toBe(first.data.id);
    const dryRun = await server.call('createWebhook', { ...as(), body: { url }, query: { dryRun: 'true' } });
    expect(dryRun.issues).toEqual(['query.dryRun UNKNOWN_FIELD']);
  });
});

describe('PATCH /webhooks/{webhookId}', () => {
  it('stores the new values; the event webhook.updated contains only the origins of the old and the new url', async () => {
    const { data } = await create();
    const changed = await server.call('updateWebhook', {
      ...as(),
      params: { webhookId: data.id },
      body: { url: 'https://example.com/secret-path', maxInFlight: 1, description: 'Books' },
    });
    expect(changed.data).toMatchObject({
      url: 'https://example.com/secret-path',
      maxInFlight: 1,
      description: 'Books',
    });
    expect(await events('webhook.updated')).toMatchObject([
      {
        change: {
          url: ['https://example.org', 'https://example.com'],
          maxInFlight: [4, 1],
          description: [null, 'Books'],
        },
      },
    ]);
  });

  it('records no event if the values equal the current ones', async () => {
    const { data } = await create();
    const changed = await server.call('updateWebhook', {
      ...as(),
      params: { webhookId: data.id },
      body: { maxInFlight: 4, status: 'active' },
    });
    expect(changed.data.updatedAt).toBe(data.updatedAt);
    expect(await events('webhook.updated')).toEqual([]);
  });

  it('makes the caller the owner of the endpoint if the request contains a url', async () => {
    const { data } = await create();
    const key = await newKey();
    const changed = await server.call('updateWebhook', {
      ...as(key.secret),
      params: { webhookId: data.id },
      body: { url: 'https://example.com/' },
    });
    expect(changed.data.owner).toEqual({ type: 'integration_client', id: key.clientId });
  });

  it('requires a recent one-time code to change the url, but not to change the description', async () => {
    const { data } = await create();
    const admin = await server.newUser();
    await server.addMember({ by: user, trackerId, user: admin, role: 'admin' });
    const change = (body: object) =>
      server.call('updateWebhook', { ...as(admin.token), params: { webhookId: data.id }, body });
    expect((await change({ url: 'https://example.com/' })).error?.code).toBe('STEP_UP_REQUIRED');
    expect((await change({ description: 'Books' })).status).toBe(200);
  });

  it('requires a url in the body to activate an endpoint whose owner has lost access; the caller then becomes the owner', async () => {
    const admin = await server.newSteppedUpUser();
    await server.addMember({ by: user, trackerId, user: admin, role: 'admin' });
    const { data } = await create({}, admin.token);
    await server.call('removeMember', { ...as(), params: { trackerId, userId: admin.userId } });
    await set(data.id, `status = 'disabled', disabled_reason = 'owner_lost_access'`);
    const change = (body: object) => server.call('updateWebhook', { ...as(), params: { webhookId: data.id }, body });
    expect((await change({ status: 'active' })).error?.details).toEqual({
      reason: 'webhook_disabled',
      status: 'disabled',
      disabledReason: 'owner_lost_access',
    });
    const taken = await change({ status: 'active', url });
    expect(taken.data).toMatchObject({
      status: 'active',
      disabledReason: null,
      owner: { type: 'user', id: user.userId },
    });
  });

  it('skips missed events and drops pending deliveries when the endpoint is activated with resumeFrom=now', async () => {
    const { data } = await create();
    await server.call('testWebhook', { ...as(), params: { webhookId: data.id } });
    const change = (body: object) => server.call('updateWebhook', { ...as(), params: { webhookId: data.id }, body });
    await change({ status: 'paused' });
    await record(3);
    const resumed = await change({ status: 'active', resumeFrom: 'now' });
    expect(resumed.data).toMatchObject({ status: 'active', cursorSequence: data.cursorSequence + 5 });
    const { data: deliveries } = await server.call('listWebhookDeliveries', {
      ...as(),
      params: { webhookId: data.id },
    });
    expect(deliveries.map(({ status }) => status)).toEqual(['dropped']);
  });

  it('returns 409 cursor_expired to the activation of an endpoint if retention removed events after the cursor of the endpoint', async () => {
    const { data } = await create();
    const change = (body: object) => server.call('updateWebhook', { ...as(), params: { webhookId: data.id }, body });
    await change({ status: 'paused' });
    await record(3);
    await client.query('select app.number_events($1)', [trackerId]);
    await client.query('update app.event_heads set floor_sequence = sequence where tracker_id = $1', [trackerId]);
    expect((await change({ status: 'active' })).error?.details).toEqual({ reason: 'cursor_expired', restart: true });
    expect((await change({ status: 'active', resumeFrom: 'now' })).status).toBe(200);
  });

  it('returns 409 webhook_disabled to the activation of an endpoint without a secret, until the secret is rotated', async () => {
    const { data } = await create();
    await set(data.id, `secret = null, status = 'paused'`);
    const activate = () =>
      server.call('updateWebhook', { ...as(), params: { webhookId: data.id }, body: { status: 'active' } });
    expect((await activate()).error?.details).toMatchObject({ reason: 'webhook_disabled', status: 'paused' });
    await server.call('rotateWebhookSecret', { ...as(), params: { webhookId: data.id } });
    expect((await activate()).data.status).toBe('active');
  });
});

describe('DELETE /webhooks/{webhookId}', () => {
  it('returns 204, also when it is repeated; afterwards, every other operation on the endpoint returns 404', async () => {
    const { data } = await create();
    const params = { webhookId: data.id };
    await server.call('testWebhook', { ...as(), params });
    expect((await server.call('deleteWebhook', { ...as(), params })).status).toBe(204);
    expect((await server.call('deleteWebhook', { ...as(), params })).status).toBe(204);
    const others = [
      server.call('getWebhook', { ...as(), params }),
      server.call('updateWebhook', { ...as(), params, body: { url } }),
      server.call('rotateWebhookSecret', { ...as(), params }),
      server.call('testWebhook', { ...as(), params }),
      server.call('listWebhookDeliveries', { ...as(), params }),
      server.call('retryWebhookDelivery', { ...as(), params: { ...params, deliveryId: data.id } }),
      server.call('replayWebhook', { ...as(), params, body: { fromSequence: 1 } }),
    ];
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 404));
    expect((await server.call('listWebhooks', as())).data).toEqual([]);
    const { rows } = await client.query(
      `select e.secret, d.status from app.webhook_endpoints e join app.webhook_deliveries d on d.endpoint_id = e.id
       where e.id = $1`,
      [data.id],
    );
    expect(rows).toEqual([{ secret: null, status: 'dropped' }]);
    expect(await events('webhook.deleted')).toHaveLength(1);
  });

  it('returns 404 for an unknown id and for an endpoint of another tracker', async () => {
    const { data } = await create();
    const other = await server.newTracker(user);
    for (const webhookId of [data.id, '0190f2a0-0000-7000-8000-000000000001', 'x']) {
      const { status } = await server.call('deleteWebhook', {
        token: user.token,
        tracker: other.id,
        params: { webhookId },
      });
      expect(status).toBe(404);
    }
  });
});

it('POST /webhooks/{webhookId}/rotate-secret returns a new secret; the event webhook.updated contains only the last four characters of both secrets', async () => {
  const { data } = await create();
  const rotated = await server.call('rotateWebhookSecret', { ...as(), params: { webhookId: data.id } });
  expect(rotated.status).toBe(200);
  expect(rotated.data.secret).not.toBe(data.secret);
  expect(rotated.data.secretLast4).toBe(rotated.data.secret.slice(-4));
  const [event] = await events('webhook.updated');
  expect(event.change).toEqual({ secretLast4: [data.secretLast4, rotated.data.secretLast4] });
});

describe('POST /webhooks/{webhookId}/test', () => {
  it('returns a pending delivery of the type webhook.test whose eventId equals its own id', async () => {
    const { data } = await create();
    const { status, data: delivery } = await server.call('testWebhook', { ...as(), params: { webhookId: data.id } });
    expect(status).toBe(201);
    expect(delivery).toMatchObject({
      eventId: delivery.id,
      sequence: null,
      type: 'webhook.test',
      status: 'pending',
      attempts: 0,
      completedAt: null,
    });
  });

  it('returns 409 webhook_disabled for a paused endpoint, and so does POST /webhooks/{webhookId}/replay', async () => {
    const { data } = await create();
    await server.call('updateWebhook', { ...as(), params: { webhookId: data.id }, body: { status: 'paused' } });
    const params = { webhookId: data.id };
    const details = { reason: 'webhook_disabled', status: 'paused', disabledReason: null };
    expect((await server.call('testWebhook', { ...as(), params })).error?.details).toEqual(details);
    expect((await server.call('replayWebhook', { ...as(), params, body: { fromSequence: 1 } })).error?.details).toEqual(
      details,
    );
  });
});

describe('the deliveries of an endpoint', () => {
  it('are listed newest first, in pages, and can be filtered by status', async () => {
    const { data } = await create();
    const params = { webhookId: data.id };
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.unshift((await server.call('testWebhook', { ...as(), params })).data.id);
    }
    const listed: string[] = [];
    let query: Record<string, string> = { limit: '2' };
    for (;;) {
      const page = await server.call('listWebhookDeliveries', { ...as(), params, query });
      listed.push(...page.data.map(({ id }) => id));
      const { nextCursor, hasMore } = page.meta.pagination ?? { nextCursor: null, hasMore: false };
      expect(hasMore).toBe(nextCursor !== null);
      if (nextCursor === null) break;
      query = { limit: '2', cursor: nextCursor };
    }
    expect(listed).toEqual(ids);
    const failed = await server.call('listWebhookDeliveries', { ...as(), params, query: { status: 'failed' } });
    expect(failed.data).toEqual([]);
  });

  it('can be retried after ten failed attempts; the retry resets the number of counted attempts to zero', async () => {
    const { data } = await create();
    const params = { webhookId: data.id };
    const { data: delivery } = await server.call('testWebhook', { ...as(), params });
    await client.query(
      `update app.webhook_deliveries set status = 'failed', completed_at = now(), attempts = 10, counted_attempts = 10,
         next_attempt_at = null where endpoint_id = $1`,
      [data.id],
    );
    const retried = await server.call('retryWebhookDelivery', {
      ...as(),
      params: { ...params, deliveryId: delivery.id },
    });
    expect(retried.status).toBe(200);
    expect(retried.data).toMatchObject({ id: delivery.id, status: 'pending', completedAt: null });
    expect(retried.data.nextAttemptAt).not.toBeNull();
    const { rows } = await client.query('select counted_attempts from app.webhook_deliveries where endpoint_id = $1', [
      data.id,
    ]);
    expect(rows).toEqual([{ counted_attempts: 0 }]);
    const missing = { ...params, deliveryId: '0190f2a0-0000-7000-8000-000000000001' };
    expect((await server.call('retryWebhookDelivery', { ...as(), params: missing })).status).toBe(404);
  });
});

describe('POST /webhooks/{webhookId}/replay', () => {
  it('schedules deliveries of the events in the requested range that match the event types of the endpoint', async () => {
    const { data } = await create({ eventTypes: ['movement.*'] });
    await record(3);
    await client.query('select app.number_events($1)', [trackerId]);
    const replay = (body: object) => server.call('replayWebhook', { ...as(), params: { webhookId: data.id }, body });
    expect((await replay({ fromSequence: 1 })).data).toEqual({ count: 3 });
    expect((await replay({ fromSequence: 1, toSequence: 5 })).data.count).toBeLessThan(3);
    expect((await replay({ fromSequence: 1000 })).data).toEqual({ count: 0 });
    expect((await replay({ fromSequence: 1, onlyFailed: true })).data).toEqual({ count: 0 });
    expect((await replay({ fromSequence: 2, toSequence: 1 })).issues).toEqual(['toSequence OUT_OF_RANGE']);
    const { rows } = await client.query('select distinct type from app.webhook_deliveries where endpoint_id = $1', [
      data.id,
    ]);
    expect(rows).toEqual([{ type: 'movement.created' }]);
  });

  it('schedules only failed deliveries if onlyFailed is true', async () => {
    const { data } = await create({ eventTypes: ['movement.*'] });
    await record(3);
    await client.query('select app.number_events($1)', [trackerId]);
    const replay = (body: object) => server.call('replayWebhook', { ...as(), params: { webhookId: data.id }, body });
    await replay({ fromSequence: 1 });
    await client.query(
      `update app.webhook_deliveries set status = 'failed', completed_at = now() where endpoint_id = $1
         and sequence = (select max(sequence) from app.webhook_deliveries where endpoint_id = $1)`,
      [data.id],
    );
    expect((await replay({ fromSequence: 1, onlyFailed: true })).data).toEqual({ count: 1 });
  });

  it('returns 400 OUT_OF_RANGE if the requested range contains more than 10,000 events', async () => {
    const { data } = await create();
    await client.query(
      `insert into app.events (tracker_id, sequence, hash, id, occurred_at, action, resource_type, resource_id, request_id)
       select $1, 1000 + n, sha256('x'), gen_random_uuid(), now(), 'movement.created', 'movement', gen_random_uuid()::text, gen_random_uuid()
       from generate_series(1, 10001) as n`,
      [trackerId],
    );
    const replay = (body: object) => server.call('replayWebhook', { ...as(), params: { webhookId: data.id }, body });
    expect((await replay({ fromSequence: 1001, toSequence: 20_000 })).issues).toEqual(['toSequence OUT_OF_RANGE']);
    expect((await replay({ fromSequence: 1002, toSequence: 20_000 })).data).toEqual({ count: 10_000 });
  });
});

describe('access to webhooks', () => {
  it('is refused to an editor, and to an API key without the scope of the operation', async () => {
    const { data } = await create();
    const editor = await server.newSteppedUpUser();
    await server.addMember({ by: user, trackerId, user: editor, role: 'editor' });
    expect((await server.call('listWebhooks', as(editor.token))).error?.code).toBe('INSUFFICIENT_ROLE');
    const reader = await newKey(['webhooks:read']);
    expect((await server.call('listWebhooks', as(reader.secret))).data).toHaveLength(1);
    const params = { webhookId: data.id };
    expect((await server.call('testWebhook', { ...as(reader.secret), params })).error?.details).toEqual({
      requiredScopes: ['webhooks:write'],
    });
  });
});

it('GET /webhooks returns 404 if the server is started with WEBHOOKS=off', async () => {
  const without = await startTestServer({ env: { WEBHOOKS: 'off' } });
  try {
    const { token } = await without.newUser();
    expect((await without.call('listWebhooks', { token })).status).toBe(404);
  } finally {
    await without.close();
  }
});
