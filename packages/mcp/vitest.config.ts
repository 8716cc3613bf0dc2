import { defineConfig } from 'vitest/config';

// This limit only ends a test that hangs.
const hangMsMax = 60_000;

export default defineConfig({
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
  test: {
    name: 'pure:mcp',
    // The tests share no mutable state, so the files of a worker share its modules.
    isolate: false,
    include: ['src/**/*.test.ts'],
    testTimeout: hangMsMax,
    hookTimeout: hangMsMax,
  },
});
