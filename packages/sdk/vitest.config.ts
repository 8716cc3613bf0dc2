import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@centavo/source'] },
  ssr: { resolve: { conditions: ['@centavo/source'] } },
  test: { name: 'pure:sdk', include: ['src/**/*.test.ts'] },
});
