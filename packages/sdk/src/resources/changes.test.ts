import { encodeEventCursor } from '@centavo/contracts/calls';
import { expect, test } from 'vitest';
import { scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, type Step, success } from '../../test-support/scripted-fetch.js';
import { type FollowedChange, type FollowFailure, isConnectionError, isCursorDivergedError } from '../index.js';

const hash = 'ab'.repeat(32);
const cursorOf = (sequence: number) => encodeEventCursor({ sequence, hash });
const pageOf = (sequences: readonly number[], { hasMore }: { hasMore: boolean }): Step =>
  success(
    sequences.map((sequence) => ({ sequence, hash })),
    { meta: { feed: { cursor: cursorOf(sequences.at(-1) ?? 9), hasMore, headSequence: 9 } } },
  );
const page = (...sequences: number[]) => pageOf(sequences, { hasMore: false });

/** Returns the sequence numbers and the cursors of the first `count` changes. */
async function take(changes: AsyncIterable<FollowedChange>, count: number): Promise<(readonly [number, string])[]> {
  const seen: (readonly [number, string])[] = [];
  for await (const { change, cursor } of changes) {
    seen.push([change.sequence, cursor]);
    if (seen.length === count) break;
  }
  return seen;
}

const queriesOf = (sent: readonly { readonly url: string }[]) => sent.map(({ url }) => new URL(url).searchParams);

test('changes.follow yields each change with its cursor, and requests each page with the cursor of the previous page', async () => {
  const { client, clock, sent } = scriptedClient({ steps: [page(1, 2), page(), page(3)] });
  const changes = client.changes.follow({ include: 'record' });
  expect(await clock.settle(take(changes, 3))).toEqual([1, 2, 3].map((sequence) => [sequence, cursorOf(sequence)]));
  expect(queriesOf(sent).map((query) => [query.get('after'), query.get('waitSeconds'), query.get('include')])).toEqual([
    [null, '20', 'record'],
    [cursorOf(2), '20', 'record'],
    [cursorOf(9), '20', 'record'],
  ]);
});

test('changes.follow requests the next page at once if hasMore is true, otherwise after 250 ms, or 1 s if the page is empty', async () => {
  const { client, clock, sent } = scriptedClient({ steps: [pageOf([1], { hasMore: true }), page(2), page(), page(3)] });
  await clock.settle(take(client.changes.follow(), 3));
  const [first = 0, ...others] = sent.map(({ atMs }) => atMs);
  expect(others.map((atMs) => atMs - first)).toEqual([0, 250, 1250]);
});

test.each<[string, Step]>([
  ['a refused connection', 'refused'],
  ['a connection that is lost during the response', 'reset-in-body'],
  ['a server that does not respond', 'hang'],
  ['a 408 response', refusal(408, 'REQUEST_TIMEOUT')],
  ['a 503 response', refusal(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '1' } })],
  ['a 429 response', refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '90' } })],
])('changes.follow retries after %s, even 12 times in a row', async (_, failure) => {
  const { client, clock, sent } = scriptedClient({ steps: [...Array.from({ length: 12 }, () => failure), page(7)] });
  expect(await clock.settle(take(client.changes.follow({ after: cursorOf(6) }), 1))).toEqual([[7, cursorOf(7)]]);
  expect(sent).toHaveLength(13);
  expect(new Set(queriesOf(sent).map((query) => query.get('after')))).toEqual(new Set([cursorOf(6)]));
  expect(clock.pending).toBe(0);
});

test('changes.follow passes each failure to onFailure before it retries, and numbers consecutive failures from 1', async () => {
  const { client, clock } = scriptedClient({ steps: ['refused', 'refused', page(1), 'refused', page(2)] });
  const failures: FollowFailure[] = [];
  const changes = client.changes.follow({ onFailure: (failure) => failures.push(failure) });
  await clock.settle(take(changes, 2));
  expect(failures.map(({ error, attempt }) => [isConnectionError(error), attempt])).toEqual([
    [true, 1],
    [true, 2],
    [true, 1],
  ]);
  expect(failures.every(({ delayMs }) => delayMs > 0)).toBe(true);
});

test.each<[string, Step]>([
  [
    'a cursor that diverged from the history of the server',
    refusal(409, 'STATE_CONFLICT', { details: { reason: 'cursor_diverged' } }),
  ],
  ['a revoked API key', refusal(401, 'CREDENTIAL_REVOKED')],
  ['a response that is not JSON', 'not-json'],
])('changes.follow throws the error for %s, and does not retry', async (title, failure) => {
  const { client, clock, sent } = scriptedClient({ steps: [failure] });
  const error = await clock.failure(take(client.changes.follow(), 1));
  expect(isCursorDivergedError(error)).toBe(title.includes('history'));
  expect(sent).toHaveLength(1);
});

test('changes.follow ends without an error if its AbortSignal is aborted during a request or a wait', async () => {
  for (const failure of ['hang', 'refused'] as const) {
    const { client, clock } = scriptedClient({ steps: [failure] });
    const controller = new AbortController();
    clock.schedule(50, () => controller.abort());
    expect(await clock.settle(take(client.changes.follow({ signal: controller.signal }), 1))).toEqual([]);
    expect(clock.pending).toBe(0);
  }
});

test.each<[string, string]>([
  ['an hour', '3600'],
  ['400 digits', '9'.repeat(400)],
])('changes.follow waits retryAfterMsMax, plus up to 25 %, if Retry-After is longer (%s)', async (_, retryAfter) => {
  const busy = refusal(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': retryAfter } });
  const { client, clock, sent } = scriptedClient({ steps: [busy, page(1)] }, { retryAfterMsMax: 20_000 });
  const delays: number[] = [];
  await clock.settle(take(client.changes.follow({ onFailure: ({ delayMs }) => delays.push(delayMs) }), 1));
  expect(delays).toEqual([22_500]);
  expect(sent.map(({ atMs }) => atMs)).toEqual([0, 22_500]);
});

test.each<[number, string, number]>([
  [429, 'RATE_LIMITED', 1_125],
  [503, 'SERVICE_UNAVAILABLE', 125],
])(
  'changes.follow waits after a %i response whose Retry-After is 0, so that it does not send requests continuously',
  async (...row) => {
    const [status, code, delayMs] = row;
    const busy = refusal(status, code, { headers: { 'retry-after': '0' } });
    const { client, clock, sent } = scriptedClient({ steps: [busy, page(1)] });
    await clock.settle(take(client.changes.follow(), 1));
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, delayMs]);
  },
);

test.each<[string, Step]>([
  ['the first of two changes in a page', page(1, 2)],
  ['the only change in a page', page(1)],
])(
  'changes.follow ends at once, and yields no further change, if the consumer aborts its AbortSignal while handling %s',
  async (_, step) => {
    const { client, clock, sent } = scriptedClient({ steps: [step] });
    const controller = new AbortController();
    const seen: number[] = [];
    const consume = async () => {
      for await (const { change } of client.changes.follow({ signal: controller.signal })) {
        seen.push(change.sequence);
        controller.abort();
      }
    };
    await clock.settle(consume());
    expect([seen, sent.length, clock.elapsedMs(), clock.pending]).toEqual([[1], 1, 0, 0]);
  },
);

test('changes.follow ends at once if onFailure aborts its AbortSignal', async () => {
  const { client, clock, sent } = scriptedClient({ steps: ['refused'] });
  const controller = new AbortController();
  const changes = client.changes.follow({ signal: controller.signal, onFailure: () => controller.abort() });
  expect(await clock.settle(take(changes, 1))).toEqual([]);
  expect([sent.length, clock.elapsedMs(), clock.pending]).toEqual([1, 0, 0]);
});
