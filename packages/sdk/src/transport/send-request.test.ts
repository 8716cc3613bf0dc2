import { describe, expect, test } from 'vitest';
import { newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, type Step, success } from '../../test-support/scripted-fetch.js';
import {
  isConnectionError,
  isMalformedAnswerError,
  isOutcomeUnknownError,
  isRateLimitError,
  isServerError,
  isTimeoutError,
  isUsageError,
} from '../index.js';

const apiKeyInput = { name: 'import', scopes: ['movements:write'], access: { mode: 'all_managed' } } as const;
const createApiKey = { ...apiKeyInput, scopes: [...apiKeyInput.scopes] };

describe('the key of a write', () => {
  test('one key is used on every attempt of one call, with the same bytes', async () => {
    const { client, clock, sent } = scriptedClient({
      steps: ['reset', refusal(503, 'SERVICE_UNAVAILABLE'), success()],
    });
    const response = await clock.settle(client.movements.create(newMovement).withResponse());
    expect(sent.map((request) => request.headers['idempotency-key'])).toEqual(['key-1', 'key-1', 'key-1']);
    expect(new Set(sent.map((request) => request.body)).size).toBe(1);
    expect(response.idempotencyKey).toBe('key-1');
  });

  test('two calls have two keys', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    await clock.settle(client.movements.create(newMovement));
    await clock.settle(client.movements.create(newMovement));
    expect(sent.map((request) => request.headers['idempotency-key'])).toEqual(['key-1', 'key-2']);
  });

  test('the caller’s key is sent as it is', async () => {
    const { client, clock, sent } = scriptedClient({ steps: ['reset', success()] });
    await clock.settle(
      client.transfers.create(
        { amountDecimal: '1', fromAccountId: 'a', toAccountId: 'b' },
        { idempotencyKey: 'row 7' },
      ),
    );
    expect(sent.map((request) => request.headers['idempotency-key'])).toEqual(['row 7', 'row 7']);
  });

  test('reads, and writes on which the server ignores keys, carry none', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success([])] });
    await clock.settle(client.accounts.list({ idempotencyKey: 'unused' }));
    await clock.settle(client.credentials.createApiKey(createApiKey, { idempotencyKey: 'unused' }));
    for (const request of sent) expect(request.headers).not.toHaveProperty('idempotency-key');
  });
});

describe('a write whose outcome is unknown', () => {
  test.each<Step>(['reset', 'reset-in-body', 'not-json', 'no-envelope'])(
    'is repeated after %j under its key, and then told with it',
    async (step) => {
      const { client, clock, sent } = scriptedClient({ steps: [step] });
      const error = await clock.failure(client.movements.create(newMovement));
      expect(isOutcomeUnknownError(error)).toBe(true);
      expect(error).toMatchObject({ idempotencyKey: 'key-1' });
      expect(sent).toHaveLength(4);
    },
  );

  test.each<Step>(['reset', 'reset-in-body', 'not-json', 'no-envelope', 'hang'])(
    'without a key is never sent a second time after %j',
    async (step) => {
      const { client, clock, sent } = scriptedClient({ steps: [step, success()] });
      const error = await clock.failure(client.credentials.createApiKey(createApiKey));
      expect(isOutcomeUnknownError(error)).toBe(true);
      expect(error).toMatchObject({ idempotencyKey: null });
      expect(sent).toHaveLength(1);
    },
  );

  test.each([
    ['the time is over', 'hang' as const],
    ['the time is over within the body', 'hang-in-body' as const],
  ])('is told with its key when %s', async (_, step) => {
    const { client, clock } = scriptedClient({ steps: [step] });
    const error = await clock.failure(client.movements.create(newMovement, { timeoutMs: 5_000 }));
    expect(isOutcomeUnknownError(error)).toBe(true);
    expect(clock.elapsedMs()).toBe(5_000);
    expect((error as Error).cause).toSatisfy(isTimeoutError);
  });

  test('stays unknown when the repetition is refused before the server looks for the key', async () => {
    for (const [status, code] of [
      [401, 'CREDENTIAL_REVOKED'],
      [403, 'INSUFFICIENT_ROLE'],
    ] as const) {
      const { client, clock } = scriptedClient({ steps: ['reset', refusal(status, code)] });
      const error = await clock.failure(client.movements.create(newMovement));
      expect(isOutcomeUnknownError(error)).toBe(true);
      expect((error as Error).cause).toMatchObject({ code });
    }
  });

  test('is settled when the repetition is refused for what it says', async () => {
    const { client, clock } = scriptedClient({ steps: ['reset', refusal(404, 'NOT_FOUND')] });
    expect(await clock.failure(client.movements.create(newMovement))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is settled when the repetition is answered with the stored answer', async () => {
    const { client, clock } = scriptedClient({ steps: ['reset', success({}, { meta: { idempotentReplay: true } })] });
    expect(await clock.settle(client.movements.create(newMovement).withResponse())).toMatchObject({ replayed: true });
  });

  test('is not what a refused connection leaves: nothing was sent', async () => {
    const { client, clock, sent } = scriptedClient({ steps: ['refused'] });
    expect(await clock.failure(client.movements.create(newMovement))).toSatisfy(isConnectionError);
    expect(sent).toHaveLength(4);
    expect(await clock.failure(client.credentials.createApiKey(createApiKey))).toSatisfy(isConnectionError);
    expect(sent).toHaveLength(5);
  });

  test('is named by a final 5xx, with the key', async () => {
    const { client, clock } = scriptedClient({ steps: ['reset', refusal(503, 'SERVICE_UNAVAILABLE')] });
    const error = await clock.failure(client.movements.create(newMovement));
    expect(isServerError(error)).toBe(true);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', idempotencyKey: 'key-1' });
  });
});

describe('a read', () => {
  test.each<Step>(['reset', 'reset-in-body', 'not-json', refusal(500, 'INTERNAL_ERROR')])(
    'is repeated after %j until it succeeds',
    async (step) => {
      const { client, clock, sent } = scriptedClient({ steps: [step, step, success({ id: 'm' })] });
      expect(await clock.settle(client.movements.get('m'))).toEqual({ id: 'm' });
      expect(sent).toHaveLength(3);
    },
  );

  test('that never gets an answer of this API ends in an error that says so', async () => {
    const { client, clock } = scriptedClient({ steps: ['not-json'] });
    expect(await clock.failure(client.movements.get('m'))).toSatisfy(isMalformedAnswerError);
  });

  test('is ended by its deadline, waits and body included', async () => {
    const { client, clock, sent } = scriptedClient({ steps: ['reset', 'hang-in-body'] });
    const error = await clock.failure(client.movements.get('m', { timeoutMs: 1_000 }));
    expect(isTimeoutError(error)).toBe(true);
    expect(clock.elapsedMs()).toBe(1_000);
    expect(sent).toHaveLength(2);
  });
});

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
    await clock.settle(client.credentials.createApiKey(createApiKey));
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

  test('a key that is still in progress is asked for again', async () => {
    const busy = refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { headers: { 'retry-after': '1' } });
    const { client, clock, sent } = scriptedClient({ steps: [busy, busy, success()] });
    await clock.settle(client.movements.create(newMovement));
    expect(sent).toHaveLength(3);
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

describe('an AbortSignal', () => {
  test('that is aborted beforehand sends nothing', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    const reason = new Error('no longer needed');
    expect(await clock.failure(client.movements.create(newMovement, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(sent).toHaveLength(0);
  });

  test('ends a read with its reason', async () => {
    const { client, clock } = scriptedClient({ steps: ['hang'] });
    const controller = new AbortController();
    clock.schedule(100, () => controller.abort(new Error('enough')));
    const error = await clock.failure(client.movements.get('m', { signal: controller.signal }));
    expect(error).toMatchObject({ message: 'enough' });
    expect(clock.elapsedMs()).toBe(100);
  });

  test('that ends a write under way tells that its outcome is unknown, with the key', async () => {
    const { client, clock } = scriptedClient({ steps: ['hang'] });
    const controller = new AbortController();
    clock.schedule(100, () => controller.abort(new Error('enough')));
    const error = await clock.failure(client.movements.create(newMovement, { signal: controller.signal }));
    expect(isOutcomeUnknownError(error)).toBe(true);
    expect(error).toMatchObject({ idempotencyKey: 'key-1', cause: { message: 'enough' } });
  });

  test('ends a wait, and no further attempt is sent', async () => {
    const limited = refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '10' } });
    const { client, clock, sent } = scriptedClient({ steps: [limited, success()] });
    const controller = new AbortController();
    clock.schedule(3_000, () => controller.abort(new Error('enough')));
    const error = await clock.failure(client.movements.create(newMovement, { signal: controller.signal }));
    expect(error).toMatchObject({ message: 'enough' });
    expect(clock.elapsedMs()).toBe(3_000);
    expect(sent).toHaveLength(1);
  });
});

describe('a token function', () => {
  test('is asked before every attempt, so that a refreshed token is used at once', async () => {
    let asked = 0;
    const token = async () => {
      asked += 1;
      return `token-${asked}`;
    };
    const { client, clock, sent } = scriptedClient({ steps: ['reset', success()] }, { token });
    await clock.settle(client.movements.create(newMovement));
    expect(sent.map((request) => request.headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test('that fails ends the call with its own error', async () => {
    const reason = new Error('vault is sealed');
    const { client, clock, sent } = scriptedClient({ steps: [success()] }, { token: () => Promise.reject(reason) });
    expect(await clock.failure(client.movements.create(newMovement))).toBe(reason);
    expect(sent).toHaveLength(0);
  });

  test('that never answers is ended by the deadline', async () => {
    const { client, clock } = scriptedClient({ steps: [success()] }, { token: () => new Promise<string>(() => {}) });
    expect(await clock.failure(client.movements.create(newMovement))).toSatisfy(isTimeoutError);
  });
});

test.each([{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { maxRetries: -1 }, { maxRetries: 1.5 }])(
  'limits that mean nothing are refused: %j',
  async (options) => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    expect(await clock.failure(client.movements.get('m', options))).toSatisfy(isUsageError);
    expect(sent).toHaveLength(0);
  },
);
