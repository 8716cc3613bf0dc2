import { defineConfig } from 'vitest/config';
import { sourceOverlay } from '../../tests/proof/seeded-bugs/overlay-plugin.js';

// With Vitest's default limit of five seconds, tests would fail on a busy machine. The limit below ends only tests that hang.
const hangMsMax = 120_000;
const limits = { testTimeout: hangMsMax, hookTimeout: hangMsMax };

// The projects do not use `extends: true`, because each would then inherit the global setup and start its own PostgreSQL.
const sources = {
  plugins: sourceOverlay(),
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
};

/**
 * These tests register a global tracer provider, and a tracer keeps the provider that it first used. Each of these files therefore
 * runs in its own thread, with its own globals and tracers.
 */
const traceTests = [
  '**/traced-fetch.test.ts',
  '**/trace-requests.test.ts',
  '**/transaction-spans.db.test.ts',
  '**/redis-store.http.test.ts',
  '**/trace-requests.http.test.ts',
];

/**
 * Tests that start PostgreSQL clusters or browsers of their own, or check each operation, statement or migration. They take minutes, so
 * `npm test` omits them, and `npm run test:all` runs them.
 */
const sweeps = [
  '**/authorization-matrix.http.test.ts',
  '**/contract-fuzz.http.test.ts',
  '**/docs.http.test.ts',
  '**/lost-connections.db.test.ts',
  '**/mcp-matrix.http.test.ts',
  '**/ordinary-owner.db.test.ts',
  '**/query-plans.http.test.ts',
  '**/replica-access.http.test.ts',
  '**/replica.http.test.ts',
  '**/shared-cluster.db.test.ts',
  '**/start-embedded-postgres.db.test.ts',
  '**/upgrade.http.test.ts',
];

/** The other tests do not depend on the state of modules, so all test files that run in one worker share the loaded modules. */
const shared = { ...limits, isolate: false };

export default defineConfig({
  // The global setup, too, imports the packages of the workspace from their sources.
  environments: { __vitest__: { resolve: sources.resolve } },
  test: {
    // The setup runs once per test run, not once per project: `db` and `http` share one PostgreSQL.
    globalSetup: ['test-support/start-test-cluster.ts'],
    maxWorkers: 2,
    projects: [
      {
        ...sources,
        test: {
          name: 'pure',
          include: ['src/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/*.http.test.ts', ...traceTests],
          ...shared,
        },
      },
      {
        ...sources,
        test: { name: 'db', include: ['src/**/*.db.test.ts'], exclude: [...traceTests, ...sweeps], ...shared },
      },
      {
        ...sources,
        test: { name: 'http', include: ['src/**/*.http.test.ts'], exclude: [...traceTests, ...sweeps], ...shared },
      },
      { ...sources, test: { name: 'sweeps', include: sweeps, ...shared } },
      { ...sources, test: { name: 'traces', include: traceTests, pool: 'threads', ...limits } },
    ],
  },
});
