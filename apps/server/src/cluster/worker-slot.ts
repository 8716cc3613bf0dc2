import type { Leave, WorkerProcess } from './fork-worker.js';

/** What the places of one supervisor have in common. */
export interface Surroundings {
  readonly fork: () => WorkerProcess;
  readonly pace: { now(): number; sleep(ms: number): Promise<void> };
  /** Told what an operator may want to know, a line each. */
  readonly warn: (line: string) => void;
  /** Told of each start that failed; whether that is the end of all is not a place's affair. */
  readonly onFailedStart: (failure: { readonly inARow: number; readonly reason: string }) => void;
}

/**
 * A place for one worker. When its worker ends unasked another one takes the place, and on request a new one takes it from
 * the old. One thing at a time happens to a place.
 */
export class WorkerPlace {
  readonly #surroundings: Surroundings;
  readonly #alive = new Set<WorkerProcess>();
  #starting: WorkerProcess | undefined;
  #worker: { readonly process: WorkerProcess; readonly sinceMs: number } | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isOver = false;
  #earlyEnds = 0;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  get isServing(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Starts a worker, and watches over it from when it serves.
   * @returns where it listens
   * @throws Error where it ends before it serves
   */
  async start(): Promise<string> {
    const process = this.#surroundings.fork();
    this.#alive.add(process);
    this.#starting = process;
    const ended = process.ended.then((how) => {
      this.#alive.delete(process);
      return how;
    });
    const origin = await process.serving.finally(() => {
      this.#starting = undefined;
    });
    const worker = { process, sinceMs: this.#surroundings.pace.now() };
    this.#worker = worker;
    void ended.then((how) => {
      const livedMs = this.#surroundings.pace.now() - worker.sinceMs;
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#earlyEnds = livedMs < steadyMs ? this.#earlyEnds + 1 : 0;
      void this.#inTurn(() => this.#startAgain(`The worker process ${process.pid} ended with ${how}`));
    });
    return origin;
  }

  /**
   * Lets a new worker take the place: the old one is asked to leave once the new one serves, so that there is always one.
   * @throws Error where the new one ends before it serves; the old one then goes on
   */
  async replace(leave: Leave): Promise<void> {
    const old = await this.#inTurn(async () => {
      if (this.#isOver) return undefined;
      const before = this.#worker?.process;
      await this.start();
      before?.drain(leave);
      return before;
    });
    await old?.ended;
  }

  /** Ends whatever runs here, in order. */
  async stop(leave: Leave): Promise<void> {
    this.#isOver = true;
    // One that was replaced is leaving already.
    this.#worker?.process.drain(leave);
    this.#starting?.giveUp();
    await Promise.all([...this.#alive].map(({ ended }) => ended));
  }

  async #startAgain(reason: string): Promise<void> {
    const { pace, warn, onFailedStart } = this.#surroundings;
    if (this.#isOver || this.#worker !== undefined) return;
    warn(`${reason}; another one takes its place.`);
    for (let failures = 1; ; failures += 1) {
      const pauseMs = restartPauseMs(this.#earlyEnds);
      if (pauseMs > 0) await pace.sleep(pauseMs);
      if (this.#isOver) return;
      try {
        await this.start();
        return;
      } catch (error) {
        if (this.#isOver) return;
        this.#earlyEnds += 1;
        onFailedStart({ inARow: failures, reason: (error as Error).message });
      }
    }
  }

  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const acted = this.#turn.then(act);
    this.#turn = acted.catch(() => {});
    return acted;
  }
}

const firstPauseMs = 100;
const pauseMsMax = 5_000;

/** So long has one to serve for its end to be a matter of its own, and not the next of a row. Milliseconds. */
export const steadyMs = 10_000;

/**
 * How long to wait before a worker is started again, in milliseconds: not at all after one that served for a while, and each
 * time twice as long where one after the other ends at once, so that what keeps them from serving is not made worse.
 * @param earlyEnds how many in a row ended before they had served for {@link steadyMs}
 */
export function restartPauseMs(earlyEnds: number): number {
  return earlyEnds === 0 ? 0 : Math.min(firstPauseMs * 2 ** (earlyEnds - 1), pauseMsMax);
}
