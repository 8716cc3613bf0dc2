import { encodeEventCursor } from '@centavo/contracts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CallOptions,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../../../test-support/start-test-server.js';

let server: TestServer;
let client: pg.Client;
let owner: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };

beforeAll(async () => {
  server = await startTestServer();
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

beforeEach(async () => {
  owner = await server.newSteppedUpUser();
  tracker = await server.newTracker(owner);
});

function list(query: Record<string, string> = {}, options: CallOptions = {}) {
  return server.call('listChanges', { token: owner.token, query, ...options });
}

function record(options: CallOptions = {}) {
  const body = { type: 'expense', amountDecimal: '12.5', accountId: tracker.accountId } as const;
  return server.call('createMovement', { token: owner.token, body, ...options });
}

/** Returns the cursor after all events. */
async function now(): Promise<string> {
  return (await list({ from: 'now' })).meta.feed?.cursor ?? '';
}

/** Returns type, resource and change of each event after a cursor. */
async function eventsAfter(after: string) {
  const { data } = await list({ after });
  return data.map(({ type, resource, change }) => [type, `${resource.type} ${resource.id}`, change]);
}

async function keyWith(...scopes: string[]): Promise<string> {
  const { data } = await server.call('createApiKey', {
    token: owner.token,
    body: { name: 'Mirror', scopes, access: { mode: 'selected', trackerIds: [tracker.id] } },
  });
  return data.secret;
}

describe('GET /changes', () => {
  it('returns every change of the tracker in ascending order, without gaps', async () => {
    const { data: movement, meta } = await record();
    const { data } = await list();
    expect(data.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'account.created'],
      [2, 'cashbox.created'],
      [3, 'movement.created'],
    ]);
    expect(data[2]).toMatchObject({
      resource: { type: 'movement', id: movement.id },
      actor: { type: 'user', id: owner.userId },
      requestId: meta.requestId,
      change: null,
      record: null,
    });
  });

  it('names the credential of a write as the actor, not the owner of the credential', async () => {
    const secret = await keyWith('movements:write', 'movements:read', 'changes:read');
    const after = await now();
    const { data: movement } = await record({ token: secret });
    const [change] = (await list({ after }, { token: secret })).data;
    expect(change?.actor).toEqual({ type: 'integration_client', id: movement.source.id });
  });

  it('returns every change once when each request continues after the cursor of the previous page', async () => {
    for (let count = 0; count < 3; count += 1) await record();
    const seen: number[] = [];
    let query: Record<string, string> = { limit: '2' };
    for (let pages = 0; pages < 3; pages += 1) {
      const { data, meta } = await list(query);
      seen.push(...data.map(({ sequence }) => sequence));
      expect(meta.feed).toMatchObject({ hasMore: pages < 2, headSequence: 5 });
      query = { limit: '2', after: meta.feed?.cursor ?? '' };
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    const { data, meta } = await list(query);
    expect([data, meta.feed?.cursor]).toEqual([[], query.after]);
  });

  it('returns an event on a later page if it was inserted before a page was read, but committed after the read', async () => {
    const after = await now();
    const insertEvent = (by: pg.Client, resourceId: string) =>
      by.query(
        `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id)
         values ($1, gen_random_uuid(), $2, 'account.updated', 'account', $3, gen_random_uuid())`,
        [tracker.id, owner.userId, resourceId],
      );
    await client.query('begin');
    await insertEvent(client, 'slow');
    const { data: movement } = await record();
    const first = await list({ after, limit: '1' });
    await client.query('commit');
    await record();
    const seen: string[] = first.data.map(({ resource }) => resource.id);
    for (let cursor = first.meta.feed?.cursor ?? ''; seen.length < 3; ) {
      const { data, meta } = await list({ after: cursor, limit: '1' });
      if (data.length === 0) break;
      seen.push(...data.map(({ resource }) => resource.id));
      cursor = meta.feed?.cursor ?? '';
    }
    expect(seen.slice(0, 2)).toEqual([movement.id, 'slow']);
    expect(seen).toHaveLength(3);
  });

  it('returns the newest position and no change with from=now', async () => {
    const { data, meta } = await list({ from: 'now' });
    expect([data, meta.feed?.hasMore, meta.feed?.headSequence]).toEqual([[], false, 2]);
    const { data: movement } = await record();
    expect(await eventsAfter(meta.feed?.cursor ?? '')).toEqual([['movement.created', `movement ${movement.id}`, null]]);
  });

  it('returns position 0 for a tracker without events', async () => {
    const { data } = await server.call('createTracker', {
      token: owner.token,
      body: { name: 'Empty', currencyCode: 'EUR', timeZone: 'UTC' },
    });
    const { meta } = await list({}, { tracker: data.id });
    expect(meta.feed).toMatchObject({ hasMore: false, headSequence: 0 });
    expect((await list({ after: meta.feed?.cursor ?? '' }, { tracker: data.id })).status).toBe(200);
  });

  it('returns no change of another tracker', async () => {
    const other = await server.newTracker(owner);
    const { data } = await list({ include: 'record' }, { tracker: other.id });
    expect(data.map(({ resource }) => resource.id)).toEqual([other.accountId, other.cashboxId]);
  });
});

describe('GET /changes with resourceTypes or many events', () => {
  it('returns only changes of the given resourceTypes, and moves the cursor past the changes that it omits', async () => {
    const { data: movement } = await record();
    const { data, meta } = await list({ resourceTypes: 'movement,transfer,movement' });
    expect(data.map(({ resource }) => resource.id)).toEqual([movement.id]);
    expect((await list({ after: meta.feed?.cursor ?? '' })).data).toEqual([]);
  });

  it('examines at most 1,000 events for a filtered page, which may be empty although more changes follow', async () => {
    await client.query(
      `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id)
       select $1, gen_random_uuid(), $2, 'account.updated', 'account', $3, gen_random_uuid() from generate_series(1, 1100)`,
      [tracker.id, owner.userId, tracker.accountId],
    );
    await record();
    await list();
    const first = await list({ resourceTypes: 'movement' });
    expect([first.data, first.meta.feed?.hasMore]).toEqual([[], true]);
    const second = await list({ resourceTypes: 'movement', after: first.meta.feed?.cursor ?? '' });
    expect([second.data.length, second.meta.feed?.hasMore]).toEqual([1, false]);
  });

  it('returns hasMore=true if more than 1,000 events have no number, because one request numbers at most 1,000', async () => {
    await client.query(
      `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id)
       select $1, gen_random_uuid(), $2, 'account.updated', 'account', $3, gen_random_uuid() from generate_series(1, 1000)`,
      [tracker.id, owner.userId, tracker.accountId],
    );
    const first = await list({ from: 'now' });
    expect(first.meta.feed).toMatchObject({ hasMore: true, headSequence: 1000 });
    expect((await list({ from: 'now' })).meta.feed).toMatchObject({ hasMore: false, headSequence: 1002 });
  });
});

describe('GET /changes with include=record', () => {
  it('returns the current state of a record as the API returns it, but null for a budget', async () => {
    const { token } = owner;
    const { data: movement, headers } = await record();
    const voided = await server.call('voidMovement', {
      token,
      params: { movementId: movement.id },
      ifMatch: headers.get('etag') ?? '',
    });
    const other = await server.newAccount(owner, tracker.id, { name: 'Savings' });
    const { data: transfer } = await server.call('createTransfer', {
      token,
      body: { amountDecimal: '1.00', fromAccountId: tracker.accountId, toAccountId: other.id },
    });
    const { data: category } = await server.call('createCategory', { token, body: { name: 'Food' } });
    const { data: renamed } = await server.call('updateTracker', {
      token,
      params: { trackerId: tracker.id },
      body: { name: 'Household' },
    });
    const { data: accounts } = await server.call('listAccounts', { token });
    const { data: cashboxes } = await server.call('listCashboxes', { token, params: { accountId: tracker.accountId } });
    const { data: budget } = await server.call('createBudget', {
      token,
      body: { name: 'May', mode: 'planning', periodStart: '2026-05-01', periodEnd: '2026-05-31' },
    });
    const { data } = await list({ include: 'record' });
    const recordOf = (id: string) => data.filter(({ resource }) => resource.id === id).map((change) => change.record);
    expect(recordOf(movement.id)).toEqual([voided.data, voided.data]);
    expect(recordOf(transfer.groupId)).toEqual([transfer]);
    expect(recordOf(category.id)).toEqual([category]);
    expect(recordOf(tracker.id)).toEqual([renamed]);
    expect(recordOf(tracker.accountId)).toEqual([{ ...accounts[0], cashboxes }]);
    expect(recordOf(tracker.cashboxId)).toEqual([cashboxes[0]]);
    expect(recordOf(budget.id)).toEqual([null]);
  });
});

describe('GET /changes', () => {
  it.each([
    ['movements:read', ['movement', 'transfer']],
    ['accounts:read', ['account', 'cashbox']],
    ['catalog:read', ['category']],
    ['budgets:read', ['budget']],
    ['trackers:read', ['tracker']],
    ['audit:read', ['member']],
    ['balances:read', []],
  ])('omits the changes that a key with %s may not read, and moves the cursor past them', async (scope, types) => {
    const { token } = owner;
    const after = await now();
    await record();
    const other = await server.newAccount(owner, tracker.id, { name: 'Savings' });
    const sides = { fromAccountId: tracker.accountId, toAccountId: other.id };
    await server.call('createTransfer', { token, body: { amountDecimal: '1.00', ...sides } });
    await server.call('createCategory', { token, body: { name: 'Food' } });
    const period = { periodStart: '2026-05-01', periodEnd: '2026-05-31' };
    await server.call('createBudget', { token, body: { name: 'May', mode: 'planning', ...period } });
    await server.call('updateTracker', { token, params: { trackerId: tracker.id }, body: { name: 'Household' } });
    const member = await server.newUser();
    await server.addMember({ by: owner, trackerId: tracker.id, user: member, role: 'viewer' });
    const secret = await keyWith(scope, 'changes:read');
    const { data, meta } = await list({ after, include: 'record' }, { token: secret });
    expect([...new Set(data.map(({ resource }) => resource.type))].toSorted()).toEqual(types.toSorted());
    expect(meta.feed).toMatchObject({ hasMore: false, cursor: await now() });
  });

  it('returns member events to an editor and to the owner, but webhook events only to the owner', async () => {
    const member = await server.newUser();
    await server.addMember({ by: owner, trackerId: tracker.id, user: member, role: 'viewer' });
    const after = await now();
    await client.query(
      `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id)
       values ($1, gen_random_uuid(), $2, 'webhook.created', 'webhook', gen_random_uuid(), gen_random_uuid())`,
      [tracker.id, owner.userId],
    );
    await server.call('changeMemberRole', {
      token: owner.token,
      params: { trackerId: tracker.id, userId: member.userId },
      body: { role: 'editor' },
    });
    const typesFor = async (token: string) => (await list({ after }, { token })).data.map(({ type }) => type);
    expect(await typesFor(member.token)).toEqual(['member.role_changed']);
    expect(await typesFor(owner.token)).toEqual(['webhook.created', 'member.role_changed']);
  });

  it('omits events with a resource type that is not a valid value of resourceTypes, such as invitation', async () => {
    const after = await now();
    await client.query(
      `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id)
       values ($1, gen_random_uuid(), $2, 'invitation.created', 'invitation', gen_random_uuid(), gen_random_uuid())`,
      [tracker.id, owner.userId],
    );
    expect(await eventsAfter(after)).toEqual([]);
  });
});

describe('GET /changes after a write', () => {
  it('returns the changed fields of movements and transfers, with their values before and after', async () => {
    const { token } = owner;
    const after = await now();
    const { data: movement, headers } = await record();
    const corrected = await server.call('correctMovement', {
      token,
      params: { movementId: movement.id },
      ifMatch: headers.get('etag') ?? '',
      body: { amountDecimal: '13', categoryId: 'cat_unknown', description: 'Lunch', merchantName: 'Bar' },
    });
    const unchanged = await server.call('correctMovement', {
      token,
      params: { movementId: movement.id },
      ifMatch: corrected.headers.get('etag') ?? '',
      body: { description: 'Lunch' },
    });
    const voided = await server.call('voidMovement', {
      token,
      params: { movementId: movement.id },
      ifMatch: unchanged.headers.get('etag') ?? '',
    });
    const other = await server.newAccount(owner, tracker.id, { name: 'Savings' });
    const { data: transfer, headers: transferHeaders } = await server.call('createTransfer', {
      token,
      body: { amountDecimal: '1.00', fromAccountId: tracker.accountId, toAccountId: other.id },
    });
    const voidedTransfer = await server.call('voidTransfer', {
      token,
      params: { groupId: transfer.groupId },
      ifMatch: transferHeaders.get('etag') ?? '',
    });
    const item = { type: 'income', amountDecimal: '1.00', accountId: tracker.accountId } as const;
    const bulk = await server.call('createMovements', {
      token,
      body: { movements: [item, item] },
      idempotencyKey: 'bulk',
    });
    const [one, two] = bulk.data as { id: string }[];
    expect(await eventsAfter(after)).toEqual([
      ['movement.created', `movement ${movement.id}`, null],
      [
        'movement.corrected',
        `movement ${movement.id}`,
        { amountDecimal: ['12.50', '13.00'], description: [null, 'Lunch'], merchantName: [null, 'Bar'] },
      ],
      ['movement.voided', `movement ${movement.id}`, { voidedAt: [null, voided.data.voidedAt] }],
      ['account.created', `account ${other.id}`, null],
      ['cashbox.created', `cashbox ${other.cashboxes[0]?.id}`, null],
      ['transfer.created', `transfer ${transfer.groupId}`, null],
      ['transfer.voided', `transfer ${transfer.groupId}`, { voidedAt: [null, voidedTransfer.data.voidedAt] }],
      ['movement.created', `movement ${one?.id}`, null],
      ['movement.created', `movement ${two?.id}`, null],
    ]);
  });

  it('returns one event for each change of an account, cashbox, category, budget, budget line or tracker', async () => {
    const { token } = owner;
    const after = await now();
    const { data: account } = await server.call('createAccount', {
      token,
      body: { name: 'Cash', type: 'cash', cashboxes: [{ name: 'A' }, { name: 'B' }] },
    });
    const params = { accountId: account.id };
    await server.call('updateAccount', { token, params, body: { name: 'Wallet' } });
    await server.call('updateAccount', { token, params, body: { name: 'Wallet' } });
    const { data: cashbox } = await server.call('createCashbox', { token, params, body: { name: 'C' } });
    const cashboxParams = { cashboxId: cashbox.id };
    await server.call('updateCashbox', {
      token,
      params: cashboxParams,
      body: { name: 'D', status: 'archived' },
    });
    const { data: category } = await server.call('createCategory', { token, body: { name: 'Food' } });
    await server.call('createCategory', { token, body: { name: 'Travel', scope: 'user' } });
    const period = { periodStart: '2026-05-01', periodEnd: '2026-05-31' };
    const lines = [{ categoryId: category.id, plannedDecimal: '5.00' }];
    const { data: budget } = await server.call('createBudget', {
      token,
      body: { name: 'May', mode: 'planning', ...period, lines },
    });
    const { data: line } = await server.call('addBudgetLine', {
      token,
      params: { budgetId: budget.id },
      body: { categoryId: category.id, plannedDecimal: '1.00', type: 'income' },
    });
    await server.call('updateTracker', {
      token,
      params: { trackerId: tracker.id },
      body: { name: 'Household', timeZone: 'UTC' },
    });
    await server.call('updateAccount', { token, params, body: { status: 'archived' } });
    expect(await eventsAfter(after)).toEqual([
      ['account.created', `account ${account.id}`, null],
      ...account.cashboxes.map(({ id }) => ['cashbox.created', `cashbox ${id}`, null]),
      ['account.updated', `account ${account.id}`, { name: ['Cash', 'Wallet'] }],
      ['cashbox.created', `cashbox ${cashbox.id}`, null],
      ['cashbox.updated', `cashbox ${cashbox.id}`, { name: ['C', 'D'], status: ['active', 'archived'] }],
      ['category.created', `category ${category.id}`, null],
      ['budget.created', `budget ${budget.id}`, null],
      ['budget_line.added', `budget_line ${budget.lines[0]?.id}`, null],
      ['budget_line.added', `budget_line ${line.id}`, null],
      ['tracker.updated', `tracker ${tracker.id}`, { name: ['Home', 'Household'], timeZone: ['Europe/Madrid', 'UTC'] }],
      ['account.updated', `account ${account.id}`, { status: ['active', 'archived'] }],
    ]);
  });

  it('returns the roles of members and invited users before and after each change', async () => {
    const { token } = owner;
    const trackerParams = { trackerId: tracker.id };
    const after = await now();
    const [joining, invited] = [await server.newUser(), await server.newUser()];
    await server.addMember({ by: owner, trackerId: tracker.id, user: joining, role: 'viewer' });
    const params = { ...trackerParams, userId: joining.userId };
    await server.call('changeMemberRole', { token, params, body: { role: 'editor' } });
    await server.call('removeMember', { token, params });
    await server.call('addMember', { token, params: trackerParams, body: { email: invited.email, role: 'admin' } });
    await server.call('removeMember', { token, params: { ...trackerParams, userId: invited.userId } });
    const member = `member ${joining.userId}`;
    expect(await eventsAfter(after)).toEqual([
      ['member.invited', member, { role: [null, 'viewer'] }],
      ['member.added', member, { role: [null, 'viewer'] }],
      ['member.role_changed', member, { role: ['viewer', 'editor'] }],
      ['member.removed', member, { role: ['editor', null] }],
      ['member.invited', `member ${invited.userId}`, { role: [null, 'admin'] }],
      ['member.removed', `member ${invited.userId}`, { role: ['admin', null] }],
    ]);
  });

  it('returns no event for a refused write, a replay or a dry run', async () => {
    await record({ idempotencyKey: 'once' });
    const after = await now();
    const answers = [
      await record({ idempotencyKey: 'once' }),
      await record({ query: { dryRun: 'true' } }),
      await record({ body: { type: 'expense', amountDecimal: '0', accountId: tracker.accountId } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(await eventsAfter(after)).toEqual([]);
  });
});

describe('GET /changes with invalid parameters', () => {
  it.each([
    [{ after: 'x' }, 'query.after INVALID_FORMAT'],
    [{ after: 'A'.repeat(24) }, 'query.after INVALID_FORMAT'],
    [{ from: 'yesterday' }, 'query.from INVALID_FORMAT'],
    [{ limit: '0' }, 'query.limit OUT_OF_RANGE'],
    [{ limit: '201' }, 'query.limit OUT_OF_RANGE'],
    [{ resourceTypes: '' }, 'query.resourceTypes INVALID_FORMAT'],
    [{ resourceTypes: 'movement,user' }, 'query.resourceTypes INVALID_FORMAT'],
    [{ include: 'records' }, 'query.include INVALID_FORMAT'],
    [{ since: '2026-01-01' }, 'query.since UNKNOWN_FIELD'],
  ])('returns 400 for %j with the issue %s', async (query, issue) => {
    const { status, issues } = await list(query as unknown as Record<string, string>);
    expect([status, issues]).toEqual([400, [issue]]);
  });

  it('returns FILTER_CONFLICT for a cursor together with from=now', async () => {
    const { issues } = await list({ after: await now(), from: 'now' });
    expect(issues).toEqual(['query.from FILTER_CONFLICT']);
  });
});

describe('GET /changes with an unusable cursor', () => {
  it.each([
    ['contains a wrong hash', 1, '0'],
    ['lies beyond the head', 7, '0'],
    ['names the largest safe integer', Number.MAX_SAFE_INTEGER, '0'],
    ['names position 0 of another tracker', 0, '0'],
  ])('returns 409 cursor_diverged if the cursor %s', async (_, sequence, digit) => {
    const { status, error } = await list({ after: encodeEventCursor({ sequence, hash: digit.repeat(64) }) });
    expect([status, error?.code, error?.details]).toEqual([
      409,
      'STATE_CONFLICT',
      { reason: 'cursor_diverged', restart: true },
    ]);
  });

  it('returns 409 cursor_diverged for a cursor of another tracker', async () => {
    const after = await now();
    const other = await server.newTracker(owner);
    expect((await list({ after }, { tracker: other.id })).error?.details.reason).toBe('cursor_diverged');
  });

  it('returns 409 cursor_expired if an event after the cursor was removed, or if any event was removed and the request has no cursor', async () => {
    const { data, meta } = await list({ limit: '1' });
    await record();
    await list();
    await client.query(
      `with removed as (delete from app.events where tracker_id = $1 and sequence <= 2 returning sequence, hash)
       update app.event_heads h set floor_sequence = r.sequence, floor_hash = r.hash
       from removed r where h.tracker_id = $1 and r.sequence = 2`,
      [tracker.id],
    );
    const expired = { reason: 'cursor_expired', restart: true };
    expect((await list()).error?.details).toEqual(expired);
    expect((await list({ after: meta.feed?.cursor ?? '' })).error?.details).toEqual(expired);
    const floor = await client.query(
      `select encode(floor_hash, 'hex') as hash from app.event_heads where tracker_id = $1`,
      [tracker.id],
    );
    const atFloor = await list({ after: encodeEventCursor({ sequence: 2, hash: floor.rows[0].hash }) });
    expect(atFloor.data.map(({ sequence }) => sequence)).toEqual([3]);
    const cursorWithWrongHash = encodeEventCursor({ sequence: 2, hash: data[0]?.hash ?? '' });
    expect((await list({ after: cursorWithWrongHash })).error?.details.reason).toBe('cursor_diverged');
  });
});
