import { defineConfig } from 'vitest/config';

// Every wait is for a condition; this limit only ends a test that hangs.
const hangMsMax = 120_000;

const shared = {
  // Each file starts servers of its own, and each of those a PostgreSQL: more at once would only take longer.
  maxWorkers: 2,
  testTimeout: hangMsMax,
  hookTimeout: hangMsMax,
  teardownTimeout: hangMsMax,
};

const sources = {
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        ...sources,
        test: {
          ...shared,
          name: 'acceptance',
          include: ['acceptance/**/*.test.ts', 'proof/support/**/*.test.ts', 'bench/**/*.test.ts'],
        },
      },
      // Injected faults, by `node tools/run.mjs proof`; no part of `npm test`.
      { ...sources, test: { ...shared, name: 'proof', include: ['proof/*.test.ts'] } },
      // Figures, by `node tools/run.mjs bench`; no part of `npm test`.
      { ...sources, test: { ...shared, name: 'bench', include: ['bench/*.bench.ts'] } },
    ],
  },
});
