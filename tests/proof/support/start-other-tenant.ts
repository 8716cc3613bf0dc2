import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { until } from '../../acceptance/support/until.js';

/** The results of the other tenant since the last report. */
export interface TenantReport {
  readonly answers: number;
  /** Responses other than successes, and requests without a response. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A tenant that sends requests in its own thread during the load of others. */
export interface OtherTenant {
  /** Waits for a number of further responses. @throws Error if they do not arrive in time */
  waitForAnswers(answers: number): Promise<void>;
  /** Returns the results since the last report. */
  report(): TenantReport;
  stop(): Promise<void>;
}

/** Starts the thread. */
export function startOtherTenant(tenant: {
  readonly origins: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly accountId: string;
}): OtherTenant {
  const worker = new Worker(new URL('./other-tenant.mjs', import.meta.url), { workerData: tenant });
  let seen: { status: number; ms: number }[] = [];
  let count = 0;
  worker.on('message', (answer) => {
    seen.push(answer);
    count += 1;
  });
  return {
    async waitForAnswers(answers) {
      const wanted = count + answers;
      await until(`the other tenant has ${answers} more answers`, () => count >= wanted);
    },
    report() {
      const times = seen.map(({ ms }) => ms).sort((one, other) => one - other);
      const quantile = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(1));
      const failures = seen.filter(({ status }) => status < 200 || status >= 300).length;
      seen = [];
      return { answers: times.length, failures, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
    },
    async stop() {
      const isGone = once(worker, 'exit');
      worker.postMessage('stop');
      await isGone;
    },
  };
}
