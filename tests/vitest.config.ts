import { defineConfig } from 'vitest/config';
// The proofs that `npm run test:all` runs in their short form.
import proofsOfCommit from './proof/of-commit.json' with { type: 'json' };

// Only a test that hangs reaches this limit.
const hangMsMax = 120_000;

const shared = {
  // Each file starts its own servers, and each server starts a PostgreSQL. To run more files at once would only take longer.
  maxWorkers: 2,
  testTimeout: hangMsMax,
  hookTimeout: hangMsMax,
  teardownTimeout: hangMsMax,
};

const sources = {
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
};

/** The tests of this folder that `npm test` runs: the shortest acceptance tests, and the unit tests of the proofs and benchmarks. */
const acceptanceOfCommit = [
  'acceptance/{closed-terminal,deployment,lost-output}.test.ts',
  'proof/support/**/*.test.ts',
  'bench/**/*.test.ts',
];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        ...sources,
        test: {
          ...shared,
          name: 'acceptance',
          include: ['acceptance/**/*.test.ts'],
          exclude: acceptanceOfCommit,
        },
      },
      { ...sources, test: { ...shared, name: 'acceptance-of-commit', include: acceptanceOfCommit } },
      // All proofs, which inject faults. `node tools/run.mjs proof` runs their long form.
      { ...sources, test: { ...shared, name: 'proof', include: ['proof/*.test.ts'] } },
      {
        ...sources,
        test: { ...shared, name: 'proof-of-commit', include: proofsOfCommit.map((name) => `proof/${name}.test.ts`) },
      },
      // Benchmarks, for `node tools/run.mjs bench`. `npm test` does not run them.
      { ...sources, test: { ...shared, name: 'bench', include: ['bench/*.bench.ts'] } },
      { ...sources, test: { ...shared, name: 'deliveries', include: ['bench/deliveries/*.bench.ts'] } },
      { ...sources, test: { ...shared, name: 'growth', include: ['bench/growth/*.bench.ts'] } },
    ],
  },
});
