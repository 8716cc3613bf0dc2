import { expect, it } from 'vitest';
import { recordProof } from './support/proof-record.js';
import { runTestFile } from './support/run-test-file.js';

const file = 'src/transport/fault-scripts.test.ts';
// How many there are, the file says itself, in the name of its test.
const titlePattern = /^(\d+) scripts of faults, each with (\d+) seeds:/m;

it('the SDK meets every script of faults with one key, one body, waits within their bounds, and no flood', async () => {
  const results = await runTestFile('packages/sdk', file);
  const [, scripts, seedsOfEach] = titlePattern.exec(results.map(({ title }) => title).join('\n')) ?? [];
  const passed = results.filter(({ status }) => status === 'passed').length;
  await recordProof({
    id: 'T23',
    promise:
      'The SDK meets each script of faults with one key and one body, waits within their bounds, and tells an error of its own kinds',
    // The seeds are the same in each run.
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
