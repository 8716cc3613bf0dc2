// `node tools/run.mjs bench growth`: measures the same requests with small and large amounts of data. A run without
// options writes its results to docs/benchmarks.json and docs/performance.md. Slow results do not make the command fail.
import { measureSection, parseParameters } from './measure.mjs';
import { placeGrowth, renderGrowth } from './render-growth.mjs';

const usage = `Usage: node tools/run.mjs bench growth [--movements 10000,1000000,10000000] [--trackers 10000] [--rounds 11] [--seconds 1]
--movements takes one to five increasing sizes of at least 10000. --trackers 0 omits the trackers of other users.`;

/**
 * Runs the measurement. The apps must be built.
 * @param options.parameters options such as `--movements`; with any of them, the results are printed but not written
 * @returns whether the run completed
 */
export async function runGrowth({ root, parameters }) {
  const chosen = readGrowthOptions(parameters);
  if (chosen === undefined) {
    process.stderr.write(`${usage}\n`);
    return false;
  }
  const environment = {
    CENTAVO_GROWTH_MOVEMENTS: chosen.movements,
    CENTAVO_GROWTH_TRACKERS: chosen.trackers,
    CENTAVO_BENCH_ROUNDS: chosen.rounds,
    CENTAVO_BENCH_SECONDS: chosen.seconds,
  };
  return measureSection({
    root,
    project: 'growth',
    environment,
    isWritten: parameters.length === 0,
    render: renderGrowth,
    place: placeGrowth,
  });
}

/** Returns the options, or undefined if they are invalid. */
export function readGrowthOptions(parameters) {
  const options = {
    movements: { type: 'string', default: '10000,1000000,10000000' },
    trackers: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '1' },
  };
  const { values } = parseParameters(parameters, { options }) ?? {};
  if (values === undefined) return undefined;
  const sizes = values.movements.split(',').map(Number);
  const isValid =
    sizes.length <= 5 &&
    sizes.every((size, index) => Number.isInteger(size) && size > (sizes[index - 1] ?? 9_999)) &&
    /^(0|[1-9]\d{0,5})$/.test(values.trackers) &&
    [values.rounds, values.seconds].every((value) => /^[1-9]\d{0,3}$/.test(value));
  return isValid ? { ...values } : undefined;
}
