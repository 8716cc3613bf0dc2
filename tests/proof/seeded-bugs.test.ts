import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestCluster, type TestCluster } from '../../apps/server/test-support/open-test-cluster.js';
import { seededBugs } from './seeded-bugs/bugs/index.js';
import { runTests, runWithBug, type Verdict } from './seeded-bugs/run-tests.js';
import { findMistakes, type NamedTest } from './seeded-bugs/seeded-bug.js';
import { isLong, proofSeed, recordProof } from './support/proof-record.js';
import { seededRandom } from './support/seeded-random.js';

const bugsOfAShortRun = 4;
const chosen = isLong ? seededBugs : choose(bugsOfAShortRun);
// The tests wait for whole runs of vitest. This limit only ends a run that hangs.
const hangMsMax = 600_000;
const packages = ['apps/server', 'packages/sdk'] as const;
const verdicts = new Map<NamedTest, Verdict>();
let cluster: TestCluster;
let caught = 0;

/** Chooses `count` bugs by the seed. */
function choose(count: number) {
  const order = seededBugs.map((bug) => ({ bug, order: seededRandom(proofSeed, bug.name).next() }));
  return order
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ bug }) => bug);
}

describe('the seeded bugs', () => {
  it('are at least thirty; each replaces code of the current sources, and names an existing test', async () => {
    expect(seededBugs.length).toBeGreaterThanOrEqual(30);
    expect(new Set(seededBugs.map(({ name }) => name)).size).toBe(seededBugs.length);
    expect((await Promise.all(seededBugs.map(findMistakes))).flat()).toEqual([]);
  });
});

describe(isLong ? 'the suite' : `the suite, with the bugs of seed ${proofSeed}`, { timeout: hangMsMax }, () => {
  beforeAll(async () => {
    cluster = await openTestCluster(process.env.CENTAVO_TEST_DATABASE_URL);
    for (const name of packages) {
      const tests = chosen.map(({ caughtBy }) => caughtBy).filter((test) => test.package === name);
      if (tests.length === 0) continue;
      const found = await runTests(tests, cluster.connectionString);
      for (const [index, test] of tests.entries()) verdicts.set(test, found[index] as Verdict);
    }
  }, hangMsMax);

  afterAll(async () => {
    await cluster.close();
    await recordProof({
      id: 'T22',
      promise: 'For each bug that is seeded into the sources, the test that the definition of the bug names fails',
      seed: isLong ? null : proofSeed,
      injected: { bugs: chosen.length },
      violations: { uncaught: chosen.length - caught },
    });
  });

  it.each(chosen.map((bug) => [bug.name, bug] as const))(
    'has a test that passes with the current sources and fails with the bug: %s',
    async (_, bug) => {
      expect(verdicts.get(bug.caughtBy)).toEqual({ kind: 'passed' });
      const verdict = await runWithBug(bug, cluster.connectionString);
      expect(verdict.kind, verdict.kind === 'passed' ? '' : verdict.message).toBe('caught');
      caught += 1;
    },
  );
});
