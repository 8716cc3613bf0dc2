import { defineConfig } from 'vitest/config';

// Properties are work: the runner's five seconds would judge how busy the machine is. This limit only ends a test that hangs.
const hangMsMax = 60_000;

export default defineConfig({
  test: { name: 'pure:contracts', include: ['src/**/*.test.ts'], testTimeout: hangMsMax, hookTimeout: hangMsMax },
});
