import { describe, expect, test } from 'vitest';
import { newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, success } from '../../test-support/scripted-fetch.js';
import { isOutcomeUnknownError, isTimeoutError } from '../index.js';

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

  test('is not asked again after 401, and the call is not sent again: what to do is the caller’s to decide', async () => {
    let asked = 0;
    const token = () => {
      asked += 1;
      return 'stale';
    };
    const steps = [refusal(401, 'CREDENTIAL_EXPIRED'), success()];
    const { client, clock, sent } = scriptedClient({ steps }, { token });
    expect(await clock.failure(client.movements.get('m'))).toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
    expect([asked, sent.length]).toEqual([1, 1]);
  });

  test('that fails after a lost answer leaves the outcome unknown, with the key', async () => {
    let asked = 0;
    const token = async () => {
      asked += 1;
      if (asked > 1) throw new Error('vault is sealed');
      return 'session-token';
    };
    const { client, clock } = scriptedClient({ steps: ['reset', success()] }, { token });
    const error = await clock.failure(client.movements.create(newMovement));
    expect(isOutcomeUnknownError(error)).toBe(true);
    expect(error).toMatchObject({ idempotencyKey: 'key-1', cause: { message: 'vault is sealed' } });
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
