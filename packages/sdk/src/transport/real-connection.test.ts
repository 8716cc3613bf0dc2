import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { newMovement } from '../../test-support/scripted-client.js';
import { FinancialClient, isConnectionError, isOutcomeUnknownError, isRedirectRefusedError } from '../index.js';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a server on a free port. Returns its base URL, and a client that does not wait between attempts. */
async function clientOf(listener: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>) {
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1/financial`;
  return { client: new FinancialClient({ baseUrl, token: 'session-token', internals: { random: () => 0 } }), baseUrl };
}

async function readWhole(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** Returns a ledger that stores the response to the first request with each key, as the server does. */
function ledger() {
  const stored = new Map<string, string>();
  return {
    stored,
    async record(request: IncomingMessage): Promise<string> {
      await readWhole(request);
      const key = String(request.headers['idempotency-key']);
      const earlier = stored.get(key);
      const data = earlier ?? `movement-${stored.size + 1}`;
      stored.set(key, data);
      const meta = { apiVersion: 1, requestId: 'r', trackerId: null, ...(earlier && { idempotentReplay: true }) };
      return JSON.stringify({ data: { id: data }, meta });
    },
  };
}

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

test('a write with a key is recorded once, by the retry, if the connection resets before the server records anything', async () => {
  const { stored, record } = ledger();
  let requests = 0;
  const { client } = await clientOf(async (request, response) => {
    requests += 1;
    if (requests === 1) request.socket.resetAndDestroy();
    else answer(response, await record(request));
  });
  const response = await client.movements.create(newMovement).withResponse();
  expect(response).toMatchObject({ data: { id: 'movement-1' }, replayed: false });
  expect(stored.size).toBe(1);
});

test('a write with a key is recorded once, and returns the stored response, if the connection resets before the response', async () => {
  const { stored, record } = ledger();
  let requests = 0;
  const { client } = await clientOf(async (request, response) => {
    requests += 1;
    const body = await record(request);
    if (requests === 1) request.socket.resetAndDestroy();
    else answer(response, body);
  });
  const response = await client.movements.create(newMovement).withResponse();
  expect(response).toMatchObject({ data: { id: 'movement-1' }, replayed: true });
  expect(stored.size).toBe(1);
});

test('a write with a key is recorded once, and returns the stored response, if the connection resets during the response', async () => {
  const { stored, record } = ledger();
  let requests = 0;
  const { client } = await clientOf(async (request, response) => {
    requests += 1;
    const body = await record(request);
    if (requests > 1) return answer(response, body);
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.slice(0, 10), () => request.socket.resetAndDestroy());
  });
  expect(await client.movements.create(newMovement).withResponse()).toMatchObject({ replayed: true });
  expect(stored.size).toBe(1);
});

test('a write without a key is sent once, and rejects with OutcomeUnknownError when the connection resets', async () => {
  let requests = 0;
  const { client } = await clientOf(async (request) => {
    requests += 1;
    await readWhole(request);
    request.socket.resetAndDestroy();
  });
  const error = await client.trackers
    .create({ name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid' })
    .catch((reason: unknown) => reason);
  expect(isOutcomeUnknownError(error)).toBe(true);
  expect(requests).toBe(1);
});

test('a write without a key rejects with ConnectionError if no server listens', async () => {
  const { client } = await clientOf(() => {});
  for (const close of closing.splice(0)) await close();
  const error = await client.identity
    .createSession({ email: 'a@b.c', password: 'x' })
    .catch((reason: unknown) => reason);
  expect(isConnectionError(error)).toBe(true);
  expect(String(error)).toMatch(/The server at 127\.0\.0\.1:\d+ could not be reached \(ECONNREFUSED\)$/);
});

test('a write with a key rejects with ConnectionError if the server has no TLS, or if fetch blocks the port', async () => {
  let requests = 0;
  const { baseUrl } = await clientOf(() => {
    requests += 1;
  });
  for (const [url, message] of [
    [baseUrl.replace('http:', 'https:'), /could not be reached \(ERR_SSL_WRONG_VERSION_NUMBER\)$/],
    ['http://127.0.0.1:6666/v1/financial', /at 127\.0\.0\.1:6666 could not be reached \(bad port\)$/],
  ] as const) {
    const client = new FinancialClient({ baseUrl: url, token: 'session-token', maxRetries: 0 });
    const error = await client.movements.create(newMovement).catch((reason: unknown) => reason);
    expect([isConnectionError(error), isOutcomeUnknownError(error)]).toEqual([true, false]);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('/v1');
  }
  expect(requests).toBe(0);
});

test('the client does not follow a redirect to another origin, and sends no token there', async () => {
  const received: unknown[] = [];
  const { baseUrl: elsewhere } = await clientOf((request, response) => {
    received.push(request.headers.authorization);
    response.end();
  });
  const { client } = await clientOf((_, response) => {
    response.writeHead(307, { location: `${elsewhere}/movements` }).end();
  });
  const error = await client.movements.list().catch((reason: unknown) => reason);
  expect(isRedirectRefusedError(error)).toBe(true);
  expect(received).toEqual([]);
});

test('a call rejects with TimeoutError if the response body is incomplete at the deadline', async () => {
  const { client } = await clientOf((_, response) => {
    response.writeHead(200).write('{"data":');
  });
  const error = await client.movements.get('m', { timeoutMs: 50 }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'TimeoutError' });
});
