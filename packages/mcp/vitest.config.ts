import { defineConfig } from 'vitest/config';

// This limit only ends a test that hangs.
const hangMsMax = 60_000;

export default defineConfig({
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
  test: {
    name: 'pure:mcp',
    // The tests share no mutable state, so all test files in one worker can use the same module instances.
    isolate: false,
    include: ['src/**/*.test.ts'],
    testTimeout: hangMsMax,
    hookTimeout: hangMsMax,
  },
});
