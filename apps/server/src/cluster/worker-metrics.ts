import { AggregatorRegistry } from 'prom-client';
import type { Metric } from '../http/metrics.js';

const answerMsMax = 1_000;

/** A worker whose metrics can be read. */
interface Source {
  readonly read: () => Promise<readonly Metric[]>;
  /** The metrics that were received last. */
  latest: readonly Metric[];
}

/**
 * The metrics of all workers, for GET /metrics. The sums include the counters and histograms of ended workers. Otherwise a sum would
 * decrease when a worker ends, and Prometheus would treat the decrease as a restart and count the whole sum again. Gauges, such as memory
 * or requests in progress, include only the running workers that answer in time.
 */
export class WorkerMetrics {
  readonly #sources = new Map<number, Source>();
  readonly #sleep: (ms: number) => Promise<void>;
  /** The sums of the counters and histograms of ended workers. */
  #finished: readonly Metric[] = [];

  constructor(options: { readonly sleep: (ms: number) => Promise<void> }) {
    this.#sleep = options.sleep;
  }

  /**
   * Adds a worker.
   * @param read requests the current metrics of the worker; its promise stays pending if the worker does not answer
   */
  add(id: number, read: () => Promise<readonly Metric[]>): void {
    this.#sources.set(id, { read, latest: [] });
  }

  /** Stores metrics that a worker sent without a request, for example before its exit. */
  record(id: number, metrics: readonly Metric[]): void {
    const source = this.#sources.get(id);
    if (source !== undefined) source.latest = metrics;
  }

  /** Removes a worker that has ended. The sums still include the counters and histograms that it sent last. */
  remove(id: number): void {
    const { latest = [] } = this.#sources.get(id) ?? {};
    this.#sources.delete(id);
    this.#finished = sum([this.#finished, cumulative(latest)]).getMetricsAsArray();
  }

  /**
   * Reads the metrics of all workers and renders the sums. If a worker does not answer within a second, the sums include its last
   * counters and histograms.
   */
  async render(): Promise<string> {
    const unanswered = new Set<Source>();
    await Promise.all(
      [...this.#sources.values()].map(async (source) => {
        const metrics = await Promise.race([source.read(), this.#sleep(answerMsMax)]).catch(() => undefined);
        if (metrics === undefined) unanswered.add(source);
        else source.latest = metrics;
      }),
    );
    // A worker that ended during the reads is now only in #finished. Do not add an await below: a worker that ended during this
    // await would be counted twice.
    const running = [...this.#sources.values()].map((source) =>
      unanswered.has(source) ? cumulative(source.latest) : source.latest,
    );
    return sum([...running, this.#finished]).metrics();
  }
}

function sum(metrics: readonly (readonly Metric[])[]) {
  return AggregatorRegistry.aggregate(metrics.map((one) => [...one]));
}

function cumulative(metrics: readonly Metric[]): readonly Metric[] {
  return metrics.filter(({ type }) => type === 'counter' || type === 'histogram');
}
