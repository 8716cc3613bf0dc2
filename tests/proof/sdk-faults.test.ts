import { expect, it } from 'vitest';
import { recordProof } from './support/proof-record.js';
import { runTestFile } from './support/run-test-file.js';

const file = 'src/transport/fault-scripts.test.ts';
// The title of the test contains the numbers of fault scripts and seeds.
const titlePattern = /in (\d+) sequences of two faults with (\d+) seeds/m;

it('the SDK retries with the same idempotency key and body in each scripted series of faults, and limits its waits and requests', async () => {
  const results = await runTestFile('packages/sdk', file);
  const [, scripts, seedsOfEach] = titlePattern.exec(results.map(({ title }) => title).join('\n')) ?? [];
  const passed = results.filter(({ status }) => status === 'passed').length;
  await recordProof({
    id: 'T23',
    promise:
      'In each scripted series of faults, the SDK sends the same key and body with every attempt, keeps its waits within their bounds, and rejects only with its own errors',
    // All runs use the same seeds.
    seed: null,
    injected: {
      scripts: Number(scripts),
      seedsOfEach: Number(seedsOfEach),
      runs: Number(scripts) * Number(seedsOfEach),
      testsOfTheFile: results.length,
    },
    violations: { testsThatDidNotPass: results.length - passed },
  });
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(Number(scripts) * Number(seedsOfEach)).toBeGreaterThanOrEqual(1_200);
});
