import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { sendRawHttp } from '../../test-support/send-raw-http.js';
import { waitingRequestsMax } from './connection-order.js';
import { sendJson } from './response.js';
import { type ConnectionLimits, createHttpServer } from './server.js';

const pem = (name: string) => readFileSync(new URL(`../../test-support/tls-files/${name}`, import.meta.url));
const tls = { certificate: pem('certificate.pem'), key: pem('key.pem') };
/** A response body that is larger than the socket buffers of client and server together. */
const largeText = 'x'.repeat(32 * 1024 * 1024);
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, position) => `/${from + position}`);

let server: Server;
/** The number of requests and responses that Node created. */
let created: { requests: number; responses: number };

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Starts a new server and returns its origin. */
async function start(
  listener: RequestListener,
  options: { readonly limits?: Partial<ConnectionLimits>; readonly isTls?: boolean } = {},
): Promise<string> {
  created = { requests: 0, responses: 0 };
  class Request extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket);
      created.requests += 1;
    }
  }
  class Response<Message extends IncomingMessage> extends ServerResponse<Message> {
    constructor(request: Message) {
      super(request);
      created.responses += 1;
    }
  }
  const messageClasses = { IncomingMessage: Request, ServerResponse: Response };
  const { isTls = false, limits } = options;
  server = createHttpServer({ listener, messageClasses }, { tls: isTls ? tls : null, limits });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const open = (origin: string) => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  // Some of these tests expect a reset, which emits an error.
  socket.on('error', () => {});
  return socket;
};

/** Resolves when a socket is closed. */
const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

describe('a connection with pipelined requests', () => {
  const accepted = range(0, 1 + waitingRequestsMax);
  let served: string[];
  const echo: RequestListener = (request, response) => {
    served.push(request.url ?? '');
    // Sends the response in a later turn of the event loop, as after a query.
    setImmediate(() => sendJson(response, { status: 200, headers: {}, body: request.url }));
  };
  const answersOf = (text: string) => [...text.matchAll(/\r\n\r\n"([^"]+)"/g)].map(([, url]) => url);

  it('returns the responses to 65 pipelined requests in order, and stays open', async () => {
    served = [];
    const origin = await start(echo);
    const client = open(origin);
    client.write(accepted.map((target) => get(target)).join(''));
    let text = '';
    for await (const chunk of client) {
      text += chunk;
      if (answersOf(text).length === accepted.length) break;
    }
    expect(answersOf(text)).toEqual(accepted);
    expect(text).not.toContain('Connection: close');
  });

  it('is closed after the responses to the first 65 requests if there are more; no further request is executed', async () => {
    served = [];
    const origin = await start(echo);
    const { text } = await sendRawHttp(
      origin,
      range(0, 1_500)
        .map((target) => get(target))
        .join(''),
    );
    expect(answersOf(text)).toEqual(accepted);
    expect(served).toEqual(accepted);
    expect(text.match(/Connection: close/g)).toHaveLength(1);
    expect(text.slice(text.lastIndexOf('HTTP/1.1'))).toContain('Connection: close');
    // Node created one more request, which ended the connection.
    expect(created).toEqual({ requests: accepted.length + 1, responses: accepted.length });
  });

  it('is closed after 66 requests with bodies, instead of 65, if the handler sends the first response synchronously', async () => {
    served = [];
    const atOnce: RequestListener = (request, response) => {
      served.push(request.url ?? '');
      sendJson(response, { status: 401, headers: {}, body: request.url });
    };
    const origin = await start(atOnce);
    const post = (target: string) => `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;
    const { text } = await sendRawHttp(origin, range(0, 500).map(post).join(''));
    // The limit is one higher, because the first response is sent before Node parses the second request.
    const servedAll = range(0, 2 + waitingRequestsMax);
    expect(answersOf(text)).toEqual(servedAll);
    expect(served).toEqual(servedAll);
    expect(created.responses).toBe(servedAll.length);
  });

  it('executes only the first 65 requests of a client that sends requests until the connection is closed', async () => {
    served = [];
    const origin = await start(echo);
    const client = open(origin);
    const closed = closeOf(client);
    const flood = range(0, 2_000)
      .map((target) => get(target))
      .join('');
    const goOn = () => {
      while (client.writable && client.write(flood));
    };
    client.on('drain', goOn).on('connect', goOn).resume();
    await closed;
    expect(served).toEqual(accepted);
    expect(created.requests).toBe(accepted.length + 1);
  });

  const hidden = get('/hidden');
  it.each([
    [
      'a body with Content-Length',
      `POST /more HTTP/1.1\r\nHost: x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    ],
    ['a chunked body', `POST /more HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['a wrong Content-Length', `POST /more HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n${hidden}`],
    [
      'Content-Length and Transfer-Encoding',
      `POST /more HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['Expect: 100-continue', get('/more', 'Expect: 100-continue\r\n') + hidden],
    ['an unknown Expect header', get('/more', 'Expect: more\r\n') + hidden],
    ['an Upgrade header', get('/more', 'Connection: Upgrade\r\nUpgrade: websocket\r\n') + hidden],
    ['CONNECT', `CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`],
    ['garbage', `NONSENSE\r\n\r\n${hidden}`],
  ])('is closed after the execution of the first 65 requests if %s follows them', async (_, last) => {
    served = [];
    const origin = await start(echo);
    const { text } = await sendRawHttp(origin, accepted.map((target) => get(target)).join('') + last);
    expect(answersOf(text).slice(0, accepted.length)).toEqual(accepted);
    expect(served).toEqual(accepted);
  });

  it('gets an ordinary response to an upgrade request, and stays open', async () => {
    served = [];
    const origin = await start(echo);
    const client = open(origin);
    client.write(get('/upgrade', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'));
    await once(client, 'data');
    client.write(get('/next'));
    await once(client, 'data');
    client.destroy();
    expect(served).toEqual(['/upgrade', '/next']);
  });

  it.each([
    ['CONNECT', 'connect', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'too many requests',
      'upgrade',
      range(1, 200)
        .map((target) => get(target))
        .join(''),
    ],
  ])('is closed without a crash if the client resets it after %s made Node stop reading', async (_, event, behind) => {
    const answers: ServerResponse[] = [];
    const origin = await start((_request, response) => answers.push(response));
    const left = once(server, event);
    const client = open(origin);
    client.write(get('/0') + behind);
    const [{ socket }] = (await left) as [IncomingMessage];
    const closed = closeOf(socket);
    client.resetAndDestroy();
    await closeOf(client);
    // Node no longer reads, so only a write detects the reset.
    for (const answer of answers) sendJson(answer, { status: 200, headers: {}, body: largeText });
    await closed;
    expect(answers).toHaveLength(1);
  });
});

describe('a connection with a large response', () => {
  const limits = { unreadMsMax: 60, checkEveryMs: 10 };
  const large: RequestListener = (_request, response) =>
    sendJson(response, { status: 200, headers: {}, body: largeText });

  it.each([
    ['over HTTP', false],
    ['over HTTPS', true],
  ])('is closed when the client does not read, even if the client continues to send (%s)', async (_, isTls) => {
    const origin = await start(large, { limits, isTls });
    const answered = once(server, 'request');
    const port = Number(new URL(origin).port);
    const client = isTls
      ? connectTls({ port, host: '127.0.0.1', ca: tls.certificate, checkServerIdentity: () => undefined })
      : open(origin);
    client.on('error', () => {});
    client.pause();
    client.write(get('/'));
    const trickle = setInterval(() => client.write('X-Slow: x\r\n'), 5);
    const [, response] = (await answered) as [IncomingMessage, ServerResponse];
    await once(response, 'close');
    clearInterval(trickle);
    client.destroy();
    expect(response.writableFinished).toBe(false);
  });

  it('is closed if unread responses of all connections exceed the memory limit; the connection that stalled first is closed first', async () => {
    const generous = { unreadMsMax: 3_600_000, checkEveryMs: 10, unreadBytesMax: 1.5 * largeText.length };
    const origin = await start(large, { limits: generous });
    const request = async () => {
      const answered = once(server, 'request');
      const client = open(origin);
      client.pause();
      client.write(get('/'));
      const [, response] = (await answered) as [IncomingMessage, ServerResponse];
      return { client, response };
    };
    const first = await request();
    const second = await request();
    await once(first.response, 'close');
    second.client.resume();
    await once(second.response, 'close');
    expect([first.response.writableFinished, second.response.writableFinished]).toEqual([false, true]);
  });

  it('delivers the whole response to a client that reads', async () => {
    const body = { data: `${'ä€😀 '.repeat(40_000)}end` };
    const origin = await start((_request, response) => sendJson(response, { status: 200, headers: {}, body }));
    expect(await (await fetch(origin)).json()).toEqual(body);
    const head = await fetch(origin, { method: 'HEAD' });
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(JSON.stringify(body)));
  });
});

describe('a TLS handshake', () => {
  it.each([
    ['never begins', ''],
    ['stops in the middle', '1603010200010001fc0303'],
  ])('that %s makes the server close the connection', async (_, hex) => {
    const origin = await start(() => {}, { limits: { handshakeMsMax: 50 }, isTls: true });
    const client = open(origin);
    if (hex !== '') client.write(Buffer.from(hex, 'hex'));
    await closeOf(client);
    expect(client.bytesRead).toBe(0);
  });
});
