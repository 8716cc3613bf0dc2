import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node20',
  sourcemap: true,
  clean: true,
  // The contracts go into the one file, from their sources: a start then need not build the published packages first.
  noExternal: ['@centavo/contracts'],
  esbuildOptions: (options) => {
    options.conditions = ['@centavo/source'];
  },
  // The server tells what its error codes mean.
  onSuccess: () => cp('../../docs/errors', 'dist/errors', { recursive: true }),
});
