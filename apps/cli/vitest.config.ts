import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
  // No test waits, but 808 rows are work: the runner's five seconds would judge how busy the machine is.
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
