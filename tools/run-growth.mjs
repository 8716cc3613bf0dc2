// `node tools/run.mjs bench growth`: measures the same requests with small and with large data. The results of a whole
// run go to docs/benchmarks.json and docs/performance.md. No result makes it fail.
import { parseArgs } from 'node:util';
import { measure, writeFigures } from './measure.mjs';
import { placeGrowth, renderGrowth } from './render-growth.mjs';

const usage = `Usage: node tools/run.mjs bench growth [--movements 10000,1000000,10000000] [--trackers 10000] [--rounds 11] [--seconds 1]
--movements takes one to five sizes, from 10000 on, each larger than the one before; --trackers 0 leaves the others out.`;

/**
 * Runs the measurement. The apps must be built.
 * @param options.parameters sizes, and options of a short run; if there are any, nothing is written
 * @returns whether it completed
 */
export async function runGrowth({ root, parameters }) {
  const wishes = readGrowthWishes(parameters);
  if (wishes === undefined) {
    process.stderr.write(`${usage}\n`);
    return false;
  }
  const environment = {
    CENTAVO_GROWTH_MOVEMENTS: wishes.movements,
    CENTAVO_GROWTH_TRACKERS: wishes.trackers,
    CENTAVO_BENCH_ROUNDS: wishes.rounds,
    CENTAVO_BENCH_SECONDS: wishes.seconds,
  };
  const growth = await measure({ root, project: 'growth', environment });
  if (growth === undefined) return false;
  process.stdout.write(`\n${renderGrowth(growth)}`);
  if (parameters.length === 0) {
    writeFigures({
      root,
      place: (page) => placeGrowth(page, renderGrowth(growth)),
      change: (report) => ({ ...report, growth }),
    });
  }
  return true;
}

/** Returns the options, or undefined if they are invalid. */
export function readGrowthWishes(parameters) {
  const options = {
    movements: { type: 'string', default: '10000,1000000,10000000' },
    trackers: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '1' },
  };
  try {
    const { values } = parseArgs({ args: parameters, options });
    const sizes = values.movements.split(',').map(Number);
    const isUnderstood =
      sizes.length <= 5 &&
      sizes.every((size, index) => Number.isInteger(size) && size > (sizes[index - 1] ?? 9_999)) &&
      /^(0|[1-9]\d{0,5})$/.test(values.trackers) &&
      [values.rounds, values.seconds].every((value) => /^[1-9]\d{0,3}$/.test(value));
    return isUnderstood ? { ...values } : undefined;
  } catch {
    return undefined;
  }
}
