import { describe, expect, test } from 'vitest';
import { newApiKey, newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, type Step, success } from '../../test-support/scripted-fetch.js';
import { isMalformedAnswerError, isTimeoutError, isUsageError } from '../index.js';

describe('the idempotency key of a call', () => {
  test('is the same in all attempts, and all attempts send the same body', async () => {
    const { client, clock, sent } = scriptedClient({
      steps: ['reset', refusal(503, 'SERVICE_UNAVAILABLE'), success()],
    });
    const response = await clock.settle(client.movements.create(newMovement).withResponse());
    expect(sent.map((request) => request.headers['idempotency-key'])).toEqual(['key-1', 'key-1', 'key-1']);
    expect(new Set(sent.map((request) => request.body)).size).toBe(1);
    expect(response.idempotencyKey).toBe('key-1');
  });

  test('differs between two calls', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    await clock.settle(client.movements.create(newMovement));
    await clock.settle(client.movements.create(newMovement));
    expect(sent.map((request) => request.headers['idempotency-key'])).toEqual(['key-1', 'key-2']);
  });

  test('is the key that the caller passes', async () => {
    const { client, clock, sent } = scriptedClient({ steps: ['reset', success()] });
    await clock.settle(
      client.transfers.create(
        { amountDecimal: '1', fromAccountId: 'a', toAccountId: 'b' },
        { idempotencyKey: 'row 7' },
      ),
    );
    expect(sent.map((request) => request.headers['idempotency-key'])).toEqual(['row 7', 'row 7']);
  });

  test('is not sent if the call is a read, or a write for which the server ignores keys', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success([])] });
    await clock.settle(client.accounts.list({ idempotencyKey: 'unused' }));
    await clock.settle(client.credentials.createApiKey(newApiKey, { idempotencyKey: 'unused' }));
    for (const request of sent) expect(request.headers).not.toHaveProperty('idempotency-key');
  });
});

describe('a read', () => {
  test.each<Step>(['reset', 'reset-in-body', 'not-json', refusal(500, 'INTERNAL_ERROR')])(
    'is retried after %j until it succeeds',
    async (step) => {
      const { client, clock, sent } = scriptedClient({ steps: [step, step, success({ id: 'm' })] });
      expect(await clock.settle(client.movements.get('m'))).toEqual({ id: 'm' });
      expect(sent).toHaveLength(3);
    },
  );

  test('rejects with MalformedAnswerError if every response is malformed', async () => {
    const { client, clock } = scriptedClient({ steps: ['not-json'] });
    expect(await clock.failure(client.movements.get('m'))).toSatisfy(isMalformedAnswerError);
  });

  test('rejects with TimeoutError at the deadline, counted from the first attempt, even during the response body of a retry', async () => {
    const { client, clock, sent } = scriptedClient({ steps: ['reset', 'hang-in-body'] });
    const error = await clock.failure(client.movements.get('m', { timeoutMs: 1_000 }));
    expect(isTimeoutError(error)).toBe(true);
    expect(clock.elapsedMs()).toBe(1_000);
    expect(sent).toHaveLength(2);
  });
});

test.each([{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { maxRetries: -1 }, { maxRetries: 1.5 }])(
  'the client rejects invalid limits, and sends nothing: %j',
  async (options) => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    expect(await clock.failure(client.movements.get('m', options))).toSatisfy(isUsageError);
    expect(sent).toHaveLength(0);
  },
);
