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
 * The metrics of all workers, for GET /metrics. Counters and histograms of workers that ended stay in the sums: Prometheus takes a
 * decreasing sum for a restart and would count it again. Gauges, such as memory or open requests, are those of the running workers.
 */
export class WorkerMetrics {
  readonly #sources = new Map<number, Source>();
  readonly #sleep: (ms: number) => Promise<void>;
  #finished: readonly Metric[] = [];

  constructor(options: { readonly sleep: (ms: number) => Promise<void> }) {
    this.#sleep = options.sleep;
  }

  /** @param read requests the current metrics of the worker; it may never resolve */
  add(id: number, read: () => Promise<readonly Metric[]>): void {
    this.#sources.set(id, { read, latest: [] });
  }

  /** Stores metrics that a worker sent without a request, as it does before its exit. */
  record(id: number, metrics: readonly Metric[]): void {
    const source = this.#sources.get(id);
    if (source !== undefined) source.latest = metrics;
  }

  /** Removes a worker that has ended. For a killed worker the metrics received last count, which were also reported last. */
  remove(id: number): void {
    const { latest = [] } = this.#sources.get(id) ?? {};
    this.#sources.delete(id);
    this.#finished = sum([this.#finished, cumulative(latest)]).getMetricsAsArray();
  }

  /** Reads the metrics of all workers and renders the sums. For a worker without an answer within a second the last ones count. */
  async render(): Promise<string> {
    const unanswered = new Set<Source>();
    await Promise.all(
      [...this.#sources.values()].map(async (source) => {
        const metrics = await Promise.race([source.read(), this.#sleep(answerMsMax)]).catch(() => undefined);
        if (metrics === undefined) unanswered.add(source);
        else source.latest = metrics;
      }),
    );
    // Summed without another await: a worker that ended during the reads is in #finished by now, and only there.
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
