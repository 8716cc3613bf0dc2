import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';
import { waitForLockedStatements } from '../../../test-support/wait-for-locked-statements.js';

let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };
let client: pg.Client;

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

function create(body: Record<string, unknown>, options: { token?: string; key?: string; tracker?: string } = {}) {
  return server.call('createCategory', {
    token: options.token ?? user.token,
    body,
    ...(options.key === undefined ? {} : { idempotencyKey: options.key }),
    ...(options.tracker === undefined ? {} : { tracker: options.tracker }),
  });
}

async function listed(token: string, trackerId: string): Promise<string[]> {
  const { data } = await server.call('listCategories', { token, tracker: trackerId });
  return data.map((row: { id: string }) => row.id);
}

/** Creates another user with the given role in the tracker. */
async function newMember(role: string): Promise<TestUser> {
  const member = await server.newUser();
  await server.addMember({ by: user, trackerId: tracker.id, user: member, role });
  return member;
}

describe('categories: the server', () => {
  // @proves spec, Movement request fields: categoryId
  // @proves spec, Catalog, accounts, balances: GET · /categories
  // @proves contract 1: ids
  // @proves contract 3: category
  it('lists the system category of unclassified movements, cat_unknown, in a new tracker', async () => {
    const { data } = await server.call('listCategories', { token: user.token, tracker: tracker.id });
    expect(data).toContainEqual(
      expect.objectContaining({
        id: 'cat_unknown',
        name: 'Desconocido',
        scope: 'system',
        isUnknown: true,
        trackerId: null,
      }),
    );
  });

  // @proves spec, Catalog, accounts, balances: GET · /categories/{categoryId}
  // @proves contract 3: Visible categories
  it('shows a user-wide category of another user while a movement of the tracker uses it, and hides it afterwards', async () => {
    const { data: own } = await create({ name: `Mine ${randomUUID()}`, scope: 'user' });
    const member = await newMember('editor');
    expect(await listed(member.token, tracker.id)).not.toContain(own.id);
    const movement = await server.call('createMovement', {
      token: user.token,
      body: { type: 'expense', amountDecimal: '1', accountId: tracker.accountId, categoryId: own.id },
    });
    expect(await listed(member.token, tracker.id)).toContain(own.id);
    const read = await server.call('getCategory', {
      token: member.token,
      tracker: tracker.id,
      params: { categoryId: own.id },
    });
    expect(read.status).toBe(200);
    await server.call('correctMovement', {
      token: user.token,
      params: { movementId: movement.data.id },
      ifMatch: movement.headers.get('etag') ?? '',
      body: { categoryId: null },
    });
    expect(await listed(member.token, tracker.id)).not.toContain(own.id);
  });

  it('accepts a movement in a user-wide category of another user while other movements of the tracker use it; returns 404 before and after', async () => {
    const { data: own } = await create({ name: `Mine ${randomUUID()}`, scope: 'user' });
    const member = await newMember('editor');
    const record = ({ token }: TestUser) =>
      server.call('createMovement', {
        token,
        tracker: tracker.id,
        body: { type: 'expense', amountDecimal: '1', accountId: tracker.accountId, categoryId: own.id },
      });
    const uncategorize = async ({ data, headers }: Awaited<ReturnType<typeof record>>) =>
      server.call('correctMovement', {
        token: user.token,
        params: { movementId: data.id },
        ifMatch: headers.get('etag') ?? '',
        body: { categoryId: null },
      });

    expect((await record(member)).status).toBe(404);
    const first = await record(user);
    const second = await record(member);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([(await uncategorize(first)).status, (await uncategorize(second)).status]).toEqual([200, 200]);
    expect((await record(member)).status).toBe(404);
  });

  // @proves contract 3: Visible categories
  it('shows a user-wide category of another user while a budget line of the tracker uses it', async () => {
    const { data: own } = await create({ name: `Planned ${randomUUID()}`, scope: 'user' });
    const member = await newMember('viewer');
    expect(await listed(member.token, tracker.id)).not.toContain(own.id);
    await server.call('createBudget', {
      token: user.token,
      body: {
        name: 'Month',
        mode: 'planning',
        periodStart: '2026-01-01',
        periodEnd: '2026-01-31',
        lines: [{ categoryId: own.id, plannedDecimal: '1' }],
      },
    });
    expect(await listed(member.token, tracker.id)).toContain(own.id);
  });

  it('records the creation of a user-wide category as an event of the user, not of the tracker, with or without Idempotency-Key', async () => {
    for (const key of [undefined, randomUUID()]) {
      const { data } = await create(
        { name: `Own ${randomUUID()}`, scope: 'user' },
        { ...(key === undefined ? {} : { key }), tracker: tracker.id },
      );
      const { rows } = await client.query(
        `select 'user' as of, action from app.user_audit_events where resource_id = $1
         union all select 'tracker', action from app.audit_events where resource_id = $1`,
        [data.id],
      );
      expect(rows).toEqual([{ of: 'user', action: 'category.created' }]);
    }
  });

  it('for a second POST /categories with the same name, replays the first response under the same key, and returns name_taken without a key', async () => {
    const key = randomUUID();
    const name = `Keyed ${randomUUID()}`;
    const first = await create({ name }, { key });
    const second = await create({ name }, { key });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.data).toEqual(first.data);
    expect((await create({ name })).error?.details).toEqual({ reason: 'name_taken', categoryId: first.data.id });
  });
});

describe('POST /categories', () => {
  // @proves spec, Catalog, accounts, balances: POST · /categories
  // @proves contract 3: category
  it('creates a category with the scope "tracker" and the kind "any" when the body contains neither field', async () => {
    const { data, headers } = await create({ name: '  Food  ' });
    expect(data).toMatchObject({
      name: 'Food',
      kind: 'any',
      scope: 'tracker',
      trackerId: tracker.id,
      parentId: null,
      isUnknown: false,
      status: 'active',
    });
    expect(data.id).toMatch(/^cat_/);
    expect(headers.get('location')).toBe(`/v1/financial/categories/${data.id}`);
  });

  it('creates a category under a parent category of the same tracker', async () => {
    const { data: parent } = await create({ name: `Parent ${randomUUID()}` });
    const { data } = await create({ name: `Child ${randomUUID()}`, parentId: parent.id });
    expect(data.parentId).toBe(parent.id);
  });
});

describe('POST /categories with invalid input', () => {
  it('rejects a user-wide category under a parent category of the tracker', async () => {
    const { data: parent } = await create({ name: `Parent ${randomUUID()}` });
    const refused = await create({ name: 'Child', scope: 'user', parentId: parent.id });
    expect(refused.issues).toEqual(['parentId CATEGORY_NOT_USABLE']);
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ name: '   ' }, ['name REQUIRED']],
    [{ name: 'x'.repeat(101) }, ['name TOO_LONG']],
    [{ name: 'x', scope: 'system' }, ['scope INVALID_FORMAT']],
    [{ kind: 'both' }, ['name REQUIRED', 'kind INVALID_FORMAT']],
  ])('returns 400 for %j with the issues %j', async (body, issues) => {
    expect((await create(body)).issues).toEqual(issues);
  });
});

describe('POST /categories by a viewer or with an API key', () => {
  it('lets a viewer create a user-wide category, but not a category of the tracker', async () => {
    const viewer = await newMember('viewer');
    const refused = await create({ name: 'x' }, { token: viewer.token, tracker: tracker.id });
    expect(refused.error).toMatchObject({ code: 'INSUFFICIENT_ROLE', details: { requiredRole: 'editor' } });
    const own = await create({ name: 'x', scope: 'user' }, { token: viewer.token, tracker: tracker.id });
    expect(own.status).toBe(201);
  });

  // @proves spec, Catalog, accounts, balances: POST · /categories
  // @proves spec, Authentication: catalog:write:tracker
  // @proves spec, Authentication: catalog:write:user
  // @proves contract 10a: POST /categories
  it('checks the scopes of a key before the body, and requires catalog:write:user for a user-wide category', async () => {
    const key = async (scopes: string[]) => {
      const { data } = await server.call('createApiKey', {
        token: user.token,
        body: { name: 'x', scopes, access: { mode: 'selected', trackerIds: [tracker.id] } },
      });
      return data.secret as string;
    };
    const ofTracker = await key(['catalog:write:tracker']);
    const wrong = await create({ name: 'x', scope: 'user' }, { token: ofTracker });
    expect(wrong.error).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: { requiredScopes: ['catalog:write:user'] },
    });
    const neither = await create({ nonsense: true }, { token: await key(['catalog:read']) });
    expect(neither.error?.code).toBe('INSUFFICIENT_SCOPE');
  });
});

describe('POST /categories with a repeated Idempotency-Key', () => {
  // @proves contract 6: Replay
  it('returns INSUFFICIENT_ROLE when the caller no longer has the required role', async () => {
    const editor = await newMember('editor');
    const key = randomUUID();
    const body = { name: `Late ${randomUUID()}` };
    const options = { token: editor.token, key, tracker: tracker.id };
    expect((await create(body, options)).status).toBe(201);
    await server.call('changeMemberRole', {
      token: user.token,
      params: { trackerId: tracker.id, userId: editor.userId },
      body: { role: 'viewer' },
    });
    expect((await create(body, options)).error?.code).toBe('INSUFFICIENT_ROLE');
  });
});

describe('GET /categories/{categoryId}', () => {
  // @proves spec, Catalog, accounts, balances: GET · /categories/{categoryId}
  // @proves contract 2: Invisible records
  it('returns the same 404 for a category of another tracker and for one that does not exist', async () => {
    const otherUser = await server.newUser();
    const otherTracker = await server.newTracker(otherUser);
    const { data: foreign } = await create({ name: 'Theirs' }, { token: otherUser.token, tracker: otherTracker.id });
    const responses = await Promise.all(
      [foreign.id, 'cat_nobody', '%%%'].map((categoryId) =>
        server.call('getCategory', { token: user.token, params: { categoryId } }),
      ),
    );
    for (const { status, error } of responses) {
      expect(status).toBe(404);
      expect(error).toEqual(responses[0]?.error);
    }
  });
});

describe('POST /categories in conflict with other categories', () => {
  // @proves contract 4: POST /categories
  // @proves contract 5: 409
  it('rejects a category whose name differs only in case from the name of a category with the same scope', async () => {
    const { data } = await create({ name: 'Straße' });
    expect((await create({ name: 'STRASSE' })).error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { reason: 'name_taken', categoryId: data.id },
    });
    expect((await create({ name: 'straße', scope: 'user' })).status).toBe(201);
  });

  it('accepts one of six concurrent requests with the same name, and returns 409 with the id of the created category to the others', async () => {
    const name = `At once ${randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ name })));
    const created = answers.filter(({ status }) => status === 201).map(({ data }) => data.id);
    expect(created).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409).map(({ error }) => error?.details);
    expect(refused).toEqual(Array(5).fill({ reason: 'name_taken', categoryId: created[0] }));
  });

  it('returns name_taken and the id of the existing category to a dry run if a concurrent transaction creates it first', async () => {
    const name = `Raced ${randomUUID()}`;
    const other = new pg.Client({ connectionString: server.connectionString });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock(hashtextextended($1, 4))', [`categories ${tracker.id}`]);
      await other.query(
        `insert into app.categories (id, scope, tracker_id, name, name_folded, kind)
         values ('cat_raced', 'tracker', $1, $2, lower($2), 'any')`,
        [tracker.id, name],
      );
      const previewed = server.call('createCategory', { token: user.token, body: { name }, query: { dryRun: 'true' } });
      await waitForLockedStatements({ client, count: 1 });
      await other.query('commit');
      expect((await previewed).error?.details).toEqual({ reason: 'name_taken', categoryId: 'cat_raced' });
    } finally {
      await other.end();
    }
  });

  // @proves contract 4: GET /movements
  it('allows at most 1000 categories per tracker, also for concurrent requests', async () => {
    const owner = await server.newUser();
    const fullTracker = await server.newTracker(owner);
    await client.query(
      `insert into app.categories (id, scope, tracker_id, name, name_folded, kind)
       select 'cat_' || $1::text || n, 'tracker', $1::uuid, n::text, n::text, 'any' from generate_series(1, 999) n`,
      [fullTracker.id],
    );
    const results = await Promise.all(['a', 'b'].map((name) => create({ name }, { token: owner.token })));
    expect(results.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(results.find(({ status }) => status === 409)?.error?.details).toEqual({ reason: 'limit_reached' });
  });
});
