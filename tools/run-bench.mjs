// `node tools/run.mjs bench`: compares the built server with pgbench, and measures the CLI. A run without parameters
// writes its results to docs/benchmarks.json and docs/performance.md. Slow results do not make the command fail.
import { measure, parseParameters, writeFigures } from './measure.mjs';
import { placeFigures, renderBench } from './render-bench.mjs';

export const workloadIds = ['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8'];
const usage = `Usage: node tools/run.mjs bench [${workloadIds.join('|')}]… [--rounds 5] [--seconds 5] [--rows 100000]
       node tools/run.mjs bench growth, or bench deliveries, which have other options`;
const pgbenchRemedy =
  'pgbench is missing, so there are no ratios. On Debian it comes with PostgreSQL: apt-get install postgresql';

/**
 * Runs the benchmark. The apps must be built.
 * @param options.parameters names of workloads, and options such as `--rounds`; with any of them, the results are printed but not
 * written
 * @returns whether the run completed
 */
export async function runBench({ root, parameters }) {
  const chosen = readBenchOptions(parameters);
  if (chosen === undefined) {
    process.stderr.write(`${usage}\n`);
    return false;
  }
  const environment = {
    CENTAVO_BENCH_CHOSEN: chosen.workloads.join(' '),
    CENTAVO_BENCH_ROUNDS: chosen.rounds,
    CENTAVO_BENCH_SECONDS: chosen.seconds,
    CENTAVO_BENCH_ROWS: chosen.rows,
  };
  const report = await measure({ root, project: 'bench', environment });
  if (report === undefined) return false;
  if (report.pgbench === null) process.stderr.write(`${pgbenchRemedy}\n`);
  process.stdout.write(`\n${renderBench(report)}`);
  if (parameters.length === 0) {
    writeFigures({
      root,
      place: (page) => placeFigures(page, renderBench(report)),
      // Growth and deliveries are measured separately, so their earlier results stay.
      change: ({ growth, deliveries }) => ({ ...report, growth, deliveries }),
    });
  }
  return true;
}

/** Returns the options, or undefined if they are invalid. */
export function readBenchOptions(parameters) {
  const options = {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    rows: { type: 'string', default: '100000' },
  };
  const parsed = parseParameters(parameters, { options, allowPositionals: true });
  if (parsed === undefined) return undefined;
  const { values, positionals } = parsed;
  const isValid =
    Object.values(values).every((value) => /^[1-9]\d{0,6}$/.test(value)) &&
    positionals.every((name) => workloadIds.includes(name));
  return isValid ? { ...values, workloads: positionals } : undefined;
}
