import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let client: pg.Client;
let ada: TestUser;
let ben: TestUser;
/** A tracker that both own. */
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
  const body = { email: ben.email, role: 'owner' };
  await server.call('addMember', { token: ada.token, params: { trackerId }, body });
});

function remove(caller: TestUser, member: TestUser) {
  return server.call('removeMember', { token: caller.token, params: { trackerId, userId: member.userId } });
}

function demote(caller: TestUser, member: TestUser) {
  const params = { trackerId, userId: member.userId };
  return server.call('changeMemberRole', { token: caller.token, params, body: { role: 'viewer' } });
}

async function countOwners(): Promise<number> {
  const { rows } = await client.query(
    `select count(*)::int as count from app.members where tracker_id = $1 and role = 'owner'`,
    [trackerId],
  );
  return rows[0].count;
}

describe('at the same time', () => {
  it('of two owners who leave, one stays', async () => {
    const answers = await Promise.all([remove(ada, ada), remove(ben, ben)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await countOwners()).toBe(1);
  });

  it('of two owners who step down, one stays an owner', async () => {
    const answers = await Promise.all([demote(ada, ada), demote(ben, ben)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await countOwners()).toBe(1);
  });

  it('of two owners who remove each other, the second finds no such tracker any more', async () => {
    const answers = await Promise.all([remove(ada, ben), remove(ben, ada)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await countOwners()).toBe(1);
  });

  it('of two owners who demote each other, the second has lost the right to', async () => {
    const answers = await Promise.all([demote(ada, ben), demote(ben, ada)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await countOwners()).toBe(1);
  });

  it('a member who is added and removed ends as either, and is never half a member', async () => {
    const cleo = await server.newUser();
    const body = { email: cleo.email, role: 'editor' };
    const add = server.call('addMember', { token: ada.token, params: { trackerId }, body });
    const [added, removed] = await Promise.all([add, remove(ben, cleo)]);
    expect(added.status).toBe(201);
    const seen = await server.call('listTrackers', { token: cleo.token });
    expect(seen.data).toHaveLength(removed.status === 204 ? 0 : 1);
  });
});

describe('while a write is under way', () => {
  it('a role is not taken away before the write has ended', async () => {
    await client.query('begin');
    try {
      // As app.enter_request does for a write in this tracker.
      await client.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 2))', [
        `${trackerId} ${ben.userId}`,
      ]);
      let isAnswered = false;
      const answer = demote(ada, ben).finally(() => {
        isAnswered = true;
      });
      await waitUntil(isSomebodyWaiting);
      expect(isAnswered).toBe(false);
      expect(await countOwners()).toBe(2);
      await client.query('commit');
      expect((await answer).status).toBe(200);
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

  it("does not wait for the member's open write in another tracker", async () => {
    await client.query('select 1 from app.cashboxes where tracker_id = $1 for update', [own.id]);
    const writing = writeInOwnTracker();
    await waitUntil(isAnyRequestWaiting);
    expect((await demote(ada, ben)).status).toBe(200);
    expect(await isAnyRequestWaiting()).toBe(true);
    await client.query('commit');
    expect((await writing).status).toBe(201);
  });

  it("does not delay the member's writes in another tracker", async () => {
    await client.query('select 1 from app.members where tracker_id = $1 and user_id = $2 for update', [
      trackerId,
      ben.userId,
    ]);
    const changing = demote(ada, ben);
    await waitUntil(isAnyRequestWaiting);
    expect((await writeInOwnTracker()).status).toBe(201);
    expect(await isAnyRequestWaiting()).toBe(true);
    await client.query('commit');
    expect((await changing).status).toBe(200);
  });
});

async function isAnyRequestWaiting(): Promise<boolean> {
  const { rows } = await client.query(
    'select from pg_stat_activity where pid <> $1 and $1 = any (pg_blocking_pids(pid))',
    [(client as unknown as { processID: number }).processID],
  );
  return rows.length > 0;
}

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
  );
  return rows.length > 0;
}

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
