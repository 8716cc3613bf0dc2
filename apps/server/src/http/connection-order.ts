import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../api-error.js';
import { closeWithFault } from './connection-faults.js';
import { breakBody } from './request.js';

/** The maximum number of requests that wait on a connection while an earlier request is served. */
export const waitingRequestsMax = 64;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The turn of the event loop in which the request arrived. */
  readonly turn: number;
  isOver: boolean;
}

interface Connection {
  latest: Exchange;
  /** The number of requests without a finished response: the request that is served, and the waiting requests. */
  unanswered: number;
}

/**
 * Serves the requests of each connection one after the other. Node itself would start a pipelined request at once. If a response
 * ended the connection, Node would still run the next request and discard its response.
 * @source RFC 9112, sections 9.3.2 and 9.6
 */
export class ConnectionOrder {
  readonly #connections = new WeakMap<Duplex, Connection>();
  readonly #ending = new WeakSet<Duplex>();
  #turn = 0;
  #isTurnCounted = false;

  /**
   * Serves a request when the response to the previous request is finished, unless that response ended the connection. Requests
   * that arrive together are served in separate turns of the event loop, so that other connections are served in between.
   */
  serveInOrder(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const { socket } = request;
    // A request beyond the maximum arrives here only if Node has ignored the property `upgrade` that `limitWaitingRequests` defines.
    if (this.#isFull(socket)) {
      socket.destroy();
      return;
    }
    const turn = this.#countTurn();
    const begin = () => {
      if (socket.writable) serve();
    };
    const latest = { request, response, turn, isOver: false };
    const connection = this.#connections.get(socket) ?? { latest, unanswered: 0 };
    const previous = connection.latest;
    connection.latest = latest;
    connection.unanswered += 1;
    this.#connections.set(socket, connection);
    response.once('close', () => {
      latest.isOver = true;
      connection.unanswered -= 1;
    });
    const isFirstRequest = previous === latest;
    if (isFirstRequest || (previous.isOver && previous.turn !== turn)) begin();
    else afterExchange(previous, () => setImmediate(begin));
  }

  /**
   * Makes Node stop parsing at the first request beyond {@link waitingRequestsMax}. Pausing the socket is not enough, because
   * Node creates an object for each request in the data that it has read (thousands in 64 KiB) before it checks the socket again. But
   * Node checks the `upgrade` property of each request. If that property is true, Node stops parsing and emits the event `upgrade`.
   * @param messageClass the class of the server's requests; its prototype is changed
   */
  limitWaitingRequests(messageClass: typeof IncomingMessage): void {
    const refused = new WeakSet<IncomingMessage>();
    const isFull = (socket: Duplex) => this.#isFull(socket);
    Object.defineProperty(messageClass.prototype, 'upgrade', {
      get(this: IncomingMessage) {
        return this.method === 'CONNECT' || refused.has(this);
      },
      // Node sets `upgrade` before `serveInOrder` counts the request, and reads `upgrade` afterwards. In the getter, the count would
      // already include this request, so the last request within the limit would be refused. Therefore the setter checks the limit. The
      // getter checks for CONNECT, because `method` is not set yet when Node sets `upgrade`.
      set(this: IncomingMessage) {
        if (isFull(this.socket)) refused.add(this);
      },
    });
  }

  /**
   * Ends a connection after the responses to its accepted requests. The last response has `Connection: close`, unless its headers were
   * already sent.
   */
  endAfterLatest(socket: Duplex): void {
    this.#ending.add(socket);
    const latest = this.#connections.get(socket)?.latest;
    if (latest !== undefined && !latest.response.headersSent) latest.response.setHeader('Connection', 'close');
    this.#afterLatest(socket, () => socket.destroy());
  }

  /**
   * Reports a fault to the client and ends the connection, because the next bytes of the connection are not a request that the server can
   * handle. Sends the responses to earlier requests first, so that the client does not mistake the error for one of these responses.
   */
  endWithFault(socket: Duplex, fault: ApiError): void {
    // Node reports the fault again each time that more data arrives.
    if (this.#ending.has(socket)) return;
    const latest = this.#connections.get(socket)?.latest;
    if (latest !== undefined && !latest.request.complete) {
      // The fault is in the body of the latest request. The response to that request reports the fault, unless the response was sent
      // earlier.
      breakBody(latest.request, fault);
      this.endAfterLatest(socket);
      return;
    }
    this.#ending.add(socket);
    this.#afterLatest(socket, () => closeWithFault(socket, fault));
  }

  #isFull(socket: Duplex): boolean {
    return (this.#connections.get(socket)?.unanswered ?? 0) > waitingRequestsMax;
  }

  #afterLatest(socket: Duplex, act: () => void): void {
    const latest = this.#connections.get(socket)?.latest;
    if (latest === undefined) act();
    else afterExchange(latest, act);
  }

  /** Returns the number of the current turn of the event loop. Counts only turns in which a request arrives. */
  #countTurn(): number {
    if (!this.#isTurnCounted) {
      this.#isTurnCounted = true;
      setImmediate(() => {
        this.#isTurnCounted = false;
        this.#turn += 1;
      });
    }
    return this.#turn;
  }
}

function afterExchange({ isOver, response }: Exchange, act: () => void): void {
  if (isOver) act();
  else response.once('close', act);
}
