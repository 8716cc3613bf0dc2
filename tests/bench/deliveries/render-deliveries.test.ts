import { describe, expect, it } from 'vitest';
import { type DeliveriesReport, placeDeliveries, renderDeliveries } from '../../../tools/render-deliveries.mjs';
import { readDeliveriesOptions } from '../../../tools/run-deliveries.mjs';

const report: DeliveriesReport = {
  startedAt: '2026-03-01T12:00:00.000Z',
  commit: 'ed963af',
  machine: { processor: 'A processor', cores: 2, memoryGb: 8, system: 'linux x64', node: '20.20.2', load: 0.25 },
  postgres: '18.4',
  backlog: 2_000,
  writes: 100,
  idleSeconds: 30,
  cases: [
    { title: 'one endpoint', endpoints: 1, perSecond: 1_234, p50Ms: 250.4, p99Ms: 510.6 },
    { title: 'one endpoint beside idle ones', endpoints: 1, perSecond: null, p50Ms: 260, p99Ms: 520 },
  ],
  idleCosts: [
    { endpoints: 0, msInSecond: { server: 5, postgres: 2 } },
    { endpoints: 10_000, msInSecond: { server: null, postgres: null } },
  ],
};
const rowsOf = (text: string) => text.split('\n').filter((line) => /^\| (one|[\d,]+) /.test(line));

describe('the report of deliveries', () => {
  it('has a row for each case and for each number of idle endpoints', () => {
    expect(rowsOf(renderDeliveries(report))).toEqual([
      '| one endpoint | 1,234 | 250 | 511 |',
      '| one endpoint beside idle ones | – | 260 | 520 |',
      '| 0 | 5 | 2 |',
      '| 10,000 | – | – |',
    ]);
  });

  it('replaces its own section of the results page, and leaves the rest unchanged', () => {
    const page = [
      '<!-- growth: end -->',
      '<!-- deliveries: `node tools/run.mjs bench deliveries` writes the lines from here to the end mark -->',
      'old',
      '<!-- deliveries: end -->',
    ].join('\n');
    expect(placeDeliveries(page, 'new')).toBe(page.replace('old', '\nnew\n'));
  });
});

describe('the parameters of `bench deliveries`', () => {
  it('select the complete run if none is given', () => {
    expect(readDeliveriesOptions([])).toEqual({ backlog: '2000', writes: '100', idle: '10000', seconds: '30' });
  });

  it.each([[['--backlog', '0']], [['--idle', 'many']], [['W1']]])('are refused if they are %j', (parameters) => {
    expect(readDeliveriesOptions(parameters)).toBeUndefined();
  });
});
