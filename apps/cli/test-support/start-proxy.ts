import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy on this machine that forwards http:// requests and opens tunnels. */
export interface TestProxy {
  /** Host and port, such as `127.0.0.1:3128`. */
  readonly address: string;
  readonly url: string;
  /** Method and target of each request that the proxy received, for example `CONNECT 127.0.0.1:8443`. */
  readonly requests: readonly string[];
  readonly connectionCount: () => number;
  /**
   * Refuses the next `times` requests with a method other than GET, including CONNECT. If `how` is a number, responds with this HTTP
   * status. If `how` is `close`, closes the connection without a response.
   */
  refuse(how: number | 'close', times: number): void;
  /** Discards the server's response to each of the next `times` forwarded writes, and resets the connection of the client. */
  loseResponses(times: number): void;
  close(): Promise<void>;
}

/** @param options.credentials `user:password`; if they are set, the proxy responds with 407 to every request without them */
export async function startProxy(options: { readonly credentials?: string } = {}): Promise<TestProxy> {
  const requests: string[] = [];
  const sockets = new Set<Duplex>();
  const refusal: { how: number | 'close'; times: number } = { how: 'close', times: 0 };
  let connectionCount = 0;
  let responsesToLose = 0;

  /** Returns how the proxy refuses a request, or undefined if it accepts the request. */
  function decideRefusal({ method, url, headers }: IncomingMessage): number | 'close' | undefined {
    requests.push(`${method} ${url}`);
    if (refusal.times > 0 && method !== 'GET') {
      refusal.times -= 1;
      return refusal.how;
    }
    if (options.credentials === undefined) return undefined;
    const expected = `Basic ${Buffer.from(options.credentials).toString('base64')}`;
    return headers['proxy-authorization'] === expected ? undefined : 407;
  }

  function forwardRequest(request: IncomingMessage, response: ServerResponse): void {
    const refused = decideRefusal(request);
    if (refused === 'close') return void request.socket.destroy();
    if (refused !== undefined) return void response.writeHead(refused).end();
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const outgoing = forward(new URL(request.url ?? ''), { method: request.method, headers }, (serverResponse) => {
      if (responsesToLose > 0 && request.method !== 'GET') {
        responsesToLose -= 1;
        serverResponse.resume().on('end', () => request.socket.resetAndDestroy());
        return;
      }
      response.writeHead(serverResponse.statusCode ?? 502, serverResponse.headers);
      serverResponse.pipe(response);
    });
    outgoing.on('error', () => response.writeHead(502).end());
    request.pipe(outgoing);
  }

  function openTunnel(request: IncomingMessage, client: Duplex, head: Buffer): void {
    const refused = decideRefusal(request);
    if (refused === 'close') return void client.destroy();
    if (refused !== undefined) return void client.end(`HTTP/1.1 ${refused} Refused\r\n\r\n`);
    const target = new URL(`http://${request.url}`);
    const server = connect(Number(target.port), target.hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.write(head);
      server.pipe(client).pipe(server);
    });
    track(server);
    server.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
  }

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  }

  const proxy = createServer(forwardRequest).on('connect', openTunnel);
  proxy.on('connection', (socket) => {
    connectionCount += 1;
    track(socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    address,
    url: `http://${address}`,
    requests,
    connectionCount: () => connectionCount,
    refuse(how, times) {
      Object.assign(refusal, { how, times });
    },
    loseResponses(times) {
      responsesToLose = times;
    },
    async close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      if (proxy.listening) await once(proxy, 'close');
    },
  };
}
