// `node tools/run.mjs bench deliveries`: measures the delivery of webhooks. The results of a whole run go to
// docs/benchmarks.json and docs/performance.md. No result makes it fail.
import { parseArgs } from 'node:util';
import { measure, writeFigures } from './measure.mjs';
import { placeDeliveries, renderDeliveries } from './render-deliveries.mjs';

const usage =
  'Usage: node tools/run.mjs bench deliveries [--backlog 2000] [--writes 100] [--idle 10000] [--seconds 30]';

/**
 * Runs the measurement. The apps must be built.
 * @param options.parameters options of a short run; if there are any, nothing is written
 * @returns whether it completed
 */
export async function runDeliveries({ root, parameters }) {
  const wishes = readDeliveriesWishes(parameters);
  if (wishes === undefined) {
    process.stderr.write(`${usage}\n`);
    return false;
  }
  const environment = {
    CENTAVO_DELIVERIES_BACKLOG: wishes.backlog,
    CENTAVO_DELIVERIES_WRITES: wishes.writes,
    CENTAVO_DELIVERIES_IDLE: wishes.idle,
    CENTAVO_BENCH_SECONDS: wishes.seconds,
  };
  const deliveries = await measure({ root, project: 'deliveries', environment });
  if (deliveries === undefined) return false;
  process.stdout.write(`\n${renderDeliveries(deliveries)}`);
  if (parameters.length === 0) {
    writeFigures({
      root,
      place: (page) => placeDeliveries(page, renderDeliveries(deliveries)),
      change: (report) => ({ ...report, deliveries }),
    });
  }
  return true;
}

/** Returns the options, or undefined if they are invalid. */
export function readDeliveriesWishes(parameters) {
  const options = {
    backlog: { type: 'string', default: '2000' },
    writes: { type: 'string', default: '100' },
    idle: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '30' },
  };
  try {
    const { values } = parseArgs({ args: parameters, options });
    return Object.values(values).every((value) => /^[1-9]\d{0,5}$/.test(value)) ? { ...values } : undefined;
  } catch {
    return undefined;
  }
}
