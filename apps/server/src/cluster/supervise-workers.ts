import type { WorkerProcess } from './fork-worker.js';
import { WorkerPlace } from './worker-slot.js';

/** Workers that serve on one port, and whoever watches over them. */
export interface Supervision {
  /** Where all of them listen. */
  readonly origin: string;
  /**
   * Replaces the workers one after the other, each new one serving before its old one leaves. Where a new one cannot serve,
   * the old ones go on and a line says so. Asked for once more meanwhile, it is done once more afterwards.
   */
  replaceAll(): Promise<void>;
  /** Resolves with what to tell the operator once no worker serves any more and none can be started. */
  untilLost(): Promise<string>;
  /** Ends all of them in order. */
  stop(): Promise<void>;
}

const failedStartsMax = 5;
// Nobody waits for a worker that was replaced, so it has time to let go of connections: most clients send something within
// this, and are told to come by another one.
const patienceMs = 2_000;

/**
 * Starts workers and keeps as many serving. The first one serves before the others start: what keeps it from serving, a
 * taken port say, would keep all of them, and is then told once.
 * @param options.fork starts one
 * @param options.drainDelayMs how long a worker still accepts once it was asked to leave
 * @throws Error where one of the first ends before it serves; none is then left
 */
export async function superviseWorkers(options: {
  readonly count: number;
  readonly fork: () => WorkerProcess;
  readonly pace: { now(): number; sleep(ms: number): Promise<void> };
  readonly drainDelayMs: number;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
}): Promise<Supervision> {
  const { count, fork, pace, drainDelayMs, say, warn } = options;
  let tellLoss = (_reason: string) => {};
  const lost = new Promise<string>((resolve) => {
    tellLoss = resolve;
  });
  const places = Array.from({ length: count }, () => new WorkerPlace({ fork, pace, warn, onFailedStart }));
  let isStopping = false;
  let replacing: Promise<void> | undefined;
  let isAskedAgain = false;

  /** While one of them serves, callers are served: the others are tried for ever. */
  function onFailedStart({ inARow, reason }: { readonly inARow: number; readonly reason: string }): void {
    warn(`${reason}.`);
    if (inARow < failedStartsMax || places.some(({ isServing }) => isServing)) return;
    tellLoss(`No worker process serves any more, and ${inARow} starts in a row have failed.`);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    await Promise.all(places.map((place) => place.stop({ drainDelayMs, isReplaced: false })));
  }

  async function replaceAllOnce(): Promise<void> {
    say('Replacing the worker processes, one after the other.');
    const leave = { drainDelayMs: Math.max(drainDelayMs, patienceMs), isReplaced: true };
    try {
      for (const place of places) await place.replace(leave);
      if (!isStopping) say('All worker processes are replaced.');
    } catch (error) {
      if (isStopping) return;
      warn(`${(error as Error).message}. The others go on; mend what it says and send SIGHUP again.`);
      say('Not all worker processes are replaced.');
    }
  }

  async function replaceAll(): Promise<void> {
    do {
      isAskedAgain = false;
      await replaceAllOnce();
    } while (isAskedAgain && !isStopping);
    replacing = undefined;
  }

  const [first, ...others] = places as [WorkerPlace, ...WorkerPlace[]];
  try {
    const origin = await first.start();
    await Promise.all(others.map((place) => place.start()));
    return {
      origin,
      replaceAll() {
        isAskedAgain = true;
        replacing ??= replaceAll();
        return replacing;
      },
      untilLost: () => lost,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
