import { defineConfig } from 'vitest/config';

// Every wait is for a condition; this limit only ends a test that hangs.
const hangMsMax = 120_000;

export default defineConfig({
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
  test: {
    name: 'acceptance',
    include: ['acceptance/**/*.test.ts', 'proof/**/*.test.ts'],
    // Each file starts servers of its own, and each of those a PostgreSQL: more at once would only take longer.
    maxWorkers: 2,
    testTimeout: hangMsMax,
    hookTimeout: hangMsMax,
    teardownTimeout: hangMsMax,
  },
});
