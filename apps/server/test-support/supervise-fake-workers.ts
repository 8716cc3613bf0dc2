import type { WorkerProcess } from '../src/cluster/fork-worker.js';
import { type Supervision, superviseWorkers } from '../src/cluster/supervise-workers.js';
import type { DrainRequest } from '../src/cluster/supervisor-channel.js';

/** The origin of all fake workers. */
export const origin = 'http://127.0.0.1:8080';

/** Supervises fake workers with a fake clock, and records the output of the supervisor. */
export function superviseFakeWorkers(
  options: {
    count?: number;
    drainDelayMs?: number;
    /** Each back-off ends only after this promise is resolved. */
    sleepUntil?: Promise<void>;
  } = {},
) {
  const workers: FakeWorker[] = [];
  const output: string[] = [];
  const backoffs: number[] = [];
  let nowMs = 0;
  const supervision = superviseWorkers({
    count: options.count ?? 3,
    drainDelayMs: options.drainDelayMs ?? 0,
    fork() {
      const worker = new FakeWorker(workers.length + 1);
      workers.push(worker);
      return worker;
    },
    clock: {
      now: () => nowMs,
      sleep: async (ms) => {
        backoffs.push(ms);
        nowMs += ms;
        await options.sleepUntil;
      },
    },
    report: (line) => output.push(line),
    warn: (line) => output.push(line),
  });
  supervision.catch(() => {});
  const worker = (pid: number) => workers[pid - 1] as FakeWorker;
  return {
    workers,
    worker,
    output,
    backoffs,
    supervision,
    advance: (ms: number) => {
      nowMs += ms;
    },
    /**
     * Simulates a start without errors: the first worker begins to serve, the supervisor starts the other workers, and then these
     * workers begin to serve.
     */
    async open(): Promise<Supervision> {
      worker(1).serve();
      await settle();
      for (const each of workers) each.serve();
      return supervision;
    },
  };
}

/** Resolves after all pending promise callbacks have run. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A worker that the test controls. */
export class FakeWorker implements WorkerProcess {
  readonly pid: number;
  readonly serving: Promise<string>;
  readonly exited: Promise<string>;
  readonly requests: string[] = [];
  serve = () => {};
  exit = (_reason: string) => {};

  constructor(pid: number) {
    this.pid = pid;
    this.exited = new Promise((resolve) => {
      this.exit = resolve;
    });
    this.serving = new Promise((resolve, reject) => {
      this.serve = () => resolve(origin);
      void this.exited.then((reason) =>
        reject(new Error(`The worker process ${pid} ended with ${reason} before it served`)),
      );
    });
    this.serving.catch(() => {});
  }

  drain({ drainDelayMs, isReplaced }: DrainRequest): void {
    this.requests.push(`${isReplaced ? 'drain after replacement' : 'drain'} ${drainDelayMs}`);
  }

  cancelStart(): void {
    this.requests.push('cancel start');
    this.exit('SIGTERM');
  }
}
