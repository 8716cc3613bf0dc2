import { describe, expect, it } from 'vitest';
import { type GrowthReport, type GrowthStage, placeGrowth, renderGrowth } from '../../../tools/render-growth.mjs';
import { readGrowthOptions } from '../../../tools/run-growth.mjs';

const spread = (median: number) => ({ median, lowerQuartile: median - 0.1, upperQuartile: median + 0.2 });
const resultWith = (p50Ms: number) => ({
  perSecond: 1_000,
  p50Ms,
  p99Ms: 9,
  processorUs: { server: 400, postgres: p50Ms * 100, client: 30 },
  perSecondOfRounds: [1_000],
});
const figures = (p50Ms: number, connections: number, smallMs: number) => ({
  workload: 'W2',
  connections,
  ...resultWith(p50Ms),
  small: resultWith(smallMs),
  ratios: { p50: spread(smallMs === p50Ms ? 1 : 1.21), processor: spread(smallMs === p50Ms ? 1 : 1.08) },
});
const stage = (size: { movements: number; trackers: number }, p50Ms: number, smallMs = p50Ms): GrowthStage => ({
  ...size,
  books: 'Checked 16 balances and 0 transfers: 0 contradictions.',
  checkSeconds: 1.5,
  figures: [figures(p50Ms, 1, smallMs), figures(p50Ms, 16, smallMs)],
});
const report: GrowthReport = {
  startedAt: '2026-03-01T12:00:00.000Z',
  commit: 'ed963af',
  machine: { processor: 'A processor', cores: 2, memoryGb: 8, system: 'linux x64', node: '20.20.2', load: 0.25 },
  postgres: '18.4',
  rounds: 3,
  secondsOfRound: 3,
  idleMb: 90,
  keysPerUser: 10,
  depth: [stage({ movements: 10_000, trackers: 1 }, 2), stage({ movements: 1_000_000, trackers: 1 }, 3, 2.5)],
  breadth: [stage({ movements: 10_000, trackers: 1 }, 2), stage({ movements: 10_000, trackers: 10_001 }, 2)],
};
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| GET'));

describe('the report of growth', () => {
  it('has the duration and CPU time of a request for each data size, and the ratios between the largest and a small tracker', () => {
    const row =
      '| GET /movements, newest 50 of an account | 2.00 · 600 | 3.00 · 700 | 1.21 (1.11–1.41) | 1.08 (0.98–1.28) |';
    expect(rowsOf(renderGrowth(report)).slice(0, 2)).toEqual([row, row]);
    expect(renderGrowth(report)).toContain('|  | 10,000 movements | 1,000,000 movements |');
  });

  it('has the results for a tracker beside 10,000 trackers of other users, if the run measured them', () => {
    expect(renderGrowth(report)).toContain('beside 10,000 trackers of other users with 100,000 API keys');
    expect(renderGrowth(report)).toContain('|  | 1 tracker | 10,001 trackers |');
    expect(renderGrowth({ ...report, breadth: [] })).not.toContain('beside');
  });

  it('has the duration and the result of the balance check for each size, and the memory of an idle server', () => {
    expect(renderGrowth(report)).toContain(
      '1,000,000 movements, 1 tracker: `centavo-server check` took 1.5 s. Checked',
    );
    expect(renderGrowth(report)).toContain('used 90 MB');
  });

  it('shows a dash instead of the CPU time and its ratio if the CPU time is unknown', () => {
    const unknown = { server: null, postgres: null, client: 30 };
    const depth = report.depth.map((size) => ({
      ...size,
      figures: size.figures.map((figure) => ({
        ...figure,
        processorUs: unknown,
        ratios: { p50: spread(1.21), processor: null },
      })),
    }));
    expect(rowsOf(renderGrowth({ ...report, depth }))[0]).toContain('| 2.00 · – | 3.00 · – | 1.21 (1.11–1.41) | – |');
  });

  it('replaces its own section of the results page, and leaves the rest unchanged', () => {
    const page = [
      'What people wrote.',
      '<!-- figures: end -->',
      '<!-- growth: `node tools/run.mjs bench growth` writes the lines from here to the end mark -->',
      'old',
      '<!-- growth: end -->',
    ].join('\n');
    expect(placeGrowth(page, 'new')).toBe(page.replace('old', '\nnew\n'));
  });
});

describe('the parameters of `bench growth`', () => {
  it('select the complete run if none is given', () => {
    const whole = { movements: '10000,1000000,10000000', trackers: '10000', rounds: '11', seconds: '1' };
    expect(readGrowthOptions([])).toEqual(whole);
  });

  it('select the sizes and the number of rounds that they name', () => {
    expect(readGrowthOptions(['--movements', '10000,20000', '--trackers', '0', '--rounds', '1'])).toEqual({
      movements: '10000,20000',
      trackers: '0',
      rounds: '1',
      seconds: '1',
    });
  });

  it.each([
    [['--movements', '100']],
    [['--movements', '20000,10000']],
    [['--movements', '10000,,30000']],
    [['--movements', 'many']],
    [['--trackers', 'few']],
    [['--rounds', '0']],
    [['W1']],
  ])('are refused if they are %j', (parameters) => {
    expect(readGrowthOptions(parameters)).toBeUndefined();
  });
});
