import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fetchSmallJson, type Network } from './fetch-small-json.js';
import { openIssuerNetwork } from './issuer-network.js';

const closing: (() => void)[] = [];

afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) close();
});

/** Starts an issuer on a free port, and returns its server and the URL of its keys. */
async function startIssuer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  closing.push(() => server.closeAllConnections());
  return { server, url: `${await listen(server)}/certs` };
}

async function listen(server: Server | TcpServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the HTTP client for the issuer with short limits and a signal that never aborts, so that only the limits can end a request. */
const agentAlone = (): Network => ({ ...openIssuerNetwork(50), timeoutSignal: () => new AbortController().signal });

/** Resolves when the first connection of a server is closed. */
async function closeOfConnection(server: Server | TcpServer): Promise<void> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  await new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
}

const codeOf = (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException).code;
const failureOf = (network: Network, url: string) => fetchSmallJson({ network, url }).catch((error: unknown) => error);

describe('the HTTP client that openIssuerNetwork returns', () => {
  test('reuses connections to an issuer that responds', async () => {
    const { server, url } = await startIssuer((_, response) => response.end('{"keys":[]}'));
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    const network = openIssuerNetwork();
    for (let call = 0; call < 10; call += 1) expect(await fetchSmallJson({ network, url })).toEqual({ keys: [] });
    expect(connections).toBeLessThanOrEqual(2);
  });

  test('sends requests through the proxy in HTTP_PROXY, unless NO_PROXY names the host of the issuer', async () => {
    const { url } = await startIssuer((_, response) => response.end('{"keys":[]}'));
    const tunnels: (string | undefined)[] = [];
    const proxy = createServer();
    proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
      tunnels.push(request.url);
      const issuer = connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        issuer.pipe(socket).pipe(issuer);
      });
      for (const end of [issuer, socket]) end.on('error', () => {});
      closing.push(() => issuer.destroy());
    });
    vi.stubEnv('HTTP_PROXY', await listen(proxy));
    expect(await fetchSmallJson({ network: openIssuerNetwork(), url })).toEqual({ keys: [] });
    expect(tunnels).toEqual([new URL(url).host]);
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    expect(await fetchSmallJson({ network: openIssuerNetwork(), url })).toEqual({ keys: [] });
    expect(tunnels).toHaveLength(1);
  });

  test('fails the request and closes the connection if the issuer never responds', async () => {
    const server = createTcpServer((socket: Socket) => void socket.resume());
    const closed = closeOfConnection(server);
    const origin = await listen(server);
    expect(codeOf(await failureOf(agentAlone(), origin))).toBe('UND_ERR_HEADERS_TIMEOUT');
    await closed;
  });

  test('fails the request and closes the connection if the issuer stops sending in the middle of the body', async () => {
    const { server, url } = await startIssuer((_, response) => response.write('{"keys":'));
    const closed = closeOfConnection(server);
    expect(codeOf(await failureOf(agentAlone(), url))).toBe('UND_ERR_BODY_TIMEOUT');
    await closed;
  });

  test('fails the request and closes the connection if the issuer sends an endless body', async () => {
    const { server, url } = await startIssuer((_, response) => {
      const write = () => {
        while (response.write(' '.repeat(16_384)));
      };
      response.on('drain', write);
      write();
    });
    const closed = closeOfConnection(server);
    expect(await failureOf(agentAlone(), url)).toMatchObject({ code: 'ISSUER_ANSWER_TOO_LARGE' });
    await closed;
  });

  test('fails the request if the issuer sends headers of 28 KB', async () => {
    const answer = `HTTP/1.1 200 OK\r\n${'x-filler: 0123456789abcdef\r\n'.repeat(1000)}`;
    const origin = await listen(createTcpServer((socket: Socket) => void socket.on('error', () => {}).write(answer)));
    expect(codeOf(await failureOf(agentAlone(), origin))).toBe('UND_ERR_HEADERS_OVERFLOW');
  });

  test('fails the request if the issuer redirects, and sends no request to the target', async () => {
    const requests: string[] = [];
    const target = await startIssuer((request, response) => {
      requests.push(request.url ?? '');
      response.end('{"keys":[]}');
    });
    const { url } = await startIssuer((_, response) => void response.writeHead(302, { location: target.url }).end());
    expect(await failureOf(openIssuerNetwork(), url)).toBeInstanceOf(TypeError);
    expect(requests).toEqual([]);
  });

  test('fails the request and closes the connection if the issuer never completes the TLS handshake', async () => {
    const server = createTcpServer((socket: Socket) => void socket.resume());
    const closed = closeOfConnection(server);
    const origin = await listen(server);
    expect(codeOf(await failureOf(agentAlone(), origin.replace('http:', 'https:')))).toBe('UND_ERR_CONNECT_TIMEOUT');
    await closed;
  });
});
