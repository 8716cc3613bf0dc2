import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { faults } from './support/database-faults/faults.js';
import { fullCluster } from './support/database-faults/full-cluster.js';
import { proveFault } from './support/database-faults/prove-fault.js';
import type { FaultTarget } from './support/database-faults/run-under-fault.js';
import { cannotMount, mountSmallDisk } from './support/database-faults/small-disk.js';
import { startFaultTarget } from './support/database-faults/start-fault-target.js';
import { proofMsMax } from './support/proof-record.js';

const sandbox = openSandbox();
let target: FaultTarget;

beforeAll(async () => {
  target = await startFaultTarget(sandbox, sandbox.newDataDir());
});
afterAll(() => target?.environment.proxy.close());

it.each(faults.map((fault) => [fault.name, fault] as const))(
  'the server responds to all requests while %s, and afterwards executes each write once',
  async (_, fault) => expectProven(await proveFault(fault, target)),
  proofMsMax,
);

it(
  'the server responds to all requests while the disk of the cluster is full, and afterwards executes each write once',
  async () => {
    const disk = mountSmallDisk(sandbox.newDataDir(), { megabytes: 256 });
    if (disk === undefined) return expectProven(cannotMount);
    const targetOnDisk = await startFaultTarget(sandbox, disk.folder);
    try {
      expectProven(await proveFault(fullCluster(disk), targetOnDisk));
    } finally {
      await targetOnDisk.environment.proxy.close();
      await targetOnDisk.environment.postgres.stop();
      disk.remove();
    }
  },
  proofMsMax,
);

function expectProven(proven: Awaited<ReturnType<typeof proveFault>>): void {
  if (typeof proven === 'string') {
    process.stderr.write(`Skipped a fault of the database: ${proven}.\n`);
    return;
  }
  // If no response is a 503, the fault was not injected.
  expect(proven.injected.answered503).toBeGreaterThan(0);
  expect(Object.entries(proven.violations).filter(([, times]) => times > 0)).toEqual([]);
}
