// `node tools/run.mjs bench deliveries`: measures the delivery of webhooks. A run without options writes its
// results to docs/benchmarks.json and docs/performance.md. Slow results do not make the command fail.
import { measureSection, parseParameters } from './measure.mjs';
import { placeDeliveries, renderDeliveries } from './render-deliveries.mjs';

const usage =
  'Usage: node tools/run.mjs bench deliveries [--backlog 2000] [--writes 100] [--idle 10000] [--seconds 30]';

/**
 * Runs the measurement. The apps must be built.
 * @param options.parameters options such as `--backlog`; with any of them, the results are printed but not written
 * @returns whether the run completed
 */
export async function runDeliveries({ root, parameters }) {
  const chosen = readDeliveriesOptions(parameters);
  if (chosen === undefined) {
    process.stderr.write(`${usage}\n`);
    return false;
  }
  const environment = {
    CENTAVO_DELIVERIES_BACKLOG: chosen.backlog,
    CENTAVO_DELIVERIES_WRITES: chosen.writes,
    CENTAVO_DELIVERIES_IDLE: chosen.idle,
    CENTAVO_BENCH_SECONDS: chosen.seconds,
  };
  return measureSection({
    root,
    project: 'deliveries',
    environment,
    isWritten: parameters.length === 0,
    render: renderDeliveries,
    place: placeDeliveries,
  });
}

/** Returns the options, or undefined if they are invalid. */
export function readDeliveriesOptions(parameters) {
  const options = {
    backlog: { type: 'string', default: '2000' },
    writes: { type: 'string', default: '100' },
    idle: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '30' },
  };
  const { values } = parseParameters(parameters, { options }) ?? {};
  if (values === undefined) return undefined;
  return Object.values(values).every((value) => /^[1-9]\d{0,5}$/.test(value)) ? { ...values } : undefined;
}
