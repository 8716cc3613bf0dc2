import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { WorkerMetrics } from './worker-metrics.js';

/** Returns a worker with a counter, a gauge and a histogram. `read` serializes them, as the channel to the supervisor does. */
function openWorker() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({ name: 'requests_total', help: 'r', labelNames: ['route'], registers });
  const underWay = new Gauge({ name: 'under_way', help: 'u', registers });
  const seconds = new Histogram({ name: 'seconds', help: 's', buckets: [1], registers });
  const read = async () => JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()));
  return { requests, underWay, seconds, read };
}

const timesOutAtOnce = async () => {};
const open = (sleep: (ms: number) => Promise<void> = () => new Promise(() => {})) => new WorkerMetrics({ sleep });

describe('the metrics of all workers', () => {
  test('are the sums of the metrics of each worker', async () => {
    const metrics = open();
    for (const [id, count] of [
      [1, 3],
      [2, 4],
    ] as const) {
      const worker = openWorker();
      worker.requests.inc({ route: '/both' }, count);
      worker.requests.inc({ route: `/only-${id}` }, 1);
      worker.underWay.set(id);
      worker.seconds.observe(0.5);
      metrics.add(id, worker.read);
    }
    const page = await metrics.render();
    for (const line of [
      '# TYPE requests_total counter',
      'requests_total{route="/both"} 7',
      'requests_total{route="/only-1"} 1',
      'requests_total{route="/only-2"} 1',
      'under_way 3',
      'seconds_bucket{le="1"} 2',
      'seconds_bucket{le="+Inf"} 2',
      'seconds_count 2',
      'seconds_sum 1',
    ]) {
      expect(page.split('\n')).toContain(line);
    }
  });

  test('include the counters of workers that have exited', async () => {
    const metrics = open();
    for (const id of [1, 2, 3]) {
      const worker = openWorker();
      worker.requests.inc({ route: '/' }, 10);
      worker.seconds.observe(2);
      worker.underWay.set(5);
      metrics.add(id, worker.read);
      metrics.record(id, await worker.read());
      metrics.remove(id);
    }
    metrics.add(4, openWorker().read);
    const page = await metrics.render();
    expect(page).toContain('requests_total{route="/"} 30');
    expect(page).toContain('seconds_count 3');
    // The gauges of ended workers are not in the sum.
    expect(page).toContain('under_way 0');
  });

  test('include the last counters of a killed worker, so that no sum decreases', async () => {
    const metrics = open();
    const worker = openWorker();
    worker.requests.inc({ route: '/' }, 10);
    metrics.add(1, worker.read);
    metrics.add(2, openWorker().read);
    expect(await metrics.render()).toContain('requests_total{route="/"} 10');
    worker.requests.inc({ route: '/' }, 1);
    metrics.remove(1);
    expect(await metrics.render()).toContain('requests_total{route="/"} 10');
  });

  test('include the last counters of a worker that does not answer in time', async () => {
    let sleep = () => new Promise<void>(() => {});
    const metrics = open(() => sleep());
    const worker = openWorker();
    worker.requests.inc({ route: '/' }, 10);
    worker.underWay.set(1);
    let read = worker.read;
    metrics.add(1, () => read());
    await metrics.render();
    read = () => new Promise(() => {});
    sleep = timesOutAtOnce;
    const page = await metrics.render();
    expect(page).toContain('requests_total{route="/"} 10');
    expect(page).not.toMatch(/^under_way/m);
  });

  test('count a worker only once if it exits while the metrics of another worker are read', async () => {
    const metrics = open();
    const worker = openWorker();
    worker.requests.inc({ route: '/' }, 10);
    metrics.add(1, worker.read);
    metrics.add(2, async () => {
      metrics.record(1, await worker.read());
      metrics.remove(1);
      return openWorker().read();
    });
    expect(await metrics.render()).toContain('requests_total{route="/"} 10');
  });
});
