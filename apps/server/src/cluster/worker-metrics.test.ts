import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { FiguresOfWorkers } from './worker-metrics.js';

/** A worker with one figure of each kind, that answers as over the wire. */
function openWorker() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({ name: 'requests_total', help: 'r', labelNames: ['route'], registers });
  const underWay = new Gauge({ name: 'under_way', help: 'u', registers });
  const seconds = new Histogram({ name: 'seconds', help: 's', buckets: [1], registers });
  const tell = async () => JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()));
  return { requests, underWay, seconds, tell };
}

const neverInTime = async () => {};
const open = (sleep: (ms: number) => Promise<void> = () => new Promise(() => {})) => new FiguresOfWorkers({ sleep });

describe('the page over all workers', () => {
  test('adds up what each of them tells', async () => {
    const figures = open();
    for (const [id, count] of [
      [1, 3],
      [2, 4],
    ] as const) {
      const worker = openWorker();
      worker.requests.inc({ route: '/both' }, count);
      worker.requests.inc({ route: `/only-${id}` }, 1);
      worker.underWay.set(id);
      worker.seconds.observe(0.5);
      figures.join(id, worker.tell);
    }
    const page = await figures.page();
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

  test('does not forget what a worker counted that has ended, one after the other', async () => {
    const figures = open();
    for (const id of [1, 2, 3]) {
      const worker = openWorker();
      worker.requests.inc({ route: '/' }, 10);
      worker.seconds.observe(2);
      worker.underWay.set(5);
      figures.join(id, worker.tell);
      figures.note(id, await worker.tell());
      figures.leave(id);
    }
    figures.join(4, openWorker().tell);
    const page = await figures.page();
    expect(page).toContain('requests_total{route="/"} 30');
    expect(page).toContain('seconds_count 3');
    // What stood for a moment is over.
    expect(page).toContain('under_way 0');
  });

  test('counts of a killed worker what it told last, so that no sum ever falls', async () => {
    const figures = open();
    const worker = openWorker();
    worker.requests.inc({ route: '/' }, 10);
    figures.join(1, worker.tell);
    figures.join(2, openWorker().tell);
    expect(await figures.page()).toContain('requests_total{route="/"} 10');
    worker.requests.inc({ route: '/' }, 1);
    figures.leave(1);
    expect(await figures.page()).toContain('requests_total{route="/"} 10');
  });

  test('is not held up by a worker that does not answer, and goes on counting what that one told before', async () => {
    let sleep = () => new Promise<void>(() => {});
    const figures = open(() => sleep());
    const worker = openWorker();
    worker.requests.inc({ route: '/' }, 10);
    worker.underWay.set(1);
    let tell = worker.tell;
    figures.join(1, () => tell());
    await figures.page();
    tell = () => new Promise(() => {});
    sleep = neverInTime;
    const page = await figures.page();
    expect(page).toContain('requests_total{route="/"} 10');
    expect(page).not.toMatch(/^under_way/m);
  });

  test('counts a worker once that ends while the others are asked', async () => {
    const figures = open();
    const worker = openWorker();
    worker.requests.inc({ route: '/' }, 10);
    figures.join(1, worker.tell);
    figures.join(2, async () => {
      figures.note(1, await worker.tell());
      figures.leave(1);
      return openWorker().tell();
    });
    expect(await figures.page()).toContain('requests_total{route="/"} 10');
  });
});
