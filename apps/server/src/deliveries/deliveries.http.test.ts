import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';
import {
  startWebhookReceiver,
  verifyDelivery,
  type WebhookReceiver,
} from '../../test-support/start-webhook-receiver.js';

let server: TestServer;
let client: pg.Client;
let user: TestUser;
let trackerId: string;
let accountId: string;
let receiver: WebhookReceiver;

beforeAll(async () => {
  server = await startTestServer({
    env: { WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8' },
    numbersEvents: true,
    deliveryIntervalMs: 20,
  });
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  user = await server.newSteppedUpUser();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

beforeEach(async () => {
  receiver = await startWebhookReceiver();
  const tracker = await server.newTracker(user);
  ({ id: trackerId, accountId } = tracker);
});

afterEach(async () => {
  await client.query('update app.webhook_endpoints set deleted_at = now() where tracker_id = $1', [trackerId]);
  await receiver.close();
});

const as = (token = user.token) => ({ token, tracker: trackerId });

async function create(body: Record<string, unknown> = {}, token = user.token) {
  const { data, status, error } = await server.call('createWebhook', {
    ...as(token),
    body: { url: receiver.url, eventTypes: ['movement.*'], ...body },
  });
  if (status !== 201) throw new Error(JSON.stringify(error));
  return data;
}

async function record(description = 'Café 🍜', token = user.token) {
  const body = { type: 'expense', amountDecimal: '1.00', accountId, description };
  const { data } = await server.call('createMovement', { ...as(token), body });
  return data;
}

async function rows(endpointId: string) {
  const { rows: found } = await client.query(
    'select * from app.webhook_deliveries where endpoint_id = $1 order by sequence nulls first',
    [endpointId],
  );
  return found;
}

/** Polls until `isReached` returns true, because a worker records a result only after the receiver has answered. */
async function until<Value>(read: () => Promise<Value>, isReached: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read();
    if (isReached(value)) return value;
    await client.query('select pg_sleep(0.02)');
  }
}

const settled = (endpointId: string, status: string, count = 1) =>
  until(
    () => rows(endpointId),
    (found) => found.filter((row) => row.status === status).length >= count,
  );

const endpointOf = async (webhookId: string) =>
  (await server.call('getWebhook', { ...as(), params: { webhookId } })).data;

/** Makes all pending deliveries due now, as if their pauses had passed. */
const skipWaiting = async (endpointId: string) => {
  await client.query(
    `update app.webhook_deliveries set next_attempt_at = now() where endpoint_id = $1 and status = 'pending'`,
    [endpointId],
  );
  await client.query(
    'update app.webhook_endpoints set due_at = now(), retry_at = case when retry_at is not null then now() end where id = $1',
    [endpointId],
  );
};

describe('a delivery', () => {
  it('contains a reference to the event, and has a signature that the Standard Webhooks library verifies', async () => {
    const { id, secret } = await create();
    const movement = await record();
    const [delivery] = await receiver.waitFor(1);
    if (delivery === undefined) throw new Error('nothing was received');
    expect(delivery.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Centavo-Webhooks/1' });
    const body = verifyDelivery(delivery, secret);
    expect(body).toMatchObject({
      type: 'movement.created',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        trackerId,
        resource: { type: 'movement', id: movement.id },
        actor: { type: 'user', id: user.userId },
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        change: null,
        record: null,
      },
    });
    expect(delivery.headers['webhook-id']).toBe(body.data.id);
    const [row] = await settled(id, 'succeeded');
    expect(row).toMatchObject({ attempts: 1, last_status: 204, last_error: null, body: null, event_id: body.data.id });
    expect((await endpointOf(id)).lastSuccessAt).not.toBeNull();
  });

  it('contains the record, as the API returns it, if the endpoint has the payload "record"', async () => {
    const { secret } = await create({ payload: 'record' });
    const movement = await record();
    const [delivery] = await receiver.waitFor(1);
    if (delivery === undefined) throw new Error('nothing was received');
    expect(verifyDelivery(delivery, secret).data.record).toEqual(movement);
  });

  it('is sent for each event, starting at the sequence number fromSequence, and in order if maxInFlight is 1', async () => {
    for (let count = 0; count < 5; count += 1) await record(String(count));
    await create({ fromSequence: 1, maxInFlight: 1, eventTypes: ['*'] });
    const received = await receiver.waitFor(7);
    expect(received.map(({ body }) => JSON.parse(body).data.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('is not sent for writes of the owner of the endpoint if excludeOwnWrites is set', async () => {
    const editor = await server.newUser();
    await server.addMember({ by: user, trackerId, user: editor, role: 'editor' });
    await create({ excludeOwnWrites: true });
    await record('own');
    const other = await record('other', editor.token);
    const [delivery] = await receiver.waitFor(1);
    expect(JSON.parse(delivery?.body ?? '').data.resource.id).toBe(other.id);
  });

  it('is sent only for events that the owner of the endpoint may read, if the owner is an API key', async () => {
    const { data: key } = await server.call('createApiKey', {
      token: user.token,
      body: {
        name: 'Hooks',
        scopes: ['webhooks:write', 'accounts:read'],
        access: { mode: 'selected', trackerIds: [trackerId] },
      },
    });
    const { id } = await create({ eventTypes: ['*'] }, key.secret);
    await record();
    await server.newAccount(user, trackerId, { name: 'Savings' });
    const received = await receiver.waitFor(2);
    expect(received.map(({ body }) => JSON.parse(body).type).sort()).toEqual(['account.created', 'cashbox.created']);
    expect((await rows(id)).map(({ type }) => type).sort()).toEqual(['account.created', 'cashbox.created']);
  });
});

describe('a test delivery', () => {
  it('contains the id that testWebhook returned, and no sequence number, hash, change or record', async () => {
    const { id, secret } = await create();
    const { data } = await server.call('testWebhook', { ...as(), params: { webhookId: id } });
    const [delivery] = await receiver.waitFor(1);
    if (delivery === undefined) throw new Error('nothing was received');
    expect(verifyDelivery(delivery, secret)).toMatchObject({
      type: 'webhook.test',
      data: { id: data.id, sequence: null, hash: null, resource: { type: 'webhook', id }, change: null, record: null },
    });
    await settled(id, 'succeeded');
  });
});

describe('a failed delivery', () => {
  it('with status 500 is retried with the same id and body, and with a valid signature', async () => {
    receiver.answer((_request, response, count) => response.writeHead(count === 1 ? 500 : 200).end('x'.repeat(10_000)));
    const { id, secret } = await create({ payload: 'record' });
    await record();
    await receiver.waitFor(1);
    const [waiting] = await until(
      () => rows(id),
      ([row]) => row?.attempts === 1,
    );
    expect(waiting).toMatchObject({ status: 'pending', last_status: 500, last_error: 'status', counted_attempts: 1 });
    const { data: listed } = await server.call('listWebhookDeliveries', { ...as(), params: { webhookId: id } });
    expect(listed).toMatchObject([{ status: 'pending', attempts: 1, lastStatus: 500, lastError: 'status' }]);
    // The id is a UUID of version 7.
    expect(listed[0]?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab]/);
    await skipWaiting(id);
    const [first, second] = await receiver.waitFor(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    if (second !== undefined) verifyDelivery(second, secret);
    await settled(id, 'succeeded');
  });

  it.each([
    [
      'a redirect',
      'status',
      (response: import('node:http').ServerResponse) => response.writeHead(302, { location: '/other' }).end(),
    ],
    ['a cut connection', 'connection_lost', (response: import('node:http').ServerResponse) => response.destroy()],
    [
      'headers of 64 KiB',
      'too_large',
      (response: import('node:http').ServerResponse) => response.writeHead(200, { 'x-long': 'x'.repeat(65_536) }).end(),
    ],
  ])('caused by %s is recorded with the error %s', async (_, error, respond) => {
    receiver.answer((_request, response) => respond(response));
    const { id } = await create();
    await record();
    const [row] = await until(
      () => rows(id),
      ([found]) => (found?.attempts ?? 0) > 0,
    );
    expect(row.last_error).toBe(error);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });

  it('with status 410 disables the endpoint, and records a webhook.disabled event without a user', async () => {
    receiver.answer((_request, response) => response.writeHead(410).end());
    const { id } = await create();
    await record();
    await until(
      () => endpointOf(id),
      ({ status }) => status === 'disabled',
    );
    expect(await endpointOf(id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    const { rows: events } = await until(
      () =>
        client.query(`select user_id, change from app.events where tracker_id = $1 and action = 'webhook.disabled'`, [
          trackerId,
        ]),
      ({ rows: found }) => found.length > 0,
    );
    expect(events).toEqual([{ user_id: null, change: null }]);
  });
});

describe('an endpoint that fails five times in a row', () => {
  it('receives its oldest pending event first when it works again, and then all other pending events', async () => {
    receiver.answer((_request, response) => response.writeHead(500).end());
    const { id } = await create({ maxInFlight: 4 });
    for (let count = 0; count < 6; count += 1) await record(String(count));
    await until(
      () => client.query('select failure_count from app.webhook_endpoints where id = $1', [id]),
      ({ rows: [row] }) => row.failure_count >= 5,
    );
    expect((await endpointOf(id)).failingSince).not.toBeNull();
    const before = receiver.received.length;
    receiver.answer((_request, response) => response.writeHead(200).end());
    await skipWaiting(id);
    await settled(id, 'succeeded', 6);
    const sequences = receiver.received.slice(before).map(({ body }) => JSON.parse(body).data.sequence);
    expect(sequences[0]).toBe(Math.min(...sequences));
    expect(await endpointOf(id)).toMatchObject({ status: 'active', failingSince: null });
  });

  it('is tried again after 5 s, even if several attempts failed at the same time', async () => {
    receiver.answer((_request, response) => response.writeHead(503).end());
    for (let count = 0; count < 20; count += 1) await record(String(count));
    const { id } = await create({ maxInFlight: 4, fromSequence: 1 });
    const { rows: found } = await until(
      () =>
        client.query(
          `select failure_count, retry_at - clock_timestamp() < interval '6 seconds' as is_soon from app.webhook_endpoints
           where id = $1 and leased_by is null`,
          [id],
        ),
      ({ rows: [row] }) => row?.failure_count >= 5,
    );
    expect(found).toEqual([{ failure_count: 5, is_soon: true }]);
    // Five failures, and at most three attempts that were in flight when the fifth attempt failed.
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBeLessThanOrEqual(8);
  });
});

it('after a rotation of the secret, a delivery is signed with the new secret, and during an overlap also with the old secret', async () => {
  const { id, secret: old } = await create();
  const rotate = async (overlapHours: number) =>
    (await server.call('rotateWebhookSecret', { ...as(), params: { webhookId: id }, body: { overlapHours } })).data
      .secret;
  const second = await rotate(1);
  await record();
  const [first] = await receiver.waitFor(1);
  if (first === undefined) throw new Error('nothing was received');
  verifyDelivery(first, old);
  verifyDelivery(first, second);
  const third = await rotate(0);
  await record();
  const [, last] = await receiver.waitFor(2);
  if (last === undefined) throw new Error('nothing was received');
  verifyDelivery(last, third);
  expect(() => verifyDelivery(last, second)).toThrow();
});

it('a paused endpoint receives nothing, and continues at its cursor when it is active again', async () => {
  const { id } = await create();
  const change = (status: string) =>
    server.call('updateWebhook', { ...as(), params: { webhookId: id }, body: { status } });
  await change('paused');
  const movements = [await record('1'), await record('2')];
  await until(
    () => endpointOf(id),
    ({ lagSequence }) => lagSequence >= 3,
  );
  expect(receiver.received).toEqual([]);
  await change('active');
  const received = await receiver.waitFor(2);
  expect(received.map(({ body }) => JSON.parse(body).data.resource.id).sort()).toEqual(
    movements.map((movement) => movement.id).sort(),
  );
});

it('replayWebhook delivers an already delivered event a second time, with the same id and body', async () => {
  const { id } = await create();
  await record();
  await settled(id, 'succeeded');
  const replayed = await server.call('replayWebhook', {
    ...as(),
    params: { webhookId: id },
    body: { fromSequence: 1 },
  });
  expect(replayed.data).toEqual({ count: 1 });
  const [first, second] = await receiver.waitFor(2);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
});

describe('an endpoint', () => {
  it('is disabled and receives nothing after the role of its owner is changed from admin to editor', async () => {
    const admin = await server.newSteppedUpUser();
    await server.addMember({ by: user, trackerId, user: admin, role: 'admin' });
    const { id } = await create({}, admin.token);
    await server.call('changeMemberRole', {
      token: user.token,
      params: { trackerId, userId: admin.userId },
      body: { role: 'editor' },
    });
    await record();
    await until(
      () => endpointOf(id),
      ({ status }) => status === 'disabled',
    );
    expect(await endpointOf(id)).toMatchObject({ disabledReason: 'owner_lost_access' });
    expect(receiver.received).toEqual([]);
  });

  it('of a rotated API key receives events after the old key is revoked, and is disabled after the new key is revoked', async () => {
    const { data: key } = await server.call('createApiKey', {
      token: user.token,
      body: {
        name: 'Hooks',
        scopes: ['webhooks:write', 'movements:read'],
        access: { mode: 'selected', trackerIds: [trackerId] },
      },
    });
    const { id } = await create({}, key.secret);
    const { data: rotated } = await server.call('rotateApiKey', {
      token: user.token,
      params: { clientId: key.clientId },
    });
    await server.call('revokeApiKey', { token: user.token, params: { clientId: key.clientId } });
    await record();
    await receiver.waitFor(1);
    await server.call('revokeApiKey', { token: user.token, params: { clientId: rotated.clientId } });
    await record();
    await until(
      () => endpointOf(id),
      ({ status }) => status === 'disabled',
    );
    expect(receiver.received).toHaveLength(1);
  });

  it('drops the pending delivery of a movement when an API key that may not read movements changes the URL of the endpoint', async () => {
    receiver.answer((_request, response) => response.writeHead(500).end());
    const { id } = await create({ payload: 'record' });
    await record();
    await until(
      () => rows(id),
      ([row]) => row?.attempts === 1,
    );
    const { data: key } = await server.call('createApiKey', {
      token: user.token,
      body: {
        name: 'Hooks',
        scopes: ['webhooks:write', 'accounts:read'],
        access: { mode: 'selected', trackerIds: [trackerId] },
      },
    });
    await server.call('updateWebhook', {
      ...as(key.secret),
      params: { webhookId: id },
      body: { url: `${receiver.url}/new` },
    });
    await settled(id, 'dropped');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });
});

it('a deleted endpoint drops its pending deliveries', async () => {
  receiver.answer((_request, response) => response.writeHead(500).end());
  const { id } = await create();
  await record();
  await until(
    () => rows(id),
    ([row]) => row?.attempts === 1,
  );
  await server.call('deleteWebhook', { ...as(), params: { webhookId: id } });
  expect((await rows(id)).map(({ status }) => status)).toEqual(['dropped']);
});

it('the result of a worker that lost its lease is ignored, and the event is delivered again', async () => {
  let lose: Promise<unknown> | undefined;
  const { id } = await create();
  receiver.answer((_request, response, count) => {
    lose =
      count === 1
        ? client.query(
            `update app.webhook_endpoints set lease_epoch = lease_epoch + 1, leased_by = null, leased_until = null,
               due_at = now() where id = $1`,
            [id],
          )
        : undefined;
    void (lose ?? Promise.resolve()).then(() => response.writeHead(204).end());
  });
  await record();
  const [first, second] = await receiver.waitFor(2);
  expect(second?.body).toBe(first?.body);
  const [row] = await settled(id, 'succeeded');
  expect(row.attempts).toBe(1);
});

it('two servers with one database deliver each event exactly once', async () => {
  const other = await startTestServer({
    env: { WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8' },
    database: { connectionString: server.connectionString, servingUrl: server.servingUrl, drop: async () => {} },
    numbersEvents: true,
    deliveryIntervalMs: 20,
  });
  try {
    const { id } = await create({ maxInFlight: 16 });
    for (let count = 0; count < 40; count += 1) await record(String(count));
    await settled(id, 'succeeded', 40);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
  } finally {
    await other.close();
  }
});

it('the metrics count delivery attempts by outcome', async () => {
  const { id } = await create();
  await record();
  await settled(id, 'succeeded');
  const page = await (await fetch(`${server.origin}/metrics`)).text();
  expect(page).toMatch(/centavo_webhook_attempts_total\{outcome="succeeded"\} [1-9]/);
  expect(page).toContain('centavo_webhook_lag_seconds');
});
