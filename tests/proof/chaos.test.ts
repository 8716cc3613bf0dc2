import { afterAll, beforeAll, expect, it } from 'vitest';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { newChaosResults, sendOneWrite } from './support/chaos-client.js';
import { connectAsOwner } from './support/crash-postgres.js';
import { findViolations } from './support/effects.js';
import { type FleetServer, startFleet } from './support/fleet.js';
import { type FaultRates, injectFaults } from './support/inject-faults.js';
import { newProgress } from './support/progress.js';
import { isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { createTenantsWithAccounts, type TenantWithAccounts } from './support/tenants-with-accounts.js';

// The long run ends at a number of writes or at a time limit. It has so many tenants that no tracker reaches its maximum of 1,000
// budgets. The short run ends at a number of writes, and has more faults for each write.
const goal = isLong
  ? { writes: 150_000, clients: 32, tenants: 50, msMax: 0.92 * proofMsMax }
  : { writes: 1_000, clients: 16, tenants: 8, msMax: Number.POSITIVE_INFINITY };
const rates: FaultRates = isLong
  ? { writesPerKill: 450, writesPerTermination: 50, writesPerCrash: 2_000, lostAnswers: 0.2 }
  : { writesPerKill: 125, writesPerTermination: 10, writesPerCrash: 300, lostAnswers: 0.15 };

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let fleet: readonly [FleetServer, ...FleetServer[]];
let tenants: readonly [TenantWithAccounts, ...TenantWithAccounts[]];

beforeAll(async () => {
  fleet = await startFleet(sandbox, { dataDir, size: 3 });
  tenants = await createTenantsWithAccounts(fleet[0].cutter.origin, goal.tenants);
});
afterAll(() => Promise.all(fleet.map(({ cutter }) => cutter.close())));

it(
  `the server runs each write once while processes are killed, and returns one result to all requests of a write (seed ${proofSeed})`,
  async () => {
    const { connectionString } = await getPostgresOf(dataDir);
    const results = newChaosResults();
    const progress = newProgress();
    const injecting = injectFaults({ seed: proofSeed, rates, fleet, connectionString, progress });
    const endsAt = performance.now() + goal.msMax;
    let started = 0;
    const unresolved: Error[] = [];
    async function sendRepeatedly(): Promise<void> {
      while (results.done.writes < goal.writes && performance.now() < endsAt) {
        started += 1;
        await sendOneWrite(started, { seed: proofSeed, fleet, tenants, results }).catch((reason) => {
          unresolved.push(reason);
        });
        progress.advance();
      }
    }
    await Promise.all(Array.from({ length: goal.clients }, sendRepeatedly));
    progress.end();
    const injected = await injecting;

    const owner = await connectAsOwner(connectionString);
    const found = await findViolations(owner, results.acknowledged);
    await owner.end();
    const checked = await sandbox.runServer('check', { dataDir });
    const { answered, answered500 } = results.done;
    const violations = {
      unresolved: unresolved.length,
      ...results.violations,
      ...found,
      // Faults may exhaust the retries, and the server then returns 503. A 500 is a bug; this proof tolerates one in 10,000 responses.
      tooMany500: answered500 * 10_000 > Math.max(answered, 10_000) ? answered500 : 0,
      contradictionsInTheBooks: checked.exitCode === 0 ? 0 : 1,
    };
    await recordProof({
      id: 'T2',
      promise:
        'While processes are killed, each write runs once, and all successful responses to its requests have the same result',
      seed: proofSeed,
      injected: { ...results.done, ...injected },
      violations,
    });
    expect(Object.entries(injected).filter(([, times]) => times === 0)).toEqual([]);
    expect({ unresolved: unresolved.slice(0, 3), checked: checked.stdout, violations }).toEqual({
      unresolved: [],
      checked: expect.stringContaining(': 0 contradictions.'),
      violations: Object.fromEntries(Object.keys(violations).map((name) => [name, 0])),
    });
  },
  proofMsMax,
);
