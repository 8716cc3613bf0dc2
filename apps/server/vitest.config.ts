import { defineConfig } from 'vitest/config';
import { sourceOverlay } from '../../tests/proof/seeded-bugs/overlay-plugin.js';

// The runner's five seconds would judge how busy the machine is. This limit only ends a test that hangs.
const hangMsMax = 120_000;
const limits = { testTimeout: hangMsMax, hookTimeout: hangMsMax };

// Not `extends: true`: each project would then inherit the global setup and start a PostgreSQL of its own.
const sources = {
  plugins: sourceOverlay(),
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
};

export default defineConfig({
  test: {
    // Once a run, not once a project: `db` and `http` share one PostgreSQL.
    globalSetup: ['test-support/start-test-cluster.ts'],
    maxWorkers: 2,
    projects: [
      {
        ...sources,
        test: {
          name: 'pure',
          include: ['src/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/*.http.test.ts'],
          ...limits,
        },
      },
      { ...sources, test: { name: 'db', include: ['src/**/*.db.test.ts'], ...limits } },
      { ...sources, test: { name: 'http', include: ['src/**/*.http.test.ts'], ...limits } },
    ],
  },
});
