import { defineConfig } from 'vitest/config';

// Reading large statements takes longer than the default limit of the test runner, five seconds. This limit only ends a test that hangs.
const hangMsMax = 60_000;

export default defineConfig({
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
  test: {
    name: 'pure:statement-reader',
    // The tests share no mutable state, so the files of a worker share its modules.
    isolate: false,
    globalSetup: ['test-support/own-temporary-folder.ts'],
    include: ['src/**/*.test.ts'],
    testTimeout: hangMsMax,
    hookTimeout: hangMsMax,
  },
});
