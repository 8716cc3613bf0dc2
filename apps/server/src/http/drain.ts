import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ArraySet } from '../optimizations/array-set.js';

/**
 * Stops a server. For `drainDelayMs` the server still accepts connections, and each response ends its connection, so that load balancers
 * and clients move to other servers. Idle connections stay open during this time, because closing them would race with new requests. Then
 * the server closes idle connections, accepts no new connection, and lets the requests in progress finish. After another `finishMsMax` it
 * closes all connections.
 */
export async function drainHttpServer(options: {
  readonly server: Server;
  readonly responses: ResponsesUnderWay;
  readonly drainDelayMs: number;
  readonly finishMsMax: number;
}): Promise<void> {
  const { server } = options;
  options.responses.endConnections();
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

/**
 * The responses that are not finished. When the server stops, each of these responses closes its connection, unless its headers are already
 * sent. Every later response also closes its connection. Otherwise a kept-alive connection would delay the stop until its idle timeout.
 */
export class ResponsesUnderWay {
  readonly #followed = new ArraySet<ServerResponse>();
  #isEnding = false;

  /** Tracks a response until it is closed. */
  follow(response: ServerResponse): void {
    this.#followed.add(response);
    response.once('close', () => this.#followed.delete(response));
    if (this.#isEnding) endConnectionAfter(response);
  }

  /** Makes every response close its connection from now on, unless its headers are already sent. */
  endConnections(): void {
    this.#isEnding = true;
    for (const response of this.#followed) endConnectionAfter(response);
  }
}

function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
