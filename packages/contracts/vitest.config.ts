import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'pure:contracts', include: ['src/**/*.test.ts'] } });
