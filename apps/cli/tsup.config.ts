import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node20',
  sourcemap: true,
  clean: true,
  // Native, and there only where its package could be installed.
  external: ['@napi-rs/keyring'],
  // The workspace's own packages go into the one file, from their sources, so that it runs wherever it is put.
  noExternal: ['@centavo/sdk', '@centavo/contracts', '@centavo/statement-reader'],
  esbuildOptions: (options) => {
    options.conditions = ['@centavo/source'];
  },
});
