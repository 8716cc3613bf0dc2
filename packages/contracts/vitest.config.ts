import { defineConfig } from 'vitest/config';

// Properties are work: the runner's five seconds would judge how busy the machine is. This limit only ends a test that hangs.
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
