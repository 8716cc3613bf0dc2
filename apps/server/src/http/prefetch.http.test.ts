import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';
import { createTestDatabase } from '../../test-support/test-database.js';

let owner: pg.Client;
let server: TestServer;
let user: TestUser;
let home: Tracker;
let shop: Tracker;

interface Tracker {
  readonly id: string;
  readonly accountId: string;
}

beforeAll(async () => {
  const database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.connectionString });
  await owner.connect();
  server = await startTestServer({ database, env: { DATABASE_POOL_MAX: '1' } });
  user = await server.newUser();
  home = await server.newTracker(user);
  shop = await server.newTracker(user);
});

afterAll(async () => {
  await owner.end();
  await server.close();
});

/**
 * Runs `act`. Returns its result and the statements that the server sent. A statement that contains an entry of `kinds` is replaced by
 * that entry.
 */
async function watch<Answer>(act: () => Promise<Answer>): Promise<{ answer: Answer; sent: string[] }> {
  const before = server.statements.length;
  const answer = await act();
  const kinds = ['app.enter_request', 'app.cashboxes', 'app.movements', 'BEGIN', 'COMMIT', 'ROLLBACK'];
  const sent = server.statements.slice(before).map((sql) => kinds.find((kind) => sql.includes(kind)) ?? sql);
  return { answer, sent };
}

const balances = (tracker: Tracker | undefined, token = user.token) =>
  server.call('listBalances', { token, ...(tracker === undefined ? {} : { tracker: tracker.id }) });

async function accountsSeen(tracker: Tracker | undefined, token = user.token): Promise<(string | undefined)[]> {
  const { data } = await balances(tracker, token);
  return data.map(({ accountId }) => accountId);
}

describe('a prefetched read', () => {
  it('is sent in the same batch as the authenticating statement, even for the first request of a caller', async () => {
    const otherUser = await server.newUser();
    const tracker = await server.newTracker(otherUser);
    const first = await watch(() => balances(tracker, otherUser.token));
    const second = await watch(() => balances(tracker, otherUser.token));
    const sent = ['app.enter_request', 'app.cashboxes'];
    expect([first.sent, second.sent]).toEqual([sent, sent]);
    expect(second.answer.data).toEqual(first.answer.data.map((row) => ({ ...row, asOf: expect.any(String) })));
  });

  it('returns the rows of the tracker that the request names', async () => {
    for (const tracker of [home, shop, home, home, shop]) {
      const { answer, sent } = await watch(() => accountsSeen(tracker));
      expect(answer).toEqual([tracker.accountId]);
      expect(sent).toEqual(['app.enter_request', 'app.cashboxes']);
    }
  });

  it('returns the rows of the new active tracker in the first request after the active tracker was changed', async () => {
    for (const tracker of [home, shop]) {
      await server.call('setActiveTracker', { token: user.token, body: { trackerId: tracker.id } });
      expect(await accountsSeen(undefined)).toEqual([tracker.accountId]);
      expect(await accountsSeen(undefined)).toEqual([tracker.accountId]);
    }
  });

  it('is not returned to a removed member, who gets 403 TRACKER_FORBIDDEN', async () => {
    const guest = await server.newUser();
    await server.addMember({ by: user, trackerId: shop.id, user: guest, role: 'viewer' });
    expect(await accountsSeen(shop, guest.token)).toEqual([shop.accountId]);
    await server.call('removeMember', { token: user.token, params: { trackerId: shop.id, userId: guest.userId } });
    const refusals = [await balances(shop, guest.token), await balances(shop, guest.token)];
    for (const answer of refusals) {
      expect(answer.status).toBe(403);
      expect(answer.error?.code).toBe('TRACKER_FORBIDDEN');
      expect(JSON.stringify(answer)).not.toContain(shop.accountId);
    }
  });

  it('is not returned to a caller without its scope, who gets INSUFFICIENT_SCOPE', async () => {
    const { data } = await server.call('createIntegrationClient', {
      token: user.token,
      body: { name: 'Reader of balances', scopes: ['balances:read'], access: { mode: 'all_managed' } },
    });
    const token = data.secret;
    const refused = await server.call('listMovements', { token, tracker: home.id });
    expect(refused.error?.code).toBe('INSUFFICIENT_SCOPE');
    expect(refused.data).toBeNull();
    expect((await balances(home, token)).status).toBe(200);
  });

  it('is refused with 400 for an invalid cursor or limit, and the next read succeeds', async () => {
    await balances(home);
    const list = (query: Record<string, string>) =>
      server.call('listMovements', { token: user.token, tracker: home.id, query });
    expect((await list({ cursor: 'no such cursor' })).issues).toEqual(['query.cursor INVALID_FORMAT']);
    expect((await list({ limit: '0' })).status).toBe(400);
    expect((await list({})).status).toBe(200);
  });

  it('reports its failure to an authorized caller only', async () => {
    const guest = await server.newUser();
    const tracker = await server.newTracker(guest);
    expect(await accountsSeen(tracker, guest.token)).toEqual([tracker.accountId]);
    await owner.query('alter table app.cashboxes rename column balance to lost');
    try {
      expect((await balances(tracker, guest.token)).status).toBe(500);
      await server.call('endSession', { token: guest.token });
      expect((await balances(tracker, guest.token)).status).toBe(401);
    } finally {
      await owner.query('alter table app.cashboxes rename column lost to balance');
    }
    expect(await accountsSeen(home)).toEqual([home.accountId]);
  });
});
