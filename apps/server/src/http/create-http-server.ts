import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { clientFault, expectationFault, tunnelFault } from './connection-faults.js';
import { ConnectionOrder } from './connection-order.js';
import { errorAnswer } from './error-answer.js';
import type { Messages } from './express-messages.js';
import { sendJson } from './send-json.js';

/** How long a request may take to arrive; milliseconds. */
export interface ArrivalLimits {
  readonly headMsMax: number;
  readonly wholeMsMax: number;
  /** How often late requests are looked for. */
  readonly checkEveryMs: number;
}

// Node would look every 30 s, and the limits be so much late.
const usualLimits: ArrivalLimits = { headMsMax: 10_000, wholeMsMax: 15_000, checkEveryMs: 1_000 };

/**
 * The socket's side of the server: time limits against slow clients, and an envelope for what never becomes a request, or
 * not a whole one.
 */
export function createHttpServer(
  { listener, messages }: { readonly listener: RequestListener; readonly messages: Messages },
  connection: {
    readonly tls: { readonly certificate: Buffer; readonly key: Buffer } | null;
    readonly arrivalLimits?: ArrivalLimits | undefined;
  },
): Server {
  const { tls, arrivalLimits: limits = usualLimits } = connection;
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
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    order.serveInTurn(request, response, () => listener(request, response));
  const server =
    tls === null
      ? createServer(options, serve)
      : createTlsServer({ ...options, cert: tls.certificate, key: tls.key }, serve);
  // Node drops headers beyond the 2000th without a word, a second Idempotency-Key among them. Their size is limited anyway.
  server.maxHeadersCount = 0;
  // A client may say that it is done once it has asked. Node would end the connection there: the request is carried out, and
  // nobody is told. The types do not know the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else order.endWithFault(socket, clientFault(error.code));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => order.endWithFault(socket, tunnelFault()));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    order.serveInTurn(request, response, () => {
      const requestId = crypto.randomUUID();
      response.setHeader('X-Request-Id', requestId);
      sendJson(response, errorAnswer(expectationFault(), requestId));
    });
  });
  return server;
}
