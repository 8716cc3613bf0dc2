import type { WorkerProcess } from './fork-worker.js';
import type { DrainRequest } from './supervisor-channel.js';

/** A clock in milliseconds, and a function that waits. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The dependencies that every {@link WorkerSlot} of one supervisor shares. */
export interface SlotDependencies {
  readonly fork: () => WorkerProcess;
  readonly clock: Clock;
  /** Receives warnings for the operator, one line each. */
  readonly warn: (line: string) => void;
  /** Called after each failed restart. The supervisor decides whether to give up. */
  readonly onFailedStart: (failure: { readonly failuresInARow: number; readonly reason: string }) => void;
}

/**
 * A slot keeps one worker running. It starts a new worker if its worker exits unexpectedly, and replaces its worker on request. The
 * restarts and replacements of one slot run one at a time.
 */
export class WorkerSlot {
  readonly #dependencies: SlotDependencies;
  readonly #running = new Set<WorkerProcess>();
  #starting: WorkerProcess | undefined;
  #worker: { readonly process: WorkerProcess; readonly sinceMs: number } | undefined;
  #lastOperation: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #earlyExits = 0;

  constructor(dependencies: SlotDependencies) {
    this.#dependencies = dependencies;
  }

  get isServing(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Starts a worker. If the worker exits unexpectedly after it has begun to serve, a new worker is started.
   * @returns the origin that the worker serves
   * @throws Error if the worker ends before it serves
   */
  async start(): Promise<string> {
    const process = this.#dependencies.fork();
    this.#running.add(process);
    this.#starting = process;
    const exited = process.exited.then((reason) => {
      this.#running.delete(process);
      return reason;
    });
    const origin = await process.serving.finally(() => {
      this.#starting = undefined;
    });
    const worker = { process, sinceMs: this.#dependencies.clock.now() };
    this.#worker = worker;
    void exited.then((reason) => {
      const uptimeMs = this.#dependencies.clock.now() - worker.sinceMs;
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#earlyExits = uptimeMs < healthyUptimeMs ? this.#earlyExits + 1 : 0;
      void this.#runNext(() => this.#restart(`The worker process ${process.pid} ended with ${reason}`));
    });
    return origin;
  }

  /**
   * Replaces the worker. The old worker is drained after the new worker has begun to serve, so that one of them always serves.
   * @throws Error if the new worker ends before it serves; the old worker then continues
   */
  async replace(request: DrainRequest): Promise<void> {
    const old = await this.#runNext(async () => {
      if (this.#isStopped) return undefined;
      const before = this.#worker?.process;
      await this.start();
      before?.drain(request);
      return before;
    });
    await old?.exited;
  }

  /** Drains the worker, cancels a start in progress, and waits until all processes of this slot have ended. */
  async stop(request: DrainRequest): Promise<void> {
    this.#isStopped = true;
    // Only the current worker needs this request, because a replaced worker is already draining.
    this.#worker?.process.drain(request);
    this.#starting?.cancelStart();
    await Promise.all([...this.#running].map(({ exited }) => exited));
  }

  async #restart(reason: string): Promise<void> {
    const { clock, warn, onFailedStart } = this.#dependencies;
    if (this.#isStopped || this.#worker !== undefined) return;
    warn(`${reason}; starting another worker.`);
    for (let failures = 1; ; failures += 1) {
      const backoffMs = restartBackoffMs(this.#earlyExits);
      if (backoffMs > 0) await clock.sleep(backoffMs);
      if (this.#isStopped) return;
      try {
        await this.start();
        return;
      } catch (error) {
        if (this.#isStopped) return;
        this.#earlyExits += 1;
        onFailedStart({ failuresInARow: failures, reason: (error as Error).message });
      }
    }
  }

  #runNext<Result>(operation: () => Promise<Result>): Promise<Result> {
    const result = this.#lastOperation.then(operation);
    this.#lastOperation = result.catch(() => {});
    return result;
  }
}

// A worker that ran this long was healthy: its exit resets the back-off.
const healthyUptimeMs = 10_000;
const firstBackoffMs = 100;
const backoffMsMax = 5_000;

/**
 * Returns the delay before a restart in milliseconds: 0 after a healthy worker, and 100 after one early exit. Each further early exit
 * doubles the delay, up to 5 s, so that restarts do not add to an overload.
 * @param earlyExits the number of consecutive workers that failed to start or ended within {@link healthyUptimeMs}
 */
function restartBackoffMs(earlyExits: number): number {
  return earlyExits === 0 ? 0 : Math.min(firstBackoffMs * 2 ** (earlyExits - 1), backoffMsMax);
}
