import cluster, { type Worker } from 'node:cluster';
import type { Metric } from '../http/metrics.js';
import type { DrainRequest, ToSupervisor, ToWorker } from './supervisor-channel.js';
import type { WorkerMetrics } from './worker-metrics.js';

/** A worker process, as its supervisor sees it. All workers share one port. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  /** Resolves with the origin of the API when the worker has begun to serve. Rejects if the worker ends before it serves. */
  readonly serving: Promise<string>;
  /**
   * Resolves with the reason for the worker's exit, such as `exit code 1`, at most a second after the exit. Within this second, the
   * supervisor waits for the last messages of the worker.
   */
  readonly exited: Promise<string>;
  /** Asks a serving worker to finish its requests and exit. Kills a worker that does not exit in time. */
  drain(request: DrainRequest): void;
  /** Ends a worker that does not serve yet. */
  cancelStart(): void;
}

// A worker that is asked to exit still accepts connections during the drain delay. After this delay, it has 20 s to finish its open
// requests, and then 10 s to close its database connections and exit.
const exitMsMax = 30_000;
// How long the supervisor waits for the last messages of a worker that has ended.
const readMsMax = 1_000;

/**
 * Forks this program as a worker with the same arguments. `env` overrides variables of this process's environment. Workers end
 * when this process ends for any reason.
 * @param options.metrics receives the metrics of the worker
 */
export function forkWorker(options: {
  readonly env: Readonly<Record<string, string>>;
  readonly metrics: WorkerMetrics;
}): WorkerProcess {
  const { metrics } = options;
  // With SCHED_NONE, each worker accepts connections from the shared queue of the port. By default, Node accepts all connections in the
  // supervisor and sends them to the workers. A connection that is sent to an ending worker would hang until the client gives up.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const worker = cluster.fork(options.env);
  const { pid } = worker.process;
  const send = (message: ToWorker) => sendTo(worker, message);
  const exited = waitForExit(worker);
  void exited.then(() => metrics.remove(worker.id));

  const answers = new Map<number, (metrics: readonly Metric[]) => void>();
  let requestCount = 0;
  metrics.add(worker.id, () => {
    requestCount += 1;
    const requestId = requestCount;
    send({ kind: 'read-metrics', requestId });
    return new Promise((resolve) => {
      answers.set(requestId, resolve);
    });
  });

  const serving = new Promise<string>((resolve, reject) => {
    worker.on('message', (message: ToSupervisor) => {
      if (message.kind === 'serving') {
        resolve(message.origin);
      } else if (message.kind === 'metrics') {
        answers.get(message.requestId)?.(message.metrics);
        answers.delete(message.requestId);
      } else if (message.kind === 'final-metrics') {
        metrics.record(worker.id, message.metrics);
      } else {
        const { requestId } = message;
        void metrics
          .render()
          .catch(() => null)
          .then((page) => send({ kind: 'all-metrics', requestId, page }));
      }
    });
    void exited.then((reason) => reject(new Error(`The worker process ${pid} ended with ${reason} before it served`)));
  });

  return {
    pid,
    serving,
    exited,
    drain(request) {
      send({ kind: 'drain', request });
      const killTimer = setTimeout(() => worker.process.kill('SIGKILL'), request.drainDelayMs + exitMsMax);
      void exited.then(() => clearTimeout(killTimer));
    },
    // This is a signal and not a message, because a worker that is still starting may not read messages yet.
    cancelStart: () => void worker.process.kill('SIGTERM'),
  };
}

/** Returns the reason for a worker's exit, after all its messages have been read or {@link readMsMax} has passed. */
function waitForExit(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    const disconnected = new Promise<void>((resolveDisconnected) => {
      worker.once('disconnect', resolveDisconnected);
    });
    worker.once('exit', (exitCode, signal) => {
      const reason = signal ?? `exit code ${exitCode}`;
      // The wait is limited, because Node emits no `disconnect` for a worker that was killed while Node sent it the listening socket.
      const timer = setTimeout(() => resolve(reason), readMsMax);
      void disconnected.then(() => {
        clearTimeout(timer);
        resolve(reason);
      });
    });
    // A worker that could not be started emits only the event `error`. This event also reports a failed write to an ending worker.
    // Without a listener for this event, Node would end the supervisor.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) resolve(error.message);
    });
  });
}

/** Sends a message, unless the worker has just ended; its exit is reported separately. */
function sendTo(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
