import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
  // Tests with 808 rows may take longer than the default timeout of five seconds on a busy machine.
  test: {
    name: 'pure:cli',
    globalSetup: ['test-support/own-temporary-folder.ts'],
    // The tests share no mutable state, so the files of a worker share its modules.
    isolate: false,
    include: ['src/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
