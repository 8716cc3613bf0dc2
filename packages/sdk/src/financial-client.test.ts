import { inspect } from 'node:util';
import { formatSecret } from '@centavo/contracts/calls';
import { describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { newMovement, scriptedClient } from '../test-support/scripted-client.js';
import { refusal, type Step, success } from '../test-support/scripted-fetch.js';
import { FinancialClient, isFinancialApiError, isRedirectRefusedError, isUsageError } from './index.js';
import { sdkVersion } from './version.js';

const token = formatSecret(new Uint8Array(32).fill(9));

function allTextForms(value: unknown): string {
  const options = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true };
  return [inspect(value, options), String(value), JSON.stringify(value)].join('\n');
}

describe('a token', () => {
  // @proves spec, Errors: 401
  test('is not in the output of inspect, String or JSON.stringify for a client', () => {
    const client = new FinancialClient({ token });
    for (const value of [client, client.movements, client.forTracker('t')])
      expect(allTextForms(value)).not.toContain(token);
  });

  test.each<Step>([
    'reset',
    refusal(401, 'CREDENTIAL_INVALID', { message: `No such key: ${token}`, details: { echoed: token } }),
    { status: 502, body: `Bearer ${token}` },
    { status: 200, body: `{"authorization":"Bearer ${token}"` },
  ])('is not in an error, even if the response repeats it', async (step) => {
    const { client, clock } = scriptedClient({ steps: [step] }, { token });
    const error = await clock.failure(client.movements.get('m'));
    expect(allTextForms(error)).not.toContain(token);
  });

  test.each([401, 429, 502])('is redacted in the headers of a %i response that repeats it', async (status) => {
    const headers = { 'x-debug': `authorization=Bearer ${token}`, 'x-request-id': 'r-1', 'retry-after': '90' };
    const { client, clock } = scriptedClient({ steps: [{ status, headers, body: '' }] }, { token });
    const error = await clock.failure(client.movements.get('m'));
    expect(allTextForms(error)).not.toContain(token);
    expect(isFinancialApiError(error) && error.headers.get('x-debug')).toBe('authorization=Bearer [redacted]');
    expect(error).toMatchObject({ requestId: 'r-1' });
  });

  test('is redacted in an error message of the server', async () => {
    const quoted = 'opaque"token\\of-another-issuer';
    const step = refusal(401, 'CREDENTIAL_INVALID', { message: `No such token: ${quoted}` });
    const { client, clock } = scriptedClient({ steps: [step] }, { token: quoted });
    const error = await clock.failure(client.movements.get('m'));
    expect(error).toMatchObject({ message: 'No such token: [redacted]' });
  });

  test('is not in an OutcomeUnknownError or in its cause', async () => {
    const echo = refusal(403, 'INSUFFICIENT_ROLE', { message: `${token} may not`, headers: { 'x-echo': token } });
    const { client, clock } = scriptedClient({ steps: ['reset', echo] }, { token });
    const error = await clock.failure(client.movements.create(newMovement));
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', cause: { code: 'INSUFFICIENT_ROLE' } });
    expect(allTextForms(error)).not.toContain(token);
  });

  test('is not in an error, even if fetch throws an error that contains it', async () => {
    const fetch = async (_: string, init: RequestInit) => {
      throw Object.assign(new Error(`cannot send Bearer ${token}`), { request: init });
    };
    const client = new FinancialClient({ token, fetch, maxRetries: 0 });
    const error = await client.movements.get('m').catch((reason: unknown) => reason);
    expect(allTextForms(error)).not.toContain(token);
  });

  test('is redacted in the events of hooks', async () => {
    const events: unknown[] = [];
    const note = (event: unknown) => events.push(event);
    const hooks = { onRequest: note, onResponse: note, onRetry: note };
    const { client, clock } = scriptedClient({ steps: [refusal(500, 'INTERNAL_ERROR'), success()] }, { token, hooks });
    await clock.settle(client.movements.create(newMovement));
    expect(events).toHaveLength(5);
    expect(events[0]).toMatchObject({ call: 'createMovement', attempt: 1, headers: { authorization: '[redacted]' } });
    expect(events[2]).toMatchObject({ attempt: 1, delayMs: 125, status: 500, idempotencyKey: 'key-1' });
    expect(allTextForms(events)).not.toContain(token);
  });

  test.each([
    { status: 302, headers: { location: 'https://evil.example/' } },
    { status: 307, headers: { location: '/v1/financial/movements' } },
    { status: 0 },
  ])('is not sent to the target of a redirect', async (step) => {
    const { client, clock, sent } = scriptedClient({ steps: [step, success()] }, { token });
    expect(await clock.failure(client.movements.create(newMovement))).toSatisfy(isRedirectRefusedError);
    expect(sent).toHaveLength(1);
  });
});

test('the client sends a cookie unchanged, and redacts cookies and proxy credentials in the events of hooks', async () => {
  const seen: unknown[] = [];
  const hooks = { onRequest: (event: { readonly headers: object }) => void seen.push(event.headers) };
  const { client, clock, sent } = scriptedClient({ steps: [success()] }, { hooks });
  const headers = { Cookie: 'gate=hunter2', 'Proxy-Authorization': 'Basic aHVudGVyMg==', traceparent: '00-abc' };
  await clock.settle(client.context.get({ headers }));
  expect(seen).toMatchObject([{ cookie: '[redacted]', 'proxy-authorization': '[redacted]', traceparent: '00-abc' }]);
  expect(sent[0]?.headers.cookie).toBe('gate=hunter2');
});

test('a hook that changes its event does not change the request', async () => {
  const onRequest = (event: { readonly headers: Readonly<Record<string, string>> }) => {
    Object.assign(event.headers, { accept: 'text/html', 'idempotency-key': 'another' });
  };
  const { client, clock, sent } = scriptedClient({ steps: ['reset', success()] }, { hooks: { onRequest } });
  await clock.settle(client.movements.create(newMovement));
  await clock.settle(client.identity.createSession({ email: 'ana@example.com', password: 'x' }));
  expect(sent.map((request) => request.headers.accept)).toEqual(Array(3).fill('application/json'));
  expect(sent.map((request) => request.headers['idempotency-key'])).toEqual(['key-1', 'key-1', undefined]);
});

test('a hook that throws does not affect the call', async () => {
  const broken = () => {
    throw new Error('disk full');
  };
  const hooks = {
    onRequest: broken,
    onResponse: (() => Promise.reject(new Error('x'))) as () => void,
    onRetry: broken,
  };
  const { client, clock } = scriptedClient({ steps: ['reset', success({ id: 'm' })] }, { hooks });
  expect(await clock.settle(client.movements.create(newMovement))).toEqual({ id: 'm' });
});

describe('a call', () => {
  test('sends one request, however often it is awaited', async () => {
    const { client, sent } = scriptedClient({ steps: [success({ id: 'm' }, { etag: '"1"' })] });
    const call = client.movements.get('m');
    const [data, response, again] = await Promise.all([call, call.withResponse(), call]);
    expect(data).toBe(again);
    expect(response).toMatchObject({ data: { id: 'm' }, etag: '"1"', status: 200, replayed: false });
    expect(response.requestId).toBe(response.meta?.requestId);
    expect(sent).toHaveLength(1);
  });

  test('returns undefined if the response has no body', async () => {
    const { client, clock } = scriptedClient({ steps: [{ status: 204, headers: { 'x-request-id': 'r-1' } }] });
    const response = await clock.settle(client.credentials.revokeApiKey('c').withResponse());
    expect(response).toMatchObject({ data: undefined, meta: null, status: 204, requestId: 'r-1' });
  });

  test('supports catch and finally like other promises', async () => {
    const { client, clock } = scriptedClient({ steps: [refusal(404, 'NOT_FOUND')] });
    let finished = false;
    const call = client.movements.get('m').finally(() => {
      finished = true;
    });
    expect(await clock.settle(call.catch((error: unknown) => isFinancialApiError(error)))).toBe(true);
    expect(finished).toBe(true);
  });
});

describe('a raw request', () => {
  test('that corrects a movement is retried after a lost connection with its idempotency key, If-Match and tracker', async () => {
    const { client, clock, sent } = scriptedClient({ steps: ['reset', success({ id: 'm' })] }, { trackerId: 'home' });
    const raw = { method: 'PATCH', path: '/movements/m-1', body: { amountDecimal: '2' }, etag: '"1"' } as const;
    expect(await clock.settle(client.request(raw))).toEqual({ id: 'm' });
    expect(sent).toHaveLength(2);
    expect(sent[1]?.headers).toMatchObject({
      'idempotency-key': 'key-1',
      'if-match': '"1"',
      'x-service-tracker-id': 'home',
    });
  });

  test('with POST is not retried after a lost connection if the operation is unknown or ignores idempotency keys', async () => {
    for (const path of ['/novelties', '/api-keys']) {
      const { client, clock, sent } = scriptedClient({ steps: ['reset', success()] });
      await clock.failure(client.request({ method: 'POST', path, body: {}, idempotencyKey: 'mine' }));
      expect(sent).toHaveLength(1);
    }
  });

  test('to a path outside the API sends no token, and accepts a response without an envelope', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [{ status: 200, body: { status: 'ok' } }] });
    expect(await clock.settle(client.request({ method: 'GET', path: '/health/ready' }))).toEqual({ status: 'ok' });
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each(['movements', '//evil.example/x', 'https://evil.example/', '/a/../b', '/a?b=c', '/a b', '\\\\evil'])(
    'to %j is not sent',
    async (path) => {
      const { client, clock, sent } = scriptedClient({ steps: [success()] });
      expect(await clock.failure(client.request({ method: 'GET', path }))).toSatisfy(isUsageError);
      expect(sent).toHaveLength(0);
    },
  );
});

test('sdkVersion is the version of the package', () => {
  expect(sdkVersion).toBe(packageJson.version);
});
