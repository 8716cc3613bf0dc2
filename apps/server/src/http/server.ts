import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { MessageClasses } from '../optimizations/message-classes.js';
import { clientFault, expectationFault, tunnelFault } from './connection-faults.js';
import { ConnectionOrder } from './connection-order.js';
import { errorAnswer, sendJson } from './response.js';
import { readSendQueues, StalledConnections, type UnreadLimits } from './stalled-connections.js';

/** The limits for requests that arrive slowly and for responses that clients do not read. Times are in milliseconds. */
export interface ConnectionLimits extends UnreadLimits {
  readonly handshakeMsMax: number;
  /** The time for the headers of a request. */
  readonly headMsMax: number;
  /** The time for a whole request: headers and body. */
  readonly wholeMsMax: number;
  /** The interval of the checks for late requests and unread responses. */
  readonly checkEveryMs: number;
}

const defaultLimits: ConnectionLimits = {
  handshakeMsMax: 10_000,
  headMsMax: 10_000,
  wholeMsMax: 15_000,
  unreadMsMax: 30_000,
  unreadBytesMax: 256 * 1024 * 1024,
  // By default Node checks only every 30 s, and so would enforce the limits up to 30 s late.
  checkEveryMs: 1_000,
};

/**
 * Creates the HTTP or HTTPS server. It limits clients that send or read slowly, and serves the requests of a connection one after
 * the other. It answers malformed and incomplete requests with an error envelope.
 */
export function createHttpServer(
  {
    listener,
    messageClasses,
  }: {
    readonly listener: RequestListener;
    /** The classes that replace Node's `IncomingMessage` and `ServerResponse`. */
    readonly messageClasses: MessageClasses;
  },
  connection: {
    readonly tls: { readonly certificate: Buffer; readonly key: Buffer } | null;
    /** Missing limits have default values. */
    readonly limits?: Partial<ConnectionLimits> | undefined;
  },
): Server {
  const { tls } = connection;
  const limits = { ...defaultLimits, ...connection.limits };
  const options = {
    ...messageClasses,
    connectionsCheckingInterval: limits.checkEveryMs,
    headersTimeout: limits.headMsMax,
    requestTimeout: limits.wholeMsMax,
    // Longer than the idle timeout of common load balancers, which would otherwise send requests to a closed connection.
    keepAliveTimeout: 75_000,
    maxHeaderSize: 16_384,
    // Node's own refusal of a missing Host header has no error envelope, so the app checks the header.
    requireHostHeader: false,
  };
  const order = new ConnectionOrder();
  // A client may send further requests before it gets the first response. Their number is limited on each connection.
  order.limitWaitingRequests(messageClasses.IncomingMessage);
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    order.serveInOrder(request, response, () => listener(request, response));
  const server =
    tls === null
      ? createServer(options, serve)
      : createTlsServer(
          { ...options, cert: tls.certificate, key: tls.key, handshakeTimeout: limits.handshakeMsMax },
          serve,
        );
  // By default Node silently drops headers after the 1000th, for example a second Idempotency-Key. With the value 0, the number of headers
  // is not limited, only their total size.
  server.maxHeadersCount = 0;
  // A client may close its sending side after the request. By default Node would then end the connection, and the client would never get
  // the response to a request that was executed. Node's types lack the property `httpAllowHalfOpen`.
  Object.assign(server, { httpAllowHalfOpen: true });
  endStalledConnections(server, { limits, isTls: tls !== null });
  // No envelope can be sent before the TLS handshake is complete; an attempt would leave the connection open.
  server.prependListener('tlsClientError', (_error: Error, socket: Duplex) => socket.destroy());
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else order.endWithFault(socket, clientFault(error.code));
  });
  // Node removes its listeners from the socket before it emits `connect` or `upgrade`. Without a new `error` listener, a reset by the
  // client would end the process.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {});
    order.endWithFault(socket, tunnelFault());
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    socket.on('error', () => {});
    order.endAfterLatest(socket);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    order.serveInOrder(request, response, () => {
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
