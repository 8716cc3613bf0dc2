import { describe, expect, it } from 'vitest';
import { type BenchReport, formatReport, placeFigures, renderBench } from '../../tools/render-bench.mjs';
import { readBenchOptions } from '../../tools/run-bench.mjs';

const centavo = {
  perSecond: 1_893,
  p50Ms: 8.4,
  p99Ms: 15.25,
  processorUs: { server: 480, postgres: 350, client: 41 },
  perSecondOfRounds: [1_893, 1_790, 1_950],
};
const reference = {
  perSecond: 4_507,
  p50Ms: 3.5,
  p99Ms: 7,
  processorUs: { server: null, postgres: 300, client: null },
  perSecondOfRounds: [4_507, 4_400, 4_600],
};
const report: BenchReport = {
  startedAt: '2026-03-01T12:00:00.000Z',
  commit: 'ed963af',
  machine: { processor: 'A processor', cores: 2, memoryGb: 8, system: 'linux x64', node: '20.20.2', load: 0.25 },
  postgres: '18.4',
  pgbench: '15.18',
  connections: 16,
  movements: 100_000,
  rounds: 3,
  secondsOfRound: 5,
  workloads: [{ id: 'W1', title: 'POST /movements', centavo, reference, ratio: 0.42 }],
  imported: {
    rows: 100_000,
    seconds: 61.5,
    rowsPerSecond: 1_626,
    peakMemoryMb: 170,
    referencePerSecond: [5_000, 5_840],
    ratio: 0.3,
  },
  books: 'Checked 20 balances and 0 transfers: 0 contradictions.',
};
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| W'));
const inOneLine = (text: string) => text.replaceAll('\n', ' ');

describe('the report of a benchmark', () => {
  it('has the rates, p50, p99, the ratio, the CPU time of a request and the rounds for each workload', () => {
    expect(rowsOf(renderBench(report))).toEqual([
      '| W1 | POST /movements | 1,893 | 8.40 | 15.25 | 4,507 | 3.50 | 7.00 | 0.42 |',
      '| W1 | 480 | 350 | 300 | 41 |',
      '| W1 | 1,893 · 1,790 · 1,950 | 4,507 · 4,400 · 4,600 |',
    ]);
  });

  it('has the time of the run, the machine, and the load of the machine before the run', () => {
    const text = inOneLine(renderBench(report));
    expect(text).toContain(
      'This run of ed963af began on 2026-03-01 12:00 UTC. The machine was A processor with 2 cores and 8 GB, linux x64, Node 20.20.2',
    );
    expect(inOneLine(renderBench({ ...report, commit: null }))).toContain('This run began on 2026-03-01 12:00 UTC.');
    expect(text).toContain('PostgreSQL 18.4. The load average of the minute before the run was 0.25.');
    expect(text).toContain(
      'The tracker had 100,000 movements at the beginning. The values are medians of 3 rounds of 5 s each. pgbench 15.18 ran',
    );
  });

  it('has the duration of an import, its ratio to pgbench, and the result of the balance check', () => {
    expect(inOneLine(renderBench(report))).toContain(
      '100,000 rows, without rate limits, took 61.5 s: 1,626 rows a second',
    );
    expect(inOneLine(renderBench(report))).toContain(
      '5,000 a second before the import and 5,840 after it. The ratio is 0.30.',
    );
    const alone = { rows: 1, seconds: 1, rowsPerSecond: 1, peakMemoryMb: 1, referencePerSecond: null, ratio: null };
    expect(renderBench({ ...report, imported: alone })).not.toContain('pgbench inserted');
    expect(renderBench(report)).toContain('Checked 20 balances and 0 transfers: 0 contradictions.');
    expect(renderBench({ ...report, imported: null })).not.toContain('import');
  });

  it('has only the results of Centavo, and gives the reason, if pgbench is not installed', () => {
    const alone = { ...report, pgbench: null, workloads: [{ ...report.workloads[0], reference: null, ratio: null }] };
    const text = renderBench(alone as BenchReport);
    expect(rowsOf(text)[0]).toBe('| W1 | POST /movements | 1,893 | 8.40 | 15.25 | – | – | – | – |');
    expect(inOneLine(text)).toContain('pgbench was not installed, so there is no reference');
  });
});

describe('the report of a run', () => {
  it('is valid JSON, with all rounds of a workload on one line', () => {
    expect(JSON.parse(formatReport(report))).toEqual(report);
    expect(formatReport(report)).toContain('"perSecondOfRounds": [1893, 1790, 1950]\n');
    expect(formatReport(report)).toMatch(/\}\n$/);
  });
});

describe('the page of results', () => {
  const page = `# Performance

What people wrote above.

<!-- figures: \`node tools/run.mjs bench\` writes the lines from here to the end mark -->

old figures

<!-- figures: end -->

What people wrote below.
`;

  it('gets new results in place of the old ones, and keeps the text above and below them', () => {
    expect(placeFigures(page, 'new figures\n')).toBe(page.replace('old figures', 'new figures'));
  });

  it('is rejected if it lacks both marks of the results section, or only the end mark', () => {
    expect(() => placeFigures('# Performance\n', 'new figures')).toThrow('needs these two lines');
    expect(() => placeFigures(page.replace('figures: end', 'end'), 'new figures')).toThrow('needs these two lines');
  });
});

describe('the parameters of `bench`', () => {
  it('select the complete run of all workloads if none is given', () => {
    expect(readBenchOptions([])).toEqual({ workloads: [], rounds: '5', seconds: '5', rows: '100000' });
  });

  it('select some workloads, or a short run', () => {
    expect(readBenchOptions(['W1', 'W8', '--rounds', '1', '--seconds', '2', '--rows', '500'])).toEqual({
      workloads: ['W1', 'W8'],
      rounds: '1',
      seconds: '2',
      rows: '500',
    });
  });

  it.each([[['W9']], [['--rounds', '0']], [['--seconds', 'few']], [['--fast']], [['--rounds']]])(
    'are refused if they are %j',
    (parameters) => {
      expect(readBenchOptions(parameters)).toBeUndefined();
    },
  );
});
