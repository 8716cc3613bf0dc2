import { defineConfig } from 'vitest/config';

// Every wait ends when a condition is met. This limit only ends a test that hangs.
const hangMsMax = 120_000;

const shared = {
  globalSetup: ['support/install-packages.ts'],
  testTimeout: hangMsMax,
  hookTimeout: hangMsMax,
};

export default defineConfig({
  cacheDir: '../node_modules/.vite',
  test: {
    // Two files can run at once, because the tests mostly wait for programs that they have started.
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'package', include: ['*.test.ts'] } },
      // These tests install the packed programs, and their dependencies from the registry, so only `npm run test:all` runs them.
      {
        test: {
          ...{ testTimeout: hangMsMax, hookTimeout: 5 * hangMsMax },
          name: 'programs',
          include: ['programs/*.test.ts'],
        },
      },
      // These tests download other runtimes, so they have their own command and are not part of `npm test`.
      { test: { ...shared, name: 'runtimes', include: ['runtimes/*.test.ts'], testTimeout: 5 * hangMsMax } },
    ],
  },
});
