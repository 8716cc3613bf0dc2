import { defineConfig } from 'vitest/config';

// On a busy machine, property tests can exceed Vitest's default timeout of five seconds. This limit only ends a test that hangs.
const hangMsMax = 60_000;

export default defineConfig({
  test: {
    name: 'pure:contracts',
    // The tests share no mutable state, so the test files that run in one worker can share its loaded modules.
    isolate: false,
    include: ['src/**/*.test.ts'],
    testTimeout: hangMsMax,
    hookTimeout: hangMsMax,
  },
});
