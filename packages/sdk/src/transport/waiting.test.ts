import { describe, expect, test } from 'vitest';
import { newApiKey, newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, success } from '../../test-support/scripted-fetch.js';
import { isRateLimitError } from '../index.js';

describe('the client', () => {
  test('waits at least the time of Retry-After before a retry', async () => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '7' } });
    const { client, clock, sent } = scriptedClient({ steps: [limited, success()], random: () => 0 });
    await clock.settle(client.movements.create(newMovement));
    expect(sent.map((request) => request.atMs)).toEqual([0, 7_000]);
  });

  test('after 429, retries even an operation that has no idempotency key, because the server did not run it', async () => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '1' } });
    const { client, clock, sent } = scriptedClient({ steps: [limited, success({ secret: 's' })] });
    await clock.settle(client.credentials.createApiKey(newApiKey));
    expect(sent).toHaveLength(2);
  });

  test.each([
    ['retryAfterMsMax', { retryAfterMsMax: 10_000, timeoutMs: 60_000 }],
    ['the deadline', { timeoutMs: 10_000 }],
  ])('rejects at once if Retry-After is beyond %s, and returns the requested wait in the error', async (_, options) => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '11' } });
    const { client, clock, sent } = scriptedClient({ steps: [limited] }, options);
    const error = await clock.failure(client.movements.create(newMovement));
    expect(isRateLimitError(error)).toBe(true);
    expect(error).toMatchObject({ retryAfterMs: 11_000, idempotencyKey: 'key-1' });
    expect(clock.elapsedMs()).toBe(0);
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['20 digits', '99999999999999999999'],
    ['400 digits', '9'.repeat(400)],
    ['a date in the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ])('rejects at once when Retry-After is huge: %s', async (_, retryAfter) => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': retryAfter } });
    const boundless = { timeoutMs: Number.POSITIVE_INFINITY };
    const { client, clock, sent } = scriptedClient({ steps: [limited, success()] }, boundless);
    expect(await clock.failure(client.movements.create(newMovement))).toSatisfy(isRateLimitError);
    expect([sent.length, clock.elapsedMs()]).toEqual([1, 0]);
  });

  test.each(['Sat, 31 Jan 2026 11:00:00 GMT', '0', '-5', 'soon'])(
    'ignores a Retry-After of %j, which is not a time in the future, and uses its own wait',
    async (retryAfter) => {
      const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': retryAfter } });
      const { client, clock, sent } = scriptedClient({ steps: [limited, success()] });
      await clock.settle(client.movements.create(newMovement));
      expect(sent.map((request) => request.atMs)).toEqual([0, 1_125]);
    },
  );

  test('retries while another request with the same idempotency key is in progress', async () => {
    const busy = refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { headers: { 'retry-after': '1' } });
    const { client, clock, sent } = scriptedClient({ steps: [busy, busy, success()] });
    await clock.settle(client.movements.create(newMovement));
    expect(sent).toHaveLength(3);
  });

  test('rejects with the idempotency key if another request with this key is still in progress at the last retry', async () => {
    const busy = refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { headers: { 'retry-after': '1' } });
    const { client, clock, sent } = scriptedClient({ steps: [busy] });
    const error = await clock.failure(client.movements.create(newMovement));
    expect(error).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS', idempotencyKey: 'key-1' });
    expect(sent).toHaveLength(4);
  });

  test('does not use up its retry budget in 100 calls that each receive one 429 response', async () => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '1' } });
    const steps = Array.from({ length: 100 }, () => [limited, success()]).flat();
    const { client, clock, sent } = scriptedClient({ steps });
    for (let row = 0; row < 100; row += 1) await clock.settle(client.movements.create(newMovement));
    expect(sent).toHaveLength(200);
  });

  test('sends at most ten retries in total to a failing server, even from the clients of 25 trackers', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [refusal(503, 'SERVICE_UNAVAILABLE')] });
    for (let call = 0; call < 25; call += 1) {
      await clock.failure(client.forTracker(`tracker-${call}`).movements.create(newMovement));
    }
    expect(sent).toHaveLength(35);
  });

  test('leaves no timer after a call', async () => {
    const { client, clock } = scriptedClient({ steps: ['reset', success()] });
    await clock.settle(client.movements.create(newMovement));
    expect(clock.pending).toBe(0);
  });
});
