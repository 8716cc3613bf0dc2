import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server } from 'node:net';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AddressNotAllowed, createGuardedDispatcher, type ResolveName } from './guarded-dispatcher.js';
import { describeFailure } from './send-delivery.js';

let server: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  server = createTcpServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterAll(() => {
  server.close();
});

const loopback = [ipaddr.parseCIDR('127.0.0.0/8')];

/** Resolves every name to these addresses. */
function resolveTo(...addresses: readonly string[]): ResolveName {
  return (_, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
}

async function send(options: {
  readonly host: string;
  readonly protocol?: string;
  readonly networks?: typeof loopback;
  readonly resolveName?: ResolveName;
}): Promise<string> {
  const { host, protocol = 'http:', networks = [], resolveName = resolveTo('127.0.0.1') } = options;
  const dispatcher = createGuardedDispatcher({ networks, proxyUrl: null, resolveName });
  try {
    const { origin } = new URL(`${protocol}//${host}:${port}/`);
    const { statusCode, body } = await dispatcher.request({ origin, path: '/', method: 'POST', body: '{}' });
    await body.dump();
    return String(statusCode);
  } catch (error) {
    return describeFailure(error);
  } finally {
    await dispatcher.close();
  }
}

describe('a server on loopback', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::7f00:1]',
    'localhost',
    'localhost.',
    '127.0.0.1.',
  ])('is not reached when the URL has the host %s', async (host) => {
    const before = connections;
    expect(await send({ host })).toBe('address_not_allowed');
    expect(connections).toBe(before);
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['one public and one private address', ['1.1.1.1', '127.0.0.1']],
    ['an IPv4-mapped address', ['::ffff:127.0.0.1']],
    ['a NAT64 address', ['64:ff9b::7f00:1']],
    ['no address', []],
  ])('is not reached by a name that resolves to %s', async (_, addresses) => {
    const before = connections;
    expect(await send({ host: 'hooks.example', resolveName: resolveTo(...addresses) })).toBe('address_not_allowed');
    expect(connections).toBe(before);
  });

  it('is not reached through an https:// URL', async () => {
    const before = connections;
    expect(await send({ host: '127.0.0.1', protocol: 'https:' })).toBe('address_not_allowed');
    expect(await send({ host: 'hooks.example', protocol: 'https:' })).toBe('address_not_allowed');
    expect(connections).toBe(before);
  });

  it('is reached if its address is in a network that the operator allows', async () => {
    expect(await send({ host: '127.0.0.1', networks: loopback })).toBe('200');
    expect(await send({ host: 'hooks.example', networks: loopback })).toBe('200');
    expect(await send({ host: 'hooks.example', networks: loopback, resolveName: resolveTo('10.0.0.1') })).toBe(
      'address_not_allowed',
    );
  });
});

it('the dispatcher resolves a name for each connection, and checks its addresses each time', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.1']];
  const dispatcher = createGuardedDispatcher({
    networks: loopback,
    proxyUrl: null,
    resolveName: (name, done) => resolveTo(...(answers.shift() ?? []))(name, done),
  });
  const request = () =>
    dispatcher.request({ origin: `http://hooks.example:${port}`, path: '/', method: 'POST', body: '{}' });
  await (await request()).body.dump();
  await expect(request()).rejects.toSatisfy((error) => describeFailure(error) === 'address_not_allowed');
  await dispatcher.close();
});

it('the dispatcher rejects a link-local address in the URL before it connects to the proxy', async () => {
  const before = connections;
  const dispatcher = createGuardedDispatcher({ networks: [], proxyUrl: `http://127.0.0.1:${port}` });
  await expect(
    dispatcher.request({ origin: 'http://169.254.169.254', path: '/', method: 'POST', body: '{}' }),
  ).rejects.toThrow(AddressNotAllowed);
  expect(connections).toBe(before);
  await dispatcher.close();
});

it.each([
  [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'dns_failed'],
  [{ code: 'ECONNREFUSED', syscall: 'connect' }, 'connect_failed'],
  [{ errors: [{ code: 'EHOSTUNREACH' }] }, 'connect_failed'],
  [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'timeout'],
  [{ name: 'TimeoutError' }, 'timeout'],
  [{ code: 'CERT_HAS_EXPIRED' }, 'tls_failed'],
  [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'tls_failed'],
  [{ code: 'UND_ERR_HEADERS_OVERFLOW' }, 'too_large'],
  [{ cause: { code: 'ECONNRESET' } }, 'connection_lost'],
])('describeFailure maps %j to the reason %s', (error, reason) => {
  expect(describeFailure(error)).toBe(reason);
});
