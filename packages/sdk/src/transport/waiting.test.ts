import { describe, expect, test } from 'vitest';
import { newApiKey, newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, success } from '../../test-support/scripted-fetch.js';
import { isRateLimitError } from '../index.js';

describe('waiting', () => {
  test('a Retry-After is obeyed in full', async () => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '7' } });
    const { client, clock, sent } = scriptedClient({ steps: [limited, success()], random: () => 0 });
    await clock.settle(client.movements.create(newMovement));
    expect(sent.map((request) => request.atMs)).toEqual([0, 7_000]);
  });

  test('a refused credential call is sent again after 429, because it did not run', async () => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '1' } });
    const { client, clock, sent } = scriptedClient({ steps: [limited, success({ secret: 's' })] });
    await clock.settle(client.credentials.createApiKey(newApiKey));
    expect(sent).toHaveLength(2);
  });

  test.each([
    ['retryAfterMsMax', { retryAfterMsMax: 10_000, timeoutMs: 60_000 }],
    ['the deadline', { timeoutMs: 10_000 }],
  ])('a Retry-After beyond %s is given up at once, and told', async (_, options) => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '11' } });
    const { client, clock, sent } = scriptedClient({ steps: [limited] }, options);
    const error = await clock.failure(client.movements.create(newMovement));
    expect(isRateLimitError(error)).toBe(true);
    expect(error).toMatchObject({ retryAfterMs: 11_000, idempotencyKey: 'key-1' });
    expect(clock.elapsedMs()).toBe(0);
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['seconds', '99999999999999999999'],
    ['digits without end', '9'.repeat(400)],
    ['a date', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ])('a Retry-After beyond all measure, as %s, is given up at once and never waited for', async (_, retryAfter) => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': retryAfter } });
    const boundless = { timeoutMs: Number.POSITIVE_INFINITY };
    const { client, clock, sent } = scriptedClient({ steps: [limited, success()] }, boundless);
    expect(await clock.failure(client.movements.create(newMovement))).toSatisfy(isRateLimitError);
    expect([sent.length, clock.elapsedMs()]).toEqual([1, 0]);
  });

  test.each(['Sat, 31 Jan 2026 11:00:00 GMT', '0', '-5', 'soon'])(
    'a Retry-After of %j names no time to come, so the SDK’s own wait holds',
    async (retryAfter) => {
      const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': retryAfter } });
      const { client, clock, sent } = scriptedClient({ steps: [limited, success()] });
      await clock.settle(client.movements.create(newMovement));
      expect(sent.map((request) => request.atMs)).toEqual([0, 1_125]);
    },
  );

  test('a key that is still in progress is asked for again', async () => {
    const busy = refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { headers: { 'retry-after': '1' } });
    const { client, clock, sent } = scriptedClient({ steps: [busy, busy, success()] });
    await clock.settle(client.movements.create(newMovement));
    expect(sent).toHaveLength(3);
  });

  test('a key that stays in progress is told as such, with the key', async () => {
    const busy = refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { headers: { 'retry-after': '1' } });
    const { client, clock, sent } = scriptedClient({ steps: [busy] });
    const error = await clock.failure(client.movements.create(newMovement));
    expect(error).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS', idempotencyKey: 'key-1' });
    expect(sent).toHaveLength(4);
  });

  test('a long run under a rate limit does not use up the retries', async () => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '1' } });
    const steps = Array.from({ length: 100 }, () => [limited, success()]).flat();
    const { client, clock, sent } = scriptedClient({ steps });
    for (let row = 0; row < 100; row += 1) await clock.settle(client.movements.create(newMovement));
    expect(sent).toHaveLength(200);
  });

  test('a server in trouble gets no more than ten further requests, from all trackers’ clients together', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [refusal(503, 'SERVICE_UNAVAILABLE')] });
    for (let call = 0; call < 25; call += 1) {
      await clock.failure(client.forTracker(`tracker-${call}`).movements.create(newMovement));
    }
    expect(sent).toHaveLength(35);
  });

  test('no timer is left when a call has ended', async () => {
    const { client, clock } = scriptedClient({ steps: ['reset', success()] });
    await clock.settle(client.movements.create(newMovement));
    expect(clock.pending).toBe(0);
  });
});
