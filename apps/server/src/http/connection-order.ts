import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../api-error.js';
import { breakBody } from './broken-body.js';
import { closeWithFault } from './connection-faults.js';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  isOver: boolean;
}

/**
 * The requests of each connection, one after the other. Node begins one that is pipelined behind another at once; behind an
 * answer that ends the connection it would be carried out and never answered. Source: RFC 9112, sections 9.3.2 and 9.6
 */
export class ConnectionOrder {
  readonly #latest = new WeakMap<Duplex, Exchange>();
  readonly #broken = new WeakSet<Duplex>();

  /** Serves a request once the one before it is answered; never, when that answer ended the connection. */
  serveInTurn(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const { socket } = request;
    const exchange = { request, response, isOver: false };
    response.once('close', () => {
      exchange.isOver = true;
    });
    this.#afterLatest(socket, () => {
      if (socket.writable) serve();
    });
    this.#latest.set(socket, exchange);
  }

  /**
   * Ends a connection whose next bytes are no request, or only the beginning of one. What came before is still answered, and
   * first: its client must not take the refusal for the answer.
   */
  endWithFault(socket: Duplex, fault: ApiError): void {
    // Node tells of the fault again with all that still arrives.
    if (this.#broken.has(socket)) return;
    this.#broken.add(socket);
    const latest = this.#latest.get(socket);
    if (latest === undefined || latest.request.complete) {
      this.#afterLatest(socket, () => closeWithFault(socket, fault));
      return;
    }
    // It is the body of the latest request that broke. Its own answer tells so, unless it had one before its body was whole.
    if (!latest.response.headersSent) latest.response.setHeader('Connection', 'close');
    breakBody(latest.request, fault);
    this.#afterLatest(socket, () => socket.destroy());
  }

  #afterLatest(socket: Duplex, act: () => void): void {
    const latest = this.#latest.get(socket);
    if (latest === undefined || latest.isOver) act();
    else latest.response.once('close', act);
  }
}
