import { describe, expect, test } from 'vitest';
import { newApiKey, newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, success } from '../../test-support/scripted-fetch.js';
import { isOutcomeUnknownError } from '../index.js';

describe('an AbortSignal', () => {
  test('that is aborted before the call prevents the request', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    const reason = new Error('no longer needed');
    expect(await clock.failure(client.movements.create(newMovement, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(sent).toHaveLength(0);
  });

  test('aborts a read, which rejects with the reason of the signal', async () => {
    const { client, clock } = scriptedClient({ steps: ['hang'] });
    const controller = new AbortController();
    clock.schedule(100, () => controller.abort(new Error('enough')));
    const error = await clock.failure(client.movements.get('m', { signal: controller.signal }));
    expect(error).toMatchObject({ message: 'enough' });
    expect(clock.elapsedMs()).toBe(100);
  });

  test('aborts a sent write, which rejects with OutcomeUnknownError and the idempotency key', async () => {
    const { client, clock } = scriptedClient({ steps: ['hang'] });
    const controller = new AbortController();
    clock.schedule(100, () => controller.abort(new Error('enough')));
    const error = await clock.failure(client.movements.create(newMovement, { signal: controller.signal }));
    expect(isOutcomeUnknownError(error)).toBe(true);
    expect(error).toMatchObject({ idempotencyKey: 'key-1', cause: { message: 'enough' } });
  });

  test('aborts a read during the response body, and the read rejects with the reason of the signal', async () => {
    const { client, clock } = scriptedClient({ steps: ['hang-in-body'] });
    const controller = new AbortController();
    clock.schedule(100, () => controller.abort(new Error('enough')));
    const error = await clock.failure(client.movements.get('m', { signal: controller.signal }));
    expect(error).toMatchObject({ message: 'enough' });
    expect(clock.elapsedMs()).toBe(100);
  });

  test('aborts a sent write without an idempotency key, and the write rejects with OutcomeUnknownError', async () => {
    const { client, clock } = scriptedClient({ steps: ['hang-in-body'] });
    const controller = new AbortController();
    clock.schedule(100, () => controller.abort(new Error('enough')));
    const error = await clock.failure(client.credentials.createApiKey(newApiKey, { signal: controller.signal }));
    expect(isOutcomeUnknownError(error)).toBe(true);
    expect(error).toMatchObject({ idempotencyKey: null, cause: { message: 'enough' } });
  });

  test('aborts the wait after a lost response, and the write rejects with OutcomeUnknownError and the idempotency key', async () => {
    const { client, clock, sent } = scriptedClient({ steps: ['reset', success()] });
    const controller = new AbortController();
    clock.schedule(10, () => controller.abort(new Error('enough')));
    const error = await clock.failure(client.movements.create(newMovement, { signal: controller.signal }));
    expect(isOutcomeUnknownError(error)).toBe(true);
    expect(error).toMatchObject({ idempotencyKey: 'key-1', cause: { message: 'enough' } });
    expect([sent.length, clock.elapsedMs()]).toEqual([1, 10]);
  });

  test('that is aborted after a call leaves the result of the call unchanged; the client has removed its listener', async () => {
    const { client, clock, sent } = scriptedClient({ steps: ['reset', success({ id: 'm' })] });
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = { added: 0, removed: 0 };
    const counted = new Proxy(signal, {
      get(target, name) {
        if (name === 'addEventListener') listeners.added += 1;
        if (name === 'removeEventListener') listeners.removed += 1;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const call = client.movements.create(newMovement, { signal: counted });
    await clock.settle(call);
    controller.abort(new Error('too late'));
    expect(await call).toEqual({ id: 'm' });
    expect(sent).toHaveLength(2);
    expect(listeners).toEqual({ added: 1, removed: 1 });
  });

  test('aborts the wait after a 429 response, so that no further attempt is sent', async () => {
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
