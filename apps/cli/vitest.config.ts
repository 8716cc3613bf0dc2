import { defineConfig } from 'vitest/config';

const sources = {
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
};

const shared = {
  globalSetup: ['test-support/own-temporary-folder.ts'],
  // Test files in the same worker share the loaded modules. This is safe, because the tests share no mutable state.
  isolate: false,
  // Tests with 808 rows may take longer than the default timeout of five seconds on a busy machine.
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/** Tests that run each command in many ways. They take minutes, so `npm test` omits them, and `npm run test:all` runs them. */
const sweeps = [
  'src/commands/narrow-terminals.test.ts',
  'src/dry-run.test.ts',
  'src/hostile-texts.test.ts',
  'src/malformed-answers.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      { ...sources, test: { ...shared, name: 'pure:cli', include: ['src/**/*.test.ts'], exclude: sweeps } },
      { ...sources, test: { ...shared, name: 'sweeps:cli', include: sweeps } },
    ],
  },
});
