import type { Leave, WorkerProcess } from '../src/cluster/fork-worker.js';
import { type Supervision, superviseWorkers } from '../src/cluster/supervise-workers.js';

/** The origin that every fake worker reports. */
export const origin = 'http://127.0.0.1:8080';

/** Starts a supervision of fake workers. The test controls the workers and the clock, and reads the log lines. */
export function superviseFakeWorkers(
  options: { count?: number; drainDelayMs?: number; untilPauseIsOver?: Promise<void> } = {},
) {
  const puppets: FakeWorker[] = [];
  const said: string[] = [];
  const pauses: number[] = [];
  let nowMs = 0;
  const begun = superviseWorkers({
    count: options.count ?? 3,
    drainDelayMs: options.drainDelayMs ?? 0,
    fork() {
      const puppet = new FakeWorker(puppets.length + 1);
      puppets.push(puppet);
      return puppet;
    },
    pace: {
      now: () => nowMs,
      sleep: async (ms) => {
        pauses.push(ms);
        nowMs += ms;
        await options.untilPauseIsOver;
      },
    },
    say: (line) => said.push(line),
    warn: (line) => said.push(line),
  });
  begun.catch(() => {});
  const puppet = (pid: number) => puppets[pid - 1] as FakeWorker;
  return {
    puppets,
    puppet,
    said,
    pauses,
    begun,
    letPass: (ms: number) => {
      nowMs += ms;
    },
    /** Reports every first worker as serving. */
    async open(): Promise<Supervision> {
      puppet(1).serve();
      await settle();
      for (const one of puppets) one.serve();
      return begun;
    },
  };
}

/** Resolves when all pending promise callbacks have run. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A worker process that the test controls. */
export class FakeWorker implements WorkerProcess {
  readonly pid: number;
  readonly serving: Promise<string>;
  readonly ended: Promise<string>;
  readonly asked: string[] = [];
  serve = () => {};
  end = (_how: string) => {};

  constructor(pid: number) {
    this.pid = pid;
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    this.serving = new Promise((resolve, reject) => {
      this.serve = () => resolve(origin);
      void this.ended.then((how) => reject(new Error(`The worker process ${pid} ended with ${how} before it served`)));
    });
    this.serving.catch(() => {});
  }

  drain({ drainDelayMs, isReplaced }: Leave): void {
    this.asked.push(`${isReplaced ? 'be replaced in' : 'drain'} ${drainDelayMs}`);
  }

  giveUp(): void {
    this.asked.push('give up');
    this.end('SIGTERM');
  }
}
