import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let client: pg.Client;
let ada: TestUser;
let ben: TestUser;
/** The tracker that both users own. */
let trackerId: string;

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
  ada = await server.newUser();
  ben = await server.newUser();
  trackerId = (await server.newTracker(ada)).id;
  await server.addMember({ by: ada, trackerId, user: ben, role: 'owner' });
});

function remove(caller: TestUser, member: TestUser) {
  return server.call('removeMember', { token: caller.token, params: { trackerId, userId: member.userId } });
}

function demote(caller: TestUser, member: TestUser) {
  const params = { trackerId, userId: member.userId };
  return server.call('changeMemberRole', { token: caller.token, params, body: { role: 'viewer' } });
}

function invite(user: TestUser) {
  const body = { email: user.email, role: 'editor' };
  return server.call('addMember', { token: ada.token, params: { trackerId }, body });
}

function accept(user: TestUser) {
  return server.call('acceptInvitation', { token: user.token, params: { trackerId } });
}

async function roleOf(user: TestUser): Promise<string | undefined> {
  const { rows } = await client.query('select role from app.members where tracker_id = $1 and user_id = $2', [
    trackerId,
    user.userId,
  ]);
  return rows[0]?.role;
}

async function countOwners(): Promise<number> {
  const { rows } = await client.query(
    `select count(*)::int as count from app.members where tracker_id = $1 and role = 'owner'`,
    [trackerId],
  );
  return rows[0].count;
}

describe('concurrent requests', () => {
  it('let only one of two owners leave', async () => {
    const responses = await Promise.all([remove(ada, ada), remove(ben, ben)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await countOwners()).toBe(1);
  });

  it('let only one of two owners take a lower role', async () => {
    const responses = await Promise.all([demote(ada, ada), demote(ben, ben)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await countOwners()).toBe(1);
  });

  it('return 404 to the second of two owners who remove each other', async () => {
    const responses = await Promise.all([remove(ada, ben), remove(ben, ada)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await countOwners()).toBe(1);
  });

  it('return 403 to the second of two owners who demote each other', async () => {
    const responses = await Promise.all([demote(ada, ben), demote(ben, ada)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await countOwners()).toBe(1);
  });

  it('that invite and remove a user never make the user a member', async () => {
    const cleo = await server.newUser();
    const [invited, removed] = await Promise.all([invite(cleo), remove(ben, cleo)]);
    expect(invited.status).toBe(201);
    const { data } = await server.call('listInvitations', { token: cleo.token });
    expect(data).toHaveLength(removed.status === 204 ? 0 : 1);
    expect(await roleOf(cleo)).toBeUndefined();
  });

  it('accept an invitation only once', async () => {
    const cleo = await server.newUser();
    await invite(cleo);
    const responses = await Promise.all([accept(cleo), accept(cleo), accept(cleo)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await roleOf(cleo)).toBe('editor');
  });

  it('that accept and decline the same invitation do not both succeed', async () => {
    const cleo = await server.newUser();
    await invite(cleo);
    const decline = server.call('declineInvitation', { token: cleo.token, params: { trackerId } });
    const [accepted, declined] = await Promise.all([accept(cleo), decline]);
    expect([accepted.status, declined.status].sort()).toEqual(accepted.status === 200 ? [200, 404] : [204, 404]);
    expect(await roleOf(cleo)).toBe(accepted.status === 200 ? 'editor' : undefined);
  });

  // @proves contract 10a: Members
  it('that accept an invitation and remove the invited user leave neither a membership nor an invitation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const cleo = await server.newUser();
      await invite(cleo);
      const [accepted, removed] = await Promise.all([accept(cleo), remove(ben, cleo)]);
      expect(removed.status).toBe(204);
      expect([200, 404]).toContain(accepted.status);
      expect(await roleOf(cleo)).toBeUndefined();
      expect((await server.call('listInvitations', { token: cleo.token })).data).toEqual([]);
    }
  });

  it('that accept an invitation and change its role give the member the changed role', async () => {
    const cleo = await server.newUser();
    await invite(cleo);
    const [accepted, changed] = await Promise.all([accept(cleo), demote(ben, cleo)]);
    expect([accepted.status, changed.status]).toEqual([200, 200]);
    expect(await roleOf(cleo)).toBe('viewer');
  });

  it('that accept an invitation and remove its inviter both succeed', async () => {
    const cleo = await server.newUser();
    await invite(cleo);
    const [accepted, removed] = await Promise.all([accept(cleo), remove(ben, ada)]);
    expect([accepted.status, removed.status]).toEqual([200, 204]);
    expect([await roleOf(cleo), await roleOf(ada)]).toEqual(['editor', undefined]);
  });
});

describe('a user who owns 198 of at most 200 trackers', () => {
  // @proves contract 10a: Bounds
  it('becomes owner of only two more through five concurrent requests that accept, promote or create', async () => {
    const cleo = await server.newUser();
    await client.query(
      `with t as (insert into app.trackers (id, name, currency_code, time_zone)
         select gen_random_uuid(), 'Old ' || n, 'EUR', 'UTC' from generate_series(1, 198) n returning id)
       insert into app.members (tracker_id, user_id, role) select id, $1, 'owner' from t`,
      [cleo.userId],
    );
    const others = [await server.newTracker(ada), await server.newTracker(ada)];
    await Promise.all(
      others.map(({ id }) =>
        server.call('addMember', {
          token: ada.token,
          params: { trackerId: id },
          body: { email: cleo.email, role: 'owner' },
        }),
      ),
    );
    await server.addMember({ by: ada, trackerId, user: cleo, role: 'editor' });
    const body = { name: 'New', currencyCode: 'EUR', timeZone: 'UTC' };
    const responses = await Promise.all([
      ...others.map(({ id }) => server.call('acceptInvitation', { token: cleo.token, params: { trackerId: id } })),
      server.call('changeMemberRole', {
        token: ben.token,
        params: { trackerId, userId: cleo.userId },
        body: { role: 'owner' },
      }),
      server.call('createTracker', { token: cleo.token, body }),
      server.call('createTracker', { token: cleo.token, body }),
    ]);
    const refused = responses.filter(({ status }) => status === 409);
    expect(refused.map(({ error }) => error?.details)).toEqual(Array(3).fill({ reason: 'limit_reached' }));
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(2);
    const { rows } = await client.query(
      `select count(*)::int as count from app.members where user_id = $1 and role = 'owner'`,
      [cleo.userId],
    );
    expect(rows[0].count).toBe(200);
  });
});

describe('a change of role during an uncommitted write of the member', () => {
  // @proves contract 8: Revocation and loss of a role
  it('takes effect only after the write has been committed', async () => {
    await client.query('begin');
    try {
      // The lock that app.enter_request takes for a write in this tracker.
      await client.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 2))', [
        `${trackerId} ${ben.userId}`,
      ]);
      let isAnswered = false;
      const response = demote(ada, ben).finally(() => {
        isAnswered = true;
      });
      await waitUntil(isAdvisoryLockAwaited);
      expect(isAnswered).toBe(false);
      expect(await countOwners()).toBe(2);
      await client.query('commit');
      expect((await response).status).toBe(200);
    } finally {
      await client.query('rollback');
    }
    expect(await countOwners()).toBe(1);
  });
});

describe('a change of role in one tracker', () => {
  let own: { id: string; accountId: string; cashboxId: string };

  beforeEach(async () => {
    own = await server.newTracker(ben);
    await client.query('begin');
  });
  afterEach(() => client.query('rollback'));

  function writeInOwnTracker() {
    const body = { type: 'expense', amountDecimal: '1.00', accountId: own.accountId };
    return server.call('createMovement', { token: ben.token, tracker: own.id, body });
  }

  it("does not wait for the member's uncommitted write in another tracker", async () => {
    await client.query('select 1 from app.cashboxes where tracker_id = $1 for update', [own.id]);
    const writing = writeInOwnTracker();
    await waitUntil(isRequestBlockedByClient);
    expect((await demote(ada, ben)).status).toBe(200);
    expect(await isRequestBlockedByClient()).toBe(true);
    await client.query('commit');
    expect((await writing).status).toBe(201);
  });

  it("does not delay the member's writes in another tracker", async () => {
    await client.query('select 1 from app.members where tracker_id = $1 and user_id = $2 for update', [
      trackerId,
      ben.userId,
    ]);
    const changing = demote(ada, ben);
    await waitUntil(isRequestBlockedByClient);
    expect((await writeInOwnTracker()).status).toBe(201);
    expect(await isRequestBlockedByClient()).toBe(true);
    await client.query('commit');
    expect((await changing).status).toBe(200);
  });
});

/** Returns true if a request waits for a lock that the transaction of `client` holds. */
async function isRequestBlockedByClient(): Promise<boolean> {
  const { rows } = await client.query(
    'select from pg_stat_activity where pid <> $1 and $1 = any (pg_blocking_pids(pid))',
    [(client as unknown as { processID: number }).processID],
  );
  return rows.length > 0;
}

async function isAdvisoryLockAwaited(): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
  );
  return rows.length > 0;
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
