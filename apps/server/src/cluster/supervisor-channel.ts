import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Metric } from '../http/metrics.js';

/** A request to a worker to stop serving. */
export interface DrainRequest {
  /** How long the worker still accepts connections, in milliseconds. */
  readonly drainDelayMs: number;
  /**
   * True if another worker replaces this worker. The readiness checks of this worker then still succeed, because the other worker serves
   * the same address.
   */
  readonly isReplaced: boolean;
}

/** A message from the supervisor to a worker. */
export type ToWorker =
  | { readonly kind: 'drain'; readonly request: DrainRequest }
  | { readonly kind: 'read-metrics'; readonly requestId: number }
  | { readonly kind: 'all-metrics'; readonly requestId: number; readonly page: string | null };

/** A message from a worker to its supervisor. */
export type ToSupervisor =
  | { readonly kind: 'serving'; readonly origin: string }
  | { readonly kind: 'metrics'; readonly requestId: number; readonly metrics: readonly Metric[] }
  | { readonly kind: 'final-metrics'; readonly metrics: readonly Metric[] }
  | { readonly kind: 'read-all-metrics'; readonly requestId: number };

/** The channel from a worker to its supervisor. When the supervisor ends for any reason, Node ends the worker at once. */
export interface SupervisorChannel {
  /** Resolves when the supervisor asks this worker to finish its requests and exit. */
  readonly drainRequested: Promise<DrainRequest>;
  /**
   * Returns the metrics of all workers as text for GET /metrics.
   * @throws Error if the supervisor cannot sum the metrics
   */
  readAllMetrics(): Promise<string>;
  /**
   * Reports that this worker serves. If the supervisor requests metrics before this call, it receives an empty list; afterwards it
   * receives the result of `readMetrics`.
   */
  announceServing(server: { readonly origin: string; readonly readMetrics: () => Promise<readonly Metric[]> }): void;
  /** Sends the final metrics, if any, and disconnects, so that the channel no longer keeps the process running. */
  disconnect(finalMetrics?: readonly Metric[]): Promise<void>;
}

/**
 * Opens the channel to the process that forked this process.
 * @throws Error in a process that was not forked by a supervisor
 */
export function openSupervisorChannel(): SupervisorChannel {
  const { worker } = cluster;
  if (worker === undefined) throw new Error('This process has no supervisor');
  const send = (message: ToSupervisor) =>
    new Promise<void>((resolve) => {
      worker.send(message, () => resolve());
    });
  const pages = new Map<number, (page: string | null) => void>();
  let requestCount = 0;
  let readMetrics = async (): Promise<readonly Metric[]> => [];
  let requestDrain = (_request: DrainRequest) => {};
  const drainRequested = new Promise<DrainRequest>((resolve) => {
    requestDrain = resolve;
  });
  worker.on('message', (message: ToWorker) => {
    if (message.kind === 'drain') {
      requestDrain(message.request);
    } else if (message.kind === 'all-metrics') {
      pages.get(message.requestId)?.(message.page);
      pages.delete(message.requestId);
    } else {
      const { requestId } = message;
      readMetrics().then(
        (metrics) => send({ kind: 'metrics', requestId, metrics }),
        () => {},
      );
    }
  });

  return {
    drainRequested,
    readAllMetrics() {
      requestCount += 1;
      const requestId = requestCount;
      void send({ kind: 'read-all-metrics', requestId });
      return new Promise((resolve, reject) => {
        pages.set(requestId, (page) => {
          if (page === null) reject(new Error('The metrics of the workers could not be added up'));
          else resolve(page);
        });
      });
    },
    announceServing(server) {
      readMetrics = server.readMetrics;
      void send({ kind: 'serving', origin: server.origin });
    },
    async disconnect(finalMetrics) {
      if (finalMetrics !== undefined) await send({ kind: 'final-metrics', metrics: finalMetrics });
      const disconnected = once(worker, 'disconnect');
      worker.disconnect();
      await disconnected;
    },
  };
}
