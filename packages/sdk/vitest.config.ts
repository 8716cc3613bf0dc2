import { defineConfig } from 'vitest/config';
import { sourceOverlay } from '../../tests/proof/seeded-bugs/overlay-plugin.js';

// Type checks and property tests may take longer than vitest's default of five seconds on a busy machine. This limit only ends
// a test that hangs.
const hangMsMax = 60_000;

export default defineConfig({
  plugins: sourceOverlay(),
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
  test: {
    name: 'pure:sdk',
    // The tests share no mutable state, so the test files that run in one worker can share its modules.
    isolate: false,
    include: ['src/**/*.test.ts'],
    testTimeout: hangMsMax,
    hookTimeout: hangMsMax,
  },
});
