import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', testing: 'src/testing/index.ts', webhooks: 'src/webhooks/index.ts' },
  format: ['esm', 'cjs'],
  target: 'node20',
  // What is marked @internal, for tests and for `forTracker`, stays out of the published types.
  dts: { compilerOptions: { stripInternal: true } },
  clean: true,
});
