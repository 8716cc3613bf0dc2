import { describe, expect, test } from 'vitest';
import { scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, success } from '../../test-support/scripted-fetch.js';
import { isUsageError, isVersionConflictError } from '../index.js';

const read = (description: string, etag: string) => success({ id: 'm', description }, { etag });
const conflict = refusal(409, 'VERSION_CONFLICT', { details: { currentEtag: '"2"' } });

describe('a correction', () => {
  test('sends the given ETag as a strong ETag, even if a proxy has made it weak', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    await clock.settle(client.movements.correct('m', { description: 'x' }, { etag: 'W/"7"' }));
    expect(sent[0]).toMatchObject({ method: 'PATCH', headers: { 'if-match': '"7"', 'idempotency-key': 'key-1' } });
  });

  test.each([null, '', undefined])('is not sent if the given ETag is %j', async (etag) => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    const options = { etag } as { etag: string | null };
    expect(await clock.failure(client.movements.correct('m', { description: 'x' }, options))).toSatisfy(isUsageError);
    expect(sent).toHaveLength(0);
  });

  test('is not retried after a version conflict', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [conflict] });
    const error = await clock.failure(client.movements.correct('m', { description: 'x' }, { etag: '"1"' }));
    expect(isVersionConflictError(error)).toBe(true);
    expect(error).toMatchObject({ currentEtag: '"2"' });
    expect(sent).toHaveLength(1);
  });
});

describe('movements.correctWith', () => {
  // @proves spec, Errors: 409
  test('calls the callback again after a conflict, and writes with the new ETag and a new idempotency key', async () => {
    const steps = [read('a', '"1"'), conflict, read('b', '"2"'), success({ description: 'b!' })];
    const { client, clock, sent } = scriptedClient({ steps });
    const corrected = client.movements.correctWith('m', (current) => ({ description: `${current.description}!` }));
    expect(await clock.settle(corrected)).toEqual({ description: 'b!' });
    const writes = sent.filter((request) => request.method === 'PATCH');
    expect(writes.map((request) => request.headers['if-match'])).toEqual(['"1"', '"2"']);
    expect(writes.map((request) => request.body)).toEqual(['{"description":"a!"}', '{"description":"b!"}']);
    expect(writes.map((request) => request.headers['idempotency-key'])).toEqual(['key-1', 'key-2']);
  });

  test('sends the same idempotency key again after a lost connection', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [read('a', '"1"'), 'reset', success()] });
    await clock.settle(client.movements.correctWith('m', async () => ({ description: 'b' })));
    expect(sent.slice(1).map((request) => request.headers['idempotency-key'])).toEqual(['key-1', 'key-1']);
  });

  test('rejects with the idempotency key of a write whose response was lost, and does not call the callback again', async () => {
    const steps = [read('a', '"1"'), conflict, read('b', '"2"'), 'reset' as const];
    const { client, clock, sent } = scriptedClient({ steps });
    let asks = 0;
    const ask = () => {
      asks += 1;
      return { description: 'c' };
    };
    const error = await clock.failure(client.movements.correctWith('m', ask, { maxRetries: 0 }));
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', idempotencyKey: 'key-2' });
    expect([asks, sent.length]).toEqual([2, 4]);
  });

  test('writes nothing if its AbortSignal is aborted while the callback runs', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [read('a', '"1"')] });
    const controller = new AbortController();
    const ask = () => {
      controller.abort(new Error('enough'));
      return { description: 'b' };
    };
    const correction = client.movements.correctWith('m', ask, { signal: controller.signal });
    expect(await clock.failure(correction)).toMatchObject({ message: 'enough' });
    expect(sent).toHaveLength(1);
  });

  test('writes nothing if the callback returns undefined', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [read('a', '"1"')] });
    expect(await clock.settle(client.movements.correctWith('m', () => undefined))).toMatchObject({ description: 'a' });
    expect(sent).toHaveLength(1);
  });

  test('rejects with VersionConflictError if each of the allowed attempts has a conflict', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [read('a', '"1"'), conflict, read('b', '"2"'), conflict] });
    const correction = client.movements.correctWith('m', () => ({ description: 'x' }), { attempts: 2 });
    expect(await clock.failure(correction)).toSatisfy(isVersionConflictError);
    expect(sent).toHaveLength(4);
  });

  test('rejects with the error of the callback, and writes nothing', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [read('a', '"1"')] });
    const correction = client.movements.correctWith('m', () => Promise.reject(new Error('not mine to change')));
    expect(await clock.failure(correction)).toMatchObject({ message: 'not mine to change' });
    expect(sent).toHaveLength(1);
  });

  test('rejects the option attempts: 0 with a UsageError', async () => {
    const { client, clock } = scriptedClient({ steps: [success()] });
    expect(await clock.failure(client.movements.correctWith('m', () => undefined, { attempts: 0 }))).toSatisfy(
      isUsageError,
    );
  });
});
