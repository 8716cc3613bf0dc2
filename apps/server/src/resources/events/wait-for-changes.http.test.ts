import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type CallOptions,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../../../test-support/start-test-server.js';

let server: TestServer;
let owner: TestUser;
let tracker: { id: string; accountId: string };
let after: string;

beforeAll(async () => {
  server = await startTestServer({ numbersEvents: true, env: { DATABASE_POOL_MAX: '2' } });
});

afterAll(() => server.close());

beforeEach(async () => {
  owner = await server.newSteppedUpUser();
  tracker = await server.newTracker(owner);
  after = (await list({ from: 'now' })).meta.feed?.cursor ?? '';
});

function list(query: Record<string, string>, options: CallOptions = {}) {
  return server.call('listChanges', { token: owner.token, query, ...options });
}

function record() {
  const body = { type: 'expense', amountDecimal: '1.00', accountId: tracker.accountId } as const;
  return server.call('createMovement', { token: owner.token, body });
}

const isPageRead = (sql: string) => sql.includes('as "hashAtWindowEnd"');

/** Sends a request that waits for changes, and resolves when the server has read the first page for it. */
async function startWaiting(query: Record<string, string> = {}, options: CallOptions = {}) {
  const pagesBefore = server.statements.filter(isPageRead).length;
  const answer = list({ after, waitSeconds: '25', ...query }, options);
  answer.catch(() => {});
  while (server.statements.filter(isPageRead).length === pagesBefore) await sleep(5);
  return { answer };
}

it('GET /changes responds to a waiting request when a write is recorded', async () => {
  const { answer } = await startWaiting();
  const { data: movement } = await record();
  const { data, meta } = await answer;
  expect(data.map(({ resource }) => resource.id)).toEqual([movement.id]);
  expect(meta.feed?.hasMore).toBe(false);
});

it('GET /changes lets more requests wait than there are database connections, and responds to all of them', async () => {
  const waiting = await Promise.all(Array.from({ length: 8 }, () => startWaiting()));
  await record();
  const answers = await Promise.all(waiting.map(({ answer }) => answer));
  expect(answers.map(({ data }) => data.length)).toEqual(Array.from({ length: 8 }, () => 1));
});

it('GET /changes responds immediately if there are changes, otherwise with an empty page after waitSeconds', async () => {
  await record();
  expect((await list({ after, waitSeconds: '25' })).data).toHaveLength(1);
  const { meta } = await list({ from: 'now' });
  const empty = await list({ after: meta.feed?.cursor ?? '', waitSeconds: '1' });
  expect([empty.status, empty.data, empty.meta.feed]).toEqual([200, [], meta.feed]);
});

it('GET /changes continues to wait while the filter excludes all changes, and responds when a change matches', async () => {
  const { answer } = await startWaiting({ resourceTypes: 'category' });
  await record();
  const { data: category } = await server.call('createCategory', { token: owner.token, body: { name: 'Food' } });
  const { data, meta } = await answer;
  expect(data.map(({ resource }) => resource.id)).toEqual([category.id]);
  expect(meta.feed?.headSequence).toBe(data[0]?.sequence);
});

it('GET /changes returns 401 to a waiting request whose API key was revoked during the wait', async () => {
  const { data: key } = await server.call('createApiKey', {
    token: owner.token,
    body: {
      name: 'Mirror',
      scopes: ['changes:read', 'movements:read'],
      access: { mode: 'selected', trackerIds: [tracker.id] },
    },
  });
  const { answer } = await startWaiting({}, { token: key.secret });
  await server.call('revokeApiKey', { token: owner.token, params: { clientId: key.clientId } });
  await record();
  const { status, error } = await answer;
  expect([status, error?.code]).toEqual([401, 'CREDENTIAL_REVOKED']);
});

it('GET /changes consumes one token of the rate limit for a waiting request, even if the server reads several pages for it', async () => {
  const remaining = async () => Number(/r=(\d+)/.exec((await list({ after })).headers.get('ratelimit') ?? '')?.[1]);
  const before = await remaining();
  const { answer } = await startWaiting({ resourceTypes: 'category' });
  await record();
  await server.call('createCategory', { token: owner.token, body: { name: 'Food' } });
  await answer;
  expect(before - (await remaining())).toBeLessThanOrEqual(2);
});

it.each([
  ['-1', 'OUT_OF_RANGE'],
  ['26', 'OUT_OF_RANGE'],
  ['1.5', 'INVALID_FORMAT'],
])('GET /changes rejects waitSeconds=%s with the issue %s', async (waitSeconds, code) => {
  expect((await list({ after, waitSeconds })).issues).toEqual([`query.waitSeconds ${code}`]);
});

it('GET /changes responds to waiting requests when the server stops', async () => {
  const stopping = await startTestServer({ numbersEvents: true });
  const user = await stopping.newUser();
  await stopping.newTracker(user);
  const { meta } = await stopping.call('listChanges', { token: user.token, query: { from: 'now' } });
  const query = { after: meta.feed?.cursor ?? '', waitSeconds: '25' };
  const pagesBefore = stopping.statements.filter(isPageRead).length;
  const answer = stopping.call('listChanges', { token: user.token, query });
  while (stopping.statements.filter(isPageRead).length === pagesBefore) await sleep(5);
  const [{ status, data }] = await Promise.all([answer, stopping.close()]);
  expect([status, data]).toEqual([200, []]);
});
