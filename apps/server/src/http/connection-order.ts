import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../api-error.js';
import { closeWithFault } from './connection-faults.js';
import { breakBody } from './request.js';

/** How many requests may wait on a connection behind the one that is served. */
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
  /** Requests without a finished answer: the one that is served, and those that wait. */
  unanswered: number;
}

/**
 * Serves the requests of each connection one after the other. Node begins a pipelined request at once. If an
 * answer ends the connection, Node still runs the request behind it and loses its answer.
 * @source RFC 9112, sections 9.3.2 and 9.6
 */
export class ConnectionOrder {
  readonly #connections = new WeakMap<Duplex, Connection>();
  readonly #ending = new WeakSet<Duplex>();
  #turn = 0;
  #isTurnCounted = false;

  /**
   * Serves a request once the one before it is answered; never, when that answer ended the connection. Of several requests
   * that arrive at once each has a turn of the event loop, so that other connections are served in between.
   */
  serveInTurn(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const { socket } = request;
    // This happens only if Node ignores the `upgrade` property defined below.
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
    if (previous === latest || (previous.isOver && previous.turn !== turn)) begin();
    else afterExchange(previous, () => setImmediate(begin));
  }

  /**
   * Makes Node stop parsing in front of a request for which a connection has no room. Pausing the socket would not do: Node
   * creates the objects of all requests of a chunk (thousands in 64 KiB) before it looks at the socket again, and keeps them
   * until their turn. It does look at the `upgrade` of each request, and hands the connection over by the event `upgrade`.
   * @param messageClass the class of the server's requests; its prototype is changed
   */
  refuseBeyondBound(messageClass: typeof IncomingMessage): void {
    const refused = new WeakSet<IncomingMessage>();
    const isFull = (socket: Duplex) => this.#isFull(socket);
    Object.defineProperty(messageClass.prototype, 'upgrade', {
      get(this: IncomingMessage) {
        return this.method === 'CONNECT' || refused.has(this);
      },
      // Node sets it for each request, before it has the method, and reads it again when the room may be used up.
      set(this: IncomingMessage) {
        if (isFull(this.socket)) refused.add(this);
      },
    });
  }

  /** Ends a connection once the requests that were accepted are answered; the last answer announces it. */
  endAfterLatest(socket: Duplex): void {
    this.#ending.add(socket);
    const latest = this.#connections.get(socket)?.latest;
    if (latest !== undefined && !latest.response.headersSent) latest.response.setHeader('Connection', 'close');
    this.#afterLatest(socket, () => socket.destroy());
  }

  /**
   * Ends a connection whose next bytes are no request, or only the beginning of one. What came before is still answered, and
   * first: its client must not take the refusal for the answer.
   */
  endWithFault(socket: Duplex, fault: ApiError): void {
    // Node reports the fault again for each later chunk.
    if (this.#ending.has(socket)) return;
    const latest = this.#connections.get(socket)?.latest;
    if (latest !== undefined && !latest.request.complete) {
      // It is the body of the latest request that broke. Its own answer tells so, unless it had one before its body was whole.
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
