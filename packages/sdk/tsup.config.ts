import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', testing: 'src/testing/index.ts', webhooks: 'src/webhooks/index.ts' },
  format: ['esm', 'cjs'],
  target: 'node20',
  // Removes the declarations marked @internal, which tests and `forTracker` use, from the published types.
  dts: { compilerOptions: { stripInternal: true } },
  clean: true,
});
