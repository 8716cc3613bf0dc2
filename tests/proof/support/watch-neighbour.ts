import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { until } from '../../acceptance/support/until.js';

/** What a neighbour went through since it was last asked about. */
export interface Experience {
  readonly answers: number;
  /** Answers that are no success, and requests without one. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A tenant that goes on asking in a thread of its own, while others make a storm. */
export interface Neighbour {
  /** Waits for so many more answers. @throws Error when they do not come: it starves */
  hasHad(answers: number): Promise<void>;
  /** What it went through since it was last asked about. */
  report(): Experience;
  leave(): Promise<void>;
}

/** Lets a neighbour move in. */
export function watchNeighbour(about: {
  readonly origins: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly accountId: string;
}): Neighbour {
  const worker = new Worker(new URL('./neighbour.mjs', import.meta.url), { workerData: about });
  let seen: { status: number; ms: number }[] = [];
  let count = 0;
  worker.on('message', (answer) => {
    seen.push(answer);
    count += 1;
  });
  return {
    async hasHad(answers) {
      const wanted = count + answers;
      await until(`the neighbour has had ${answers} more answers`, () => count >= wanted);
    },
    report() {
      const times = seen.map(({ ms }) => ms).sort((one, other) => one - other);
      const quantile = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(1));
      const failures = seen.filter(({ status }) => status < 200 || status >= 300).length;
      seen = [];
      return { answers: times.length, failures, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
    },
    async leave() {
      const isGone = once(worker, 'exit');
      worker.postMessage('leave');
      await isGone;
    },
  };
}
