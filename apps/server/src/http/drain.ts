import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Stops a server without cutting off who is being served. Answers from now on end their connections; for `drainDelayMs` it
 * still accepts, so that balancers and clients leave by themselves: closing at once would race requests on idle
 * connections. Then it takes no new connection and waits for the answers under way, at most `finishMsMax`.
 */
export async function drainHttpServer(options: {
  readonly server: Server;
  readonly responses: ResponsesUnderWay;
  readonly drainDelayMs: number;
  readonly finishMsMax: number;
}): Promise<void> {
  const { server } = options;
  options.responses.leaveConnections();
  if (options.drainDelayMs > 0) await sleep(options.drainDelayMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const deadline = new AbortController();
  const late = sleep(options.finishMsMax, undefined, { signal: deadline.signal, ref: false }).then(
    () => server.closeAllConnections(),
    () => undefined,
  );
  await closed;
  deadline.abort();
  await late;
}

interface Followed {
  readonly response: ServerResponse;
  place: number;
}

/**
 * The answers that are not finished yet. When the server stops, each of them, and each that still comes, tells its client
 * to leave the connection: a connection kept alive would hold the server until its idle time is over.
 */
export class ResponsesUnderWay {
  // No set: what has left it would be freed late (decision 0028).
  readonly #followed: Followed[] = [];
  #isLeaving = false;

  /** Follows an answer from its request to its end. */
  follow(response: ServerResponse): void {
    const followed = { response, place: this.#followed.length };
    this.#followed.push(followed);
    response.once('close', () => this.#forget(followed));
    if (this.#isLeaving) askToLeave(response);
  }

  /** From now on every answer that has not begun ends its connection. */
  leaveConnections(): void {
    this.#isLeaving = true;
    for (const { response } of this.#followed) askToLeave(response);
  }

  /** The last takes its place. */
  #forget({ place }: Followed): void {
    const last = this.#followed.pop();
    if (last === undefined || last.place === place) return;
    last.place = place;
    this.#followed[place] = last;
  }
}

function askToLeave(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
