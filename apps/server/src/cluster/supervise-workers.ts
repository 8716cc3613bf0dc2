import type { WorkerProcess } from './fork-worker.js';
import { type Clock, type SlotDependencies, WorkerSlot } from './worker-slot.js';

/** Workers that serve on one port, and their supervisor. */
export interface Supervision {
  /** The origin that all workers serve. */
  readonly origin: string;
  /**
   * Replaces the workers one at a time. Each old worker is drained after its replacement has begun to serve. If a replacement cannot serve,
   * the remaining old workers continue and a warning is printed. A call while workers are being replaced causes all workers to be
   * replaced once more afterwards.
   */
  replaceAll(): Promise<void>;
  /** Resolves with a message for the operator if no worker serves and none can be started. */
  waitForFailure(): Promise<string>;
  /** Drains and stops all workers. */
  stop(): Promise<void>;
}

const failedStartsMax = 5;
// The minimum time for which a replaced worker still accepts connections. Most clients with an open connection send a request within this
// time, and the response asks them to reconnect. Clients do not notice the delay, because the other workers serve meanwhile.
const replacedDrainMsMin = 2_000;

/**
 * Starts `count` workers and keeps this number of workers serving. The other workers start after the first worker has begun to serve, so
 * that an error such as a port in use is reported only once.
 * @param options.fork starts a worker process
 * @param options.drainDelayMs how long a worker still accepts connections after the supervisor asks it to stop, in milliseconds
 * @throws Error if a worker ends before it serves; the other workers are then stopped
 */
export async function superviseWorkers(options: {
  readonly count: number;
  readonly fork: () => WorkerProcess;
  readonly clock: Clock;
  readonly drainDelayMs: number;
  readonly report: (line: string) => void;
  readonly warn: (line: string) => void;
}): Promise<Supervision> {
  const { count, fork, clock, drainDelayMs, report, warn } = options;
  let resolveFailure = (_message: string) => {};
  const failure = new Promise<string>((resolve) => {
    resolveFailure = resolve;
  });
  const slots = Array.from({ length: count }, () => new WorkerSlot({ fork, clock, warn, onFailedStart }));
  let isStopping = false;
  let replacing: Promise<void> | undefined;
  let isRequestedAgain = false;

  /** Prints a warning. After {@link failedStartsMax} failed starts in a row, also reports a failure if no worker serves. */
  function onFailedStart({ failuresInARow, reason }: Parameters<SlotDependencies['onFailedStart']>[0]): void {
    warn(`${reason}.`);
    if (failuresInARow < failedStartsMax || slots.some(({ isServing }) => isServing)) return;
    resolveFailure(`No worker process is running, and the last ${failuresInARow} starts have failed.`);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    await Promise.all(slots.map((slot) => slot.stop({ drainDelayMs, isReplaced: false })));
  }

  async function replaceAllOnce(): Promise<void> {
    report('Replacing the worker processes, one after the other.');
    const request = { drainDelayMs: Math.max(drainDelayMs, replacedDrainMsMin), isReplaced: true };
    try {
      for (const slot of slots) await slot.replace(request);
      if (!isStopping) report('All worker processes are replaced.');
    } catch (error) {
      if (isStopping) return;
      warn(`${(error as Error).message}. The other workers continue. Remove the cause and send SIGHUP again.`);
      report('Some worker processes were not replaced.');
    }
  }

  async function replaceAll(): Promise<void> {
    do {
      isRequestedAgain = false;
      await replaceAllOnce();
    } while (isRequestedAgain && !isStopping);
    replacing = undefined;
  }

  const [first, ...others] = slots as [WorkerSlot, ...WorkerSlot[]];
  try {
    const origin = await first.start();
    await Promise.all(others.map((slot) => slot.start()));
    return {
      origin,
      replaceAll() {
        isRequestedAgain = true;
        replacing ??= replaceAll();
        return replacing;
      },
      waitForFailure: () => failure,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
