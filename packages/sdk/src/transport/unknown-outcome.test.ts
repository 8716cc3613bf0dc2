import { describe, expect, test } from 'vitest';
import { newApiKey, newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, type Step, success } from '../../test-support/scripted-fetch.js';
import {
  type FinancialClient,
  isConnectionError,
  isFinancialApiError,
  isIdempotencyConflictError,
  isOutcomeUnknownError,
  isServerError,
  isTimeoutError,
} from '../index.js';

describe('a write whose first attempt receives no valid response', () => {
  test('rejects with IdempotencyConflictError if the retry shows that a different request used its key', async () => {
    const { client, clock } = scriptedClient({ steps: ['reset', refusal(409, 'IDEMPOTENCY_KEY_REUSED')] });
    const error = await clock.failure(client.movements.create(newMovement));
    expect(isIdempotencyConflictError(error)).toBe(true);
    expect(error).toMatchObject({ idempotencyKey: 'key-1' });
  });

  test.each<Step>(['reset', 'reset-in-body', 'not-json', 'no-envelope'])(
    'is retried after %j with its key, and rejects with OutcomeUnknownError and the key after the last attempt',
    async (step) => {
      const { client, clock, sent } = scriptedClient({ steps: [step] });
      const error = await clock.failure(client.movements.create(newMovement));
      expect(isOutcomeUnknownError(error)).toBe(true);
      expect(error).toMatchObject({ idempotencyKey: 'key-1' });
      expect(sent).toHaveLength(4);
    },
  );

  test.each<Step>(['reset', 'reset-in-body', 'not-json', 'no-envelope', 'hang'])(
    'is not retried after %j if it has no idempotency key',
    async (step) => {
      const { client, clock, sent } = scriptedClient({ steps: [step, success()] });
      const error = await clock.failure(client.credentials.createApiKey(newApiKey));
      expect(isOutcomeUnknownError(error)).toBe(true);
      expect(error).toMatchObject({ idempotencyKey: null });
      expect(sent).toHaveLength(1);
    },
  );

  test('rejects with advice to reuse the idempotency key of each movement if it is a bulk write in mode "independent"', async () => {
    const { client, clock } = scriptedClient({ steps: ['reset'] });
    const movements = [{ ...newMovement, idempotencyKey: 'row-1' }];
    const error = await clock.failure(client.movements.createMany(movements, { mode: 'independent' }));
    expect(isOutcomeUnknownError(error)).toBe(true);
    expect(error).toMatchObject({
      idempotencyKey: null,
      message: expect.stringContaining('repeat it with the same idempotency keys and body'),
    });
  });

  test.each([
    ['the deadline passes', 'hang' as const],
    ['the deadline passes during the response body', 'hang-in-body' as const],
  ])('rejects with OutcomeUnknownError and a TimeoutError as cause when %s', async (_, step) => {
    const { client, clock } = scriptedClient({ steps: [step] });
    const error = await clock.failure(client.movements.create(newMovement, { timeoutMs: 5_000 }));
    expect(isOutcomeUnknownError(error)).toBe(true);
    expect(clock.elapsedMs()).toBe(5_000);
    expect((error as Error).cause).toSatisfy(isTimeoutError);
  });

  test('rejects with OutcomeUnknownError if the retry receives 401 or 403, which do not show the outcome', async () => {
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

  test('rejects with NOT_FOUND if the retry receives 404, which shows that no attempt had an effect', async () => {
    const { client, clock } = scriptedClient({ steps: ['reset', refusal(404, 'NOT_FOUND')] });
    expect(await clock.failure(client.movements.create(newMovement))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('resolves if the retry returns the stored response', async () => {
    const { client, clock } = scriptedClient({ steps: ['reset', success({}, { meta: { idempotentReplay: true } })] });
    expect(await clock.settle(client.movements.create(newMovement).withResponse())).toMatchObject({ replayed: true });
  });

  test('rejects with ConnectionError if every connection is refused, because nothing was sent', async () => {
    const { client, clock, sent } = scriptedClient({ steps: ['refused'] });
    expect(await clock.failure(client.movements.create(newMovement))).toSatisfy(isConnectionError);
    expect(sent).toHaveLength(4);
    expect(await clock.failure(client.credentials.createApiKey(newApiKey))).toSatisfy(isConnectionError);
    expect(sent).toHaveLength(5);
  });

  test('rejects with ServerError and the key if the last response has status 503', async () => {
    const { client, clock } = scriptedClient({ steps: ['reset', refusal(503, 'SERVICE_UNAVAILABLE')] });
    const error = await clock.failure(client.movements.create(newMovement));
    expect(isServerError(error)).toBe(true);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', idempotencyKey: 'key-1' });
  });
});

describe('a write without an idempotency key', () => {
  test.each<Step>([
    refusal(500, 'INTERNAL_ERROR'),
    refusal(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '1' } }),
    { status: 502, body: '<html>Bad gateway</html>' },
    { status: 504 },
    { status: 408 },
    refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { headers: { 'retry-after': '1' } }),
  ])('is not retried after the response %j', async (step) => {
    const acts = [
      (client: FinancialClient) => client.credentials.createApiKey(newApiKey),
      (client: FinancialClient) => client.credentials.rotateApiKey('c'),
      (client: FinancialClient) => client.credentials.revokeApiKey('c'),
      (client: FinancialClient) => client.accounts.create({ name: 'n', type: 'cash' }),
      (client: FinancialClient) => client.trackers.addMember('t', { email: 'ana@example.com', role: 'editor' }),
    ];
    for (const act of acts) {
      const { client, clock, sent } = scriptedClient({ steps: [step, success()] });
      const error = await clock.failure(act(client));
      expect(isFinancialApiError(error)).toBe(true);
      expect(error).toMatchObject({ idempotencyKey: null });
      expect(sent).toHaveLength(1);
    }
  });
});
