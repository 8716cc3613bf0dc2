import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FinancialClient, isConnectionError, isOutcomeUnknownError } from '@centavo/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxy } from '../../test-support/start-proxy.js';
import { describeError } from '../describe-error.js';
import { exitCodeOf } from '../exit-codes.js';
import { connectionsMax, openFetch } from './open-fetch.js';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function openProxy(options?: Parameters<typeof startProxy>[0]) {
  const proxy = await startProxy(options);
  closing.push(proxy.close);
  return proxy;
}

/** Starts a server on a free port, and counts its connections. */
async function openServer(listener: (request: IncomingMessage, response: ServerResponse) => void) {
  let connections = 0;
  const server = createServer(listener).on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

/** Sends a write without an idempotency key (the creation of a session) through the proxies of `env`, and returns its error. */
async function writeWithoutKey(env: Record<string, string>, baseUrl: string): Promise<unknown> {
  const client = new FinancialClient({ baseUrl, fetch: openFetch(env) as never, maxRetries: 0 });
  return client.identity.createSession({ email: 'ana@example.com', password: 'x' }).catch((error: unknown) => error);
}

/** Returns a port on which no program listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const remote = 'https://money.example.com/v1/financial';

describe('connections of the fetch function', () => {
  it('are reused, and their number never exceeds connectionsMax, even if more requests are concurrent', async () => {
    const { origin, connections } = await openServer((_, response) => response.end('done'));
    const fetch = openFetch({});
    for (let round = 0; round < 3; round += 1) {
      const responses = Array.from({ length: 4 * connectionsMax }, () =>
        fetch(origin).then((response) => response.text()),
      );
      expect(new Set(await Promise.all(responses))).toEqual(new Set(['done']));
    }
    expect(connections()).toBe(connectionsMax);
  });

  it('to an http proxy are reused', async () => {
    const { origin } = await openServer((_, response) => response.end('done'));
    const proxy = await openProxy();
    const fetch = openFetch({ HTTP_PROXY: proxy.url });
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(
        Array.from({ length: 4 * connectionsMax }, () => fetch(origin).then((response) => response.text())),
      );
    }
    expect(proxy.connectionCount()).toBe(connectionsMax);
    expect(proxy.requests).toEqual(Array(12 * connectionsMax).fill(`GET ${origin}/`));
  });
});

describe('the fetch function', () => {
  it('returns an instance of the global Response class, whose body can be read', async () => {
    const { origin } = await openServer((request, response) => void request.pipe(response.writeHead(201)));
    const response = await openFetch({})(origin, { method: 'POST', body: 'text' });
    expect([response instanceof Response, response.status, await response.text()]).toEqual([true, 201, 'text']);
  });

  it('rejects with "fetch failed" if the server cannot be reached', async () => {
    const error = await openFetch({})(`http://127.0.0.1:${await closedPort()}/`).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
  });
});

describe('a write without an idempotency key', () => {
  it.each<[number | 'close', string]>([
    [407, 'requires a user and a password (407).'],
    [403, 'refused to connect to the server (403).'],
    [502, 'refused to connect to the server (502).'],
    ['close', 'did not open a tunnel to the server (UND_ERR_SOCKET).'],
  ])('is reported as not sent if the proxy does not open the tunnel: %s', async (how, reason) => {
    const proxy = await openProxy();
    proxy.refuse(how, Number.POSITIVE_INFINITY);
    const error = await writeWithoutKey({ HTTPS_PROXY: proxy.url }, remote);
    expect([isConnectionError(error), isOutcomeUnknownError(error)]).toEqual([true, false]);
    expect(describeError(error)).toContain(`  reason: The proxy at ${proxy.address} (HTTPS_PROXY) ${reason}`);
    expect(exitCodeOf(error)).toBe(9);
    expect(proxy.requests).toEqual(['CONNECT money.example.com:443']);
  });

  it('is reported as not sent if a proxy for http:// requires a password', async () => {
    const proxy = await openProxy({ credentials: 'ana:secret' });
    const { origin, connections } = await openServer((_, response) => response.end());
    const error = await writeWithoutKey({ HTTP_PROXY: proxy.url }, origin);
    expect([isConnectionError(error), isOutcomeUnknownError(error)]).toEqual([true, false]);
    expect(describeError(error).join('\n')).toContain('requires a user and a password (407).');
    expect(connections()).toBe(0);
  });

  it.each(['127.0.0.1', 'localhost'])('is reported as not sent if a proxy at %s cannot be reached', async (host) => {
    const HTTPS_PROXY = `http://ana:secret@${host}:${await closedPort()}`;
    const error = await writeWithoutKey({ HTTPS_PROXY }, remote);
    expect([isConnectionError(error), isOutcomeUnknownError(error)]).toEqual([true, false]);
    const text = describeError(error).join('\n');
    expect(text).toMatch(/reason: The proxy at \S+ \(HTTPS_PROXY\) could not be reached \([A-Z_]+\)\./);
    expect(text).not.toContain('secret');
  });
});
