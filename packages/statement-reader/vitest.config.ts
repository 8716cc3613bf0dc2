import { defineConfig } from 'vitest/config';

// Reading a large statement can take longer than the default timeout of five seconds. This longer timeout only ends a test that hangs.
const hangMsMax = 60_000;

export default defineConfig({
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
  test: {
    name: 'pure:statement-reader',
    // The tests share no mutable state, so all test files in a worker can use the same modules.
    isolate: false,
    globalSetup: ['test-support/own-temporary-folder.ts'],
    include: ['src/**/*.test.ts'],
    testTimeout: hangMsMax,
    hookTimeout: hangMsMax,
  },
});
