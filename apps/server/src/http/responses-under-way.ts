import type { ServerResponse } from 'node:http';

/**
 * The answers that are not finished yet. When the server stops, each of them, and each that still comes, tells its client
 * to leave the connection: a connection kept alive would hold the server until its idle time is over.
 */
export class ResponsesUnderWay {
  readonly #responses = new Set<ServerResponse>();
  #isLeaving = false;

  /** Follows an answer from its request to its end. */
  follow(response: ServerResponse): void {
    this.#responses.add(response);
    response.once('close', () => this.#responses.delete(response));
    if (this.#isLeaving) askToLeave(response);
  }

  /** From now on every answer that has not begun ends its connection. */
  leaveConnections(): void {
    this.#isLeaving = true;
    for (const response of this.#responses) askToLeave(response);
  }
}

function askToLeave(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
