import { describe, expect, test } from 'vitest';
import { newApiKey, newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { requestId, type Step, success } from '../../test-support/scripted-fetch.js';
import { type FinancialClientOptions, isMalformedAnswerError, isOutcomeUnknownError } from '../index.js';

const meta = { apiVersion: 1, requestId, trackerId: null };

/** Returns the error of a read that receives this response in its only attempt. */
function failureOf(step: Step, options: FinancialClientOptions = {}): Promise<unknown> {
  const { client, clock } = scriptedClient({ steps: [step] }, { maxRetries: 0, ...options });
  return clock.failure(client.accounts.list());
}

describe('a response without a valid envelope', () => {
  test.each([
    '',
    '{"data":[],"meta":{"requestId":"r"',
    'null',
    'true',
    '[]',
    '"text"',
    { data: [] },
    { meta },
    { data: [], meta: null },
    { data: [], meta: [] },
    { data: [], meta: { ...meta, requestId: 7 } },
    { data: [], meta: { ...meta, pagination: null } },
    { data: [], meta: { ...meta, pagination: { hasMore: 'yes' } } },
    { error: { code: 'NOT_FOUND', message: 'Refused.', details: {} }, meta },
  ])('is rejected as malformed: %j', async (body) => {
    const error = await failureOf({ status: 200, body });
    expect(error).toSatisfy(isMalformedAnswerError);
    expect((error as Error).message).toMatch(/^The response with status 200 is not .*is baseUrl right\?$/);
  });
});

test('the client rejects a response with JSON that is nested a million levels deep', async () => {
  const nested = `${'[{"a":'.repeat(500_000)}1${'}]'.repeat(500_000)}`;
  const error = await failureOf({ status: 200, body: `{"data":[{"extra":${nested}}],"meta":${JSON.stringify(meta)}}` });
  expect(error).toSatisfy(isMalformedAnswerError);
});

describe('the caller’s function checkData', () => {
  const checkData: FinancialClientOptions['checkData'] = ({ call, data }) =>
    Array.isArray(data) ? undefined : `${call} got ${typeof data}`;

  test('that returns undefined accepts the data of a response', async () => {
    const { client, clock } = scriptedClient({ steps: [success([])] }, { checkData });
    expect((await clock.settle(client.accounts.list())).data).toEqual([]);
  });

  test('turns a fault in the data of a read into a MalformedAnswerError that names the fault', async () => {
    const error = await failureOf(success({}), { checkData });
    expect(error).toSatisfy(isMalformedAnswerError);
    expect((error as Error).message).toContain(
      'does not match the response format of listAccounts: listAccounts got object',
    );
  });

  test('turns a fault in the data of a write into an OutcomeUnknownError with a MalformedAnswerError as cause', async () => {
    const { client, clock } = scriptedClient({ steps: [success({})] }, { checkData, maxRetries: 0 });
    const writes = [() => client.movements.create(newMovement), () => client.credentials.createApiKey(newApiKey)];
    for (const write of writes) {
      const error = await clock.failure(write());
      expect(error).toSatisfy(isOutcomeUnknownError);
      expect((error as Error).cause).toSatisfy(isMalformedAnswerError);
    }
  });

  test('receives isDryRun, which is true only for the preview of a dry run', async () => {
    const seen: boolean[] = [];
    const { client, clock } = scriptedClient(
      { steps: [success({ id: null }, { meta: { dryRun: true } }), success({ id: 'm' })] },
      { checkData: ({ isDryRun }) => void seen.push(isDryRun) },
    );
    await clock.settle(client.movements.create(newMovement, { dryRun: true }));
    await clock.settle(client.movements.create(newMovement));
    expect(seen).toEqual([true, false]);
  });

  test('receives undefined as the data of a response without a body', async () => {
    const error = await failureOf({ status: 204 }, { checkData });
    expect((error as Error).message).toContain('listAccounts got undefined');
  });
});

describe('a response body', () => {
  /** Returns an endless body, and a record of the bytes that were read and of the cancellation. */
  function endlessBody() {
    const taken = { bytes: 0, cancelled: false };
    const chunk = new TextEncoder().encode(' '.repeat(1024 * 1024));
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        taken.bytes += chunk.byteLength;
        controller.enqueue(chunk);
      },
      cancel: () => {
        taken.cancelled = true;
      },
    });
    return { body, taken };
  }

  test.each([200, 404, 503])(
    'that never ends is cancelled after about 16 MiB, in a response with status %i',
    async (status) => {
      const { body, taken } = endlessBody();
      const fetch = async () => new Response(body, { status });
      const error = await failureOf('reset', { fetch });
      expect((error as Error).message).toMatch(
        status === 200 ? 'is longer than 16 MiB' : 'does not have the error format of this API',
      );
      expect(taken.bytes).toBeLessThanOrEqual(18 * 1024 * 1024);
      expect(taken.cancelled).toBe(true);
    },
  );

  test('is decoded correctly if a character is split between two chunks', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ data: [{ name: 'Ñandú 日本 🍜' }], meta }));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const { client, clock } = scriptedClient({ steps: [] }, { fetch: async () => new Response(body) });
    expect((await clock.settle(client.accounts.list())).data).toEqual([{ name: 'Ñandú 日本 🍜' }]);
  });
});
