import { expect, test } from 'vitest';
import { scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, type Step, success } from '../../test-support/scripted-fetch.js';
import { isMalformedAnswerError, isServerError } from '../index.js';

function page(ids: readonly string[], nextCursor: string | null): Step {
  const pagination = {
    limit: 2,
    offset: null,
    count: ids.length,
    total: null,
    hasMore: nextCursor !== null,
    nextOffset: null,
    nextCursor,
  };
  return success(
    ids.map((id) => ({ id })),
    { meta: { pagination } },
  );
}

async function idsOf(rows: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const row of rows) ids.push(row.id);
  return ids;
}

const cursorsOf = (sent: readonly { readonly url: string }[]) =>
  sent.map((request) => new URL(request.url).searchParams.get('cursor'));

test('for await over client.movements.list() follows the cursors, and yields each row of all pages once', async () => {
  const { client, sent } = scriptedClient({
    steps: [page(['a', 'b'], 'c1'), page(['c', 'd'], 'c2'), page(['e'], null)],
  });
  expect(await idsOf(client.movements.list({ type: 'expense', limit: 2, offset: 0 }))).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
  ]);
  expect(cursorsOf(sent)).toEqual([null, 'c1', 'c2']);
  const last = new URL(sent[2]?.url ?? '').searchParams;
  expect(Object.fromEntries(last)).toEqual({ type: 'expense', limit: '2', cursor: 'c2' });
});

test('await client.movements.list() returns the first page; nextPage() returns the next page, or null after the last', async () => {
  const { client, sent } = scriptedClient({ steps: [page(['a', 'b'], 'c1'), page(['c'], null)] });
  const first = await client.movements.list();
  expect(first.data.map((row) => row.id)).toEqual(['a', 'b']);
  expect(first.pagination).toMatchObject({ hasMore: true, nextCursor: 'c1' });
  const second = await first.nextPage();
  expect(second?.data.map((row) => row.id)).toEqual(['c']);
  expect(await second?.nextPage()).toBeNull();
  expect(sent).toHaveLength(2);
});

test('for await over client.movements.list() requests a page only when its rows are needed', async () => {
  const { client, sent } = scriptedClient({ steps: [page(['a', 'b'], 'c1'), page(['c'], null)] });
  for await (const row of client.movements.list()) if (row.id === 'b') break;
  expect(sent).toHaveLength(1);
});

test('a list that is awaited and then iterated over requests its first page once', async () => {
  const { client, sent } = scriptedClient({ steps: [page(['a', 'b'], 'c1'), page(['c'], null)] });
  const list = client.movements.list();
  await list;
  expect(await idsOf(list)).toEqual(['a', 'b', 'c']);
  expect(sent).toHaveLength(2);
});

test('for await over client.movements.list() throws the error if the request for the second page fails', async () => {
  const { client, clock } = scriptedClient({ steps: [page(['a'], 'c1'), refusal(500, 'INTERNAL_ERROR')] });
  expect(await clock.failure(idsOf(client.movements.list({}, { maxRetries: 0 })))).toSatisfy(isServerError);
});

test('a list that the API does not paginate has one page, and nextPage() returns null', async () => {
  const { client } = scriptedClient({ steps: [success([{ id: 'a' }, { id: 'b' }])] });
  const accounts = await client.accounts.list();
  expect(accounts.pagination).toMatchObject({ count: 2, total: 2, hasMore: false });
  expect(await accounts.nextPage()).toBeNull();
  expect(await idsOf(accounts)).toEqual(['a', 'b']);
});

test.each([
  ['has the same next cursor as the page before it', [page(['a'], 'c1'), page(['b'], 'c1')]],
  ['has no rows and is not the last', [page(['a'], 'c1'), page([], 'c2')]],
  ['is not the last and has no next cursor', [page(['a'], 'c1'), pageWithoutCursor()]],
])('for await over a list throws MalformedAnswerError when a page %s', async (_, steps) => {
  const { client, clock } = scriptedClient({ steps });
  expect(await clock.failure(idsOf(client.movements.list({}, { maxRetries: 0 })))).toSatisfy(isMalformedAnswerError);
});

test('for await over the audit trail continues after an empty page if more pages follow', async () => {
  const { client } = scriptedClient({ steps: [page([], 'c1'), page(['a'], null)] });
  expect(await idsOf(client.auditEvents.list({ type: 'member.*' }))).toEqual(['a']);
});

function pageWithoutCursor(): Step {
  const pagination = { limit: 2, offset: null, count: 1, total: null, hasMore: true, nextOffset: 2, nextCursor: null };
  return success([{ id: 'b' }], { meta: { pagination } });
}
