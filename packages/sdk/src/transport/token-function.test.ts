import { describe, expect, test } from 'vitest';
import { newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, success } from '../../test-support/scripted-fetch.js';
import { isOutcomeUnknownError, isTimeoutError } from '../index.js';

describe('a token function', () => {
  test('is called before each attempt, so that a refreshed token is used at once', async () => {
    let calls = 0;
    const token = async () => {
      calls += 1;
      return `token-${calls}`;
    };
    const { client, clock, sent } = scriptedClient({ steps: ['reset', success()] }, { token });
    await clock.settle(client.movements.create(newMovement));
    expect(sent.map((request) => request.headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test('is not called again after 401, and the call is not retried', async () => {
    let calls = 0;
    const token = () => {
      calls += 1;
      return 'stale';
    };
    const steps = [refusal(401, 'CREDENTIAL_EXPIRED'), success()];
    const { client, clock, sent } = scriptedClient({ steps }, { token });
    expect(await clock.failure(client.movements.get('m'))).toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
    expect([calls, sent.length]).toEqual([1, 1]);
  });

  test('that fails after a lost response makes the call reject with OutcomeUnknownError and the idempotency key', async () => {
    let calls = 0;
    const token = async () => {
      calls += 1;
      if (calls > 1) throw new Error('vault is locked');
      return 'session-token';
    };
    const { client, clock } = scriptedClient({ steps: ['reset', success()] }, { token });
    const error = await clock.failure(client.movements.create(newMovement));
    expect(isOutcomeUnknownError(error)).toBe(true);
    expect(error).toMatchObject({ idempotencyKey: 'key-1', cause: { message: 'vault is locked' } });
  });

  test('that fails makes the call reject with the error of the function', async () => {
    const reason = new Error('vault is locked');
    const { client, clock, sent } = scriptedClient({ steps: [success()] }, { token: () => Promise.reject(reason) });
    expect(await clock.failure(client.movements.create(newMovement))).toBe(reason);
    expect(sent).toHaveLength(0);
  });

  test('that never resolves causes a TimeoutError at the deadline', async () => {
    const { client, clock } = scriptedClient({ steps: [success()] }, { token: () => new Promise<string>(() => {}) });
    expect(await clock.failure(client.movements.create(newMovement))).toSatisfy(isTimeoutError);
  });
});
