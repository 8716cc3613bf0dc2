import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponsesUnderWay } from './responses-under-way.js';

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
