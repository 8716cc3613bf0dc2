import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { clientFault, closeWithFault, expectationFault, tunnelFault } from './connection-faults.js';
import { errorAnswer } from './error-answer.js';
import { sendJson } from './send-json.js';

/** The socket's side of the server: time limits against slow clients, and an envelope for what never becomes a request. */
export function createHttpServer(
  listener: RequestListener,
  tls: { readonly certificate: Buffer; readonly key: Buffer } | null,
): Server {
  const options = {
    // Node looks for late requests only as often as this; its default of 30 s would make the limits below 30 s late.
    connectionsCheckingInterval: 1_000,
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    // Longer than the idle time of the usual load balancers, which otherwise meet a closed connection.
    keepAliveTimeout: 75_000,
    maxHeaderSize: 16_384,
    // Node's own refusal has no envelope; the listener asks for the header instead.
    requireHostHeader: false,
  };
  const latest = new WeakMap<Duplex, ServerResponse>();
  const remember = (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, response);
    listener(request, response);
  };
  const server =
    tls === null
      ? createServer(options, remember)
      : createTlsServer({ ...options, cert: tls.certificate, key: tls.key }, remember);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const fault = clientFault(error.code);
    const underWay = latest.get(socket);
    // What came before the garbage is still answered, and first: its client must not take the refusal for the answer.
    if (underWay === undefined || underWay.writableFinished) closeWithFault(socket, fault);
    else underWay.once('finish', () => closeWithFault(socket, fault));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => closeWithFault(socket, tunnelFault()));
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const requestId = crypto.randomUUID();
    response.setHeader('X-Request-Id', requestId);
    sendJson(response, errorAnswer(expectationFault(), requestId));
  });
  return server;
}
