import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Messages } from './app.js';
import { clientFault, expectationFault, tunnelFault } from './connection-faults.js';
import { ConnectionOrder } from './connection-order.js';
import { errorAnswer, sendJson } from './response.js';
import { readSendQueues, StalledConnections, type UnreadLimits } from './stalled-connections.js';

/** How long a request may take to arrive, and how long its answer may wait to be read; milliseconds. */
export interface ConnectionLimits extends UnreadLimits {
  readonly handshakeMsMax: number;
  readonly headMsMax: number;
  readonly wholeMsMax: number;
  /** How often late requests and unread answers are looked for. */
  readonly checkEveryMs: number;
}

const usualLimits: ConnectionLimits = {
  handshakeMsMax: 10_000,
  headMsMax: 10_000,
  wholeMsMax: 15_000,
  unreadMsMax: 30_000,
  unreadBytesMax: 256 * 1024 * 1024,
  // Node would look every 30 s, and enforce the limits that much later.
  checkEveryMs: 1_000,
};

/**
 * Creates the server on its sockets: limits against clients that send or read slowly, requests of a connection one after the
 * other, and an envelope for bytes that never become a whole request.
 */
export function createHttpServer(
  { listener, messages }: { readonly listener: RequestListener; readonly messages: Messages },
  connection: {
    readonly tls: { readonly certificate: Buffer; readonly key: Buffer } | null;
    /** Those that are missing are the usual ones. */
    readonly limits?: Partial<ConnectionLimits> | undefined;
  },
): Server {
  const { tls } = connection;
  const limits = { ...usualLimits, ...connection.limits };
  const options = {
    ...messages,
    connectionsCheckingInterval: limits.checkEveryMs,
    headersTimeout: limits.headMsMax,
    requestTimeout: limits.wholeMsMax,
    // Longer than the idle time of the usual load balancers, which otherwise meet a closed connection.
    keepAliveTimeout: 75_000,
    maxHeaderSize: 16_384,
    // Node's own refusal has no envelope; the listener asks for the header instead.
    requireHostHeader: false,
  };
  const order = new ConnectionOrder();
  order.refuseBeyondBound(messages.IncomingMessage);
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    order.serveInTurn(request, response, () => listener(request, response));
  const server =
    tls === null
      ? createServer(options, serve)
      : createTlsServer(
          { ...options, cert: tls.certificate, key: tls.key, handshakeTimeout: limits.handshakeMsMax },
          serve,
        );
  // Node drops headers beyond the 2000th without a word, a second Idempotency-Key among them. Their size is limited anyway.
  server.maxHeadersCount = 0;
  // A client may say that it is done once it has asked. Node would end the connection there: the request is carried out, and
  // nobody is told. The types do not know the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  endStalledConnections(server, { limits, isTls: tls !== null });
  // An envelope cannot be sent before the handshake is done; the connection would stay open with it for ever.
  server.prependListener('tlsClientError', (_error: Error, socket: Duplex) => socket.destroy());
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else order.endWithFault(socket, clientFault(error.code));
  });
  // With these two events Node takes its listeners off the socket. Without another one, a reset by the client would end the
  // process.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {});
    order.endWithFault(socket, tunnelFault());
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    socket.on('error', () => {});
    order.endAfterLatest(socket);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    order.serveInTurn(request, response, () => {
      const requestId = crypto.randomUUID();
      response.setHeader('X-Request-Id', requestId);
      sendJson(response, errorAnswer(expectationFault(), requestId));
    });
  });
  return server;
}

function endStalledConnections(
  server: Server,
  { limits, isTls }: { readonly limits: ConnectionLimits; readonly isTls: boolean },
): void {
  const stalled = new StalledConnections({ limits, nowMs: () => performance.now(), readSendQueues });
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => stalled.follow(socket));
  const timer = setInterval(() => void stalled.endStalled(), limits.checkEveryMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
