import { encodeEventCursor } from '@centavo/contracts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let client: pg.Client;
let owner: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };

beforeAll(async () => {
  server = await startTestServer();
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  owner = await server.newSteppedUpUser();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

beforeEach(async () => {
  tracker = await server.newTracker(owner);
});

function list(query: Record<string, string> = {}, token = owner.token) {
  return server.call('listAuditEvents', { token, tracker: tracker.id, query });
}

function head() {
  return server.call('getAuditHead', { token: owner.token, tracker: tracker.id });
}

async function record(fields: Record<string, unknown> = {}) {
  const body = { type: 'expense', amountDecimal: '12.5', accountId: tracker.accountId, ...fields };
  const { data, headers } = await server.call('createMovement', { token: owner.token, tracker: tracker.id, body });
  return { ...data, etag: headers.get('etag') ?? '' };
}

/** Inserts pending events without digests, as an earlier version of the server wrote them. */
async function insertEvents(count: number, occurredAt = '2026-01-15T12:00:00Z') {
  await client.query(
    `insert into app.audit_events (tracker_id, id, occurred_at, user_id, action, resource_type, resource_id, request_id)
     select $1, gen_random_uuid(), $4, $2, 'account.updated', 'account', $3, gen_random_uuid() from generate_series(1, $5)`,
    [tracker.id, owner.userId, tracker.accountId, occurredAt, count],
  );
}

const numbers = (data: readonly { readonly sequence: number }[]) => data.map(({ sequence }) => sequence);

describe('GET /audit-events', () => {
  it('returns the events of the tracker by number, newest first, with their hashes, digests and salts', async () => {
    const movement = await record({ description: 'Coffee' });
    const { data, meta } = await list();
    expect(numbers(data)).toEqual([3, 2, 1]);
    expect(meta.pagination).toEqual({
      limit: 50,
      offset: null,
      count: 3,
      total: null,
      hasMore: false,
      nextOffset: null,
      nextCursor: null,
    });
    expect(data[0]).toMatchObject({
      type: 'movement.created',
      resource: { type: 'movement', id: movement.id },
      actor: { type: 'user', id: owner.userId },
      userId: owner.userId,
      credentialId: null,
      previousHash: data[1]?.hash,
      change: null,
      changeDigest: null,
      stateDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(data[0]).not.toHaveProperty('record');
    expect((await head()).data).toMatchObject({ sequence: 3, hash: data[0]?.hash, floorSequence: 0 });
    expect(data[2]?.previousHash).toBe((await head()).data.floorHash);
    expect(numbers((await list({ order: 'asc' })).data)).toEqual([1, 2, 3]);
  });

  it.each(['desc', 'asc'])(
    'returns pages in the order %s, each continuing after the cursor of the previous page',
    async (order) => {
      for (let count = 0; count < 3; count += 1) await record();
      const seen: number[] = [];
      let cursor: string | null | undefined;
      for (let pages = 0; pages < 3; pages += 1) {
        const { data, meta } = await list({ order, limit: '2', ...(cursor ? { cursor } : {}) });
        seen.push(...numbers(data));
        cursor = meta.pagination?.nextCursor;
        expect(meta.pagination?.hasMore).toBe(pages < 2);
      }
      expect([seen, cursor]).toEqual([order === 'asc' ? [1, 2, 3, 4, 5] : [5, 4, 3, 2, 1], null]);
    },
  );

  it('filters by record, type, type prefix and actor', async () => {
    const movement = await record();
    const { data: corrected } = await server.call('correctMovement', {
      token: owner.token,
      tracker: tracker.id,
      params: { movementId: movement.id },
      ifMatch: movement.etag,
      body: { description: 'Lunch' },
    });
    const { data: key } = await server.call('createApiKey', {
      token: owner.token,
      body: {
        name: 'write',
        scopes: ['movements:write', 'movements:read', 'audit:read'],
        access: { mode: 'selected', trackerIds: [tracker.id] },
      },
    });
    const body = { type: 'expense', amountDecimal: '1', accountId: tracker.accountId };
    await server.call('createMovement', { token: key.secret, body });
    const types = async (query: Record<string, string>) =>
      (await list({ order: 'asc', ...query })).data.map(({ type }) => type);
    const ofMovement = ['movement.created', 'movement.corrected'];
    expect(await types({ resourceType: 'movement', resourceId: corrected.id })).toEqual(ofMovement);
    expect(await types({ resourceType: 'account' })).toEqual(['account.created']);
    expect(await types({ type: 'movement.corrected' })).toEqual(['movement.corrected']);
    expect(await types({ type: 'movement.*' })).toEqual([...ofMovement, 'movement.created']);
    expect(await types({ type: 'move.*' })).toEqual([]);
    expect(await types({ actorId: key.clientId.toUpperCase() })).toEqual(['movement.created']);
    expect(await types({ actorId: owner.userId, type: 'movement.*' })).toEqual(ofMovement);
    const [event] = (await list({ actorId: key.clientId })).data;
    expect(event).toMatchObject({ userId: owner.userId, credentialId: key.clientId });
    expect((await list({}, key.secret)).status).toBe(200);
  });

  it("filters by a range of days in the tracker's time zone, including its first and last day", async () => {
    // In Madrid, 2026-01-14 lasts from 23:00 UTC of the previous day to 23:00 UTC.
    await insertEvents(1, '2026-01-13T22:59:59.999Z');
    await insertEvents(1, '2026-01-13T23:00:00.000Z');
    await insertEvents(1, '2026-01-14T22:59:59.999Z');
    await insertEvents(1, '2026-01-14T23:00:00.000Z');
    const times = async (query: Record<string, string>) =>
      (await list({ order: 'asc', type: 'account.updated', ...query })).data.map(({ occurredAt }) => occurredAt);
    expect(await times({ from: '2026-01-14', to: '2026-01-14' })).toEqual([
      '2026-01-13T23:00:00.000Z',
      '2026-01-14T22:59:59.999Z',
    ]);
    expect(await times({ from: '2026-01-15' })).toEqual(['2026-01-14T23:00:00.000Z']);
    expect(await times({ to: '2026-01-13' })).toEqual(['2026-01-13T22:59:59.999Z']);
  });

  it.each([
    [{ resourceId: 'cat_unknown' }, 'query.resourceType REQUIRED'],
    [{ resourceType: 'invoice' }, 'query.resourceType INVALID_FORMAT'],
    [{ resourceType: 'movement', resourceId: 'a b' }, 'query.resourceId INVALID_FORMAT'],
    [{ resourceType: 'movement', resourceId: 'xx' }, 'query.resourceId INVALID_FORMAT'],
    [{ actorId: 'me' }, 'query.actorId INVALID_FORMAT'],
    [{ type: '*' }, 'query.type INVALID_FORMAT'],
    [{ from: '2026-02-02', to: '2026-02-01' }, 'query.from FILTER_CONFLICT'],
    [{ order: 'up' }, 'query.order INVALID_FORMAT'],
    [{ limit: '201' }, 'query.limit OUT_OF_RANGE'],
    [{ cursor: 'x' }, 'query.cursor INVALID_FORMAT'],
    [{ offset: '0' }, 'query.offset UNKNOWN_FIELD'],
  ])('returns 400 for %j with the issue %s', async (query, issue) => {
    const { status, issues } = await list(query as unknown as Record<string, string>);
    expect([status, issues]).toEqual([400, [issue]]);
  });

  it('examines at most 10,000 events for a page, unless resourceId selects one record', async () => {
    const movement = await record();
    await insertEvents(10_500);
    // Each read numbers at most 1,000 events.
    for (let reads = 0; reads < 11; reads += 1) await head();
    expect((await head()).data.sequence).toBe(10_503);
    const first = await list({ resourceType: 'movement' });
    expect([first.data, first.meta.pagination?.hasMore]).toEqual([[], true]);
    const second = await list({ resourceType: 'movement', cursor: first.meta.pagination?.nextCursor ?? '' });
    expect([numbers(second.data), second.meta.pagination?.hasMore]).toEqual([[3], false]);
    const ofRecord = await list({ resourceType: 'movement', resourceId: movement.id });
    expect([numbers(ofRecord.data), ofRecord.meta.pagination?.hasMore]).toEqual([[3], false]);
    const ascending = await list({ resourceType: 'transfer', order: 'asc' });
    expect([ascending.data, ascending.meta.pagination?.hasMore]).toEqual([[], true]);
    const rest = await list({
      resourceType: 'transfer',
      order: 'asc',
      cursor: ascending.meta.pagination?.nextCursor ?? '',
    });
    expect([rest.data, rest.meta.pagination?.hasMore]).toEqual([[], false]);
  });

  it('returns cursor_diverged for a cursor with a wrong hash, and cursor_expired for a cursor before the last removed event', async () => {
    await record();
    const [newest] = (await list()).data;
    const hash = newest?.hash ?? '';
    const reasonOf = async (cursor: string) => (await list({ cursor })).error?.details;
    expect(await reasonOf(encodeEventCursor({ sequence: 2, hash }))).toMatchObject({
      reason: 'cursor_diverged',
      restart: true,
    });
    expect(await reasonOf(encodeEventCursor({ sequence: 99, hash }))).toMatchObject({ reason: 'cursor_diverged' });
    const [, second, first] = (await list()).data;
    await client.query(
      `update app.event_heads h set floor_sequence = 2, floor_hash = (
         select hash from app.events e where e.tracker_id = h.tracker_id and e.sequence = 2) where tracker_id = $1`,
      [tracker.id],
    );
    await client.query('delete from app.events where tracker_id = $1 and sequence <= 2', [tracker.id]);
    expect(await reasonOf(encodeEventCursor(first ?? { sequence: 1, hash }))).toMatchObject({
      reason: 'cursor_expired',
      restart: true,
    });
    const atFloor = await list({ order: 'asc', cursor: encodeEventCursor(second ?? { sequence: 2, hash }) });
    expect([numbers(atFloor.data), atFloor.data[0]?.previousHash]).toEqual([[3], second?.hash]);
    expect(numbers((await list({ order: 'asc' })).data)).toEqual([3]);
    expect((await head()).data).toMatchObject({ sequence: 3, floorSequence: 2, floorHash: second?.hash });
  });

  it('requires the role admin and, if the caller uses an API key, the scope audit:read', async () => {
    const member = await server.newUser();
    await server.addMember({ by: owner, trackerId: tracker.id, user: member, role: 'editor' });
    expect((await list({}, member.token)).error?.code).toBe('INSUFFICIENT_ROLE');
    const { data: key } = await server.call('createApiKey', {
      token: owner.token,
      body: { name: 'r', scopes: ['changes:read'], access: { mode: 'selected', trackerIds: [tracker.id] } },
    });
    expect((await list({}, key.secret)).error?.code).toBe('INSUFFICIENT_SCOPE');
  });

  it('returns no event of another tracker', async () => {
    const other = await server.newTracker(owner);
    const { data } = await server.call('listAuditEvents', { token: owner.token, tracker: other.id });
    expect(data.map(({ resource }) => resource.id)).toEqual([other.cashboxId, other.accountId]);
  });
});

describe('GET /audit-events/head', () => {
  it('returns number 0 and the genesis hash for a tracker without events', async () => {
    const { data: empty } = await server.call('createTracker', {
      token: owner.token,
      body: { name: 'Empty', currencyCode: 'EUR', timeZone: 'UTC' },
    });
    const { data } = await server.call('getAuditHead', { token: owner.token, tracker: empty.id });
    expect(data).toEqual({
      sequence: 0,
      hash: data.floorHash,
      occurredAt: null,
      floorSequence: 0,
      floorHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { data: events } = await server.call('listAuditEvents', { token: owner.token, tracker: empty.id });
    expect(events).toEqual([]);
  });

  it('assigns numbers to unnumbered events before it returns the head', async () => {
    const before = (await head()).data.sequence;
    await record();
    const { data } = await head();
    const [newest] = (await list()).data;
    expect(data).toMatchObject({ sequence: before + 1, hash: newest?.hash, occurredAt: newest?.occurredAt });
  });
});
