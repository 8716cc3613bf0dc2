import { defineConfig } from 'vitest/config';

// On a busy machine, property tests can exceed the five seconds of the test runner. This limit only ends a test that hangs.
const hangMsMax = 60_000;

export default defineConfig({
  test: {
    name: 'pure:contracts',
    // The tests share no mutable state, so the files of a worker share its modules.
    isolate: false,
    include: ['src/**/*.test.ts'],
    testTimeout: hangMsMax,
    hookTimeout: hangMsMax,
  },
});
