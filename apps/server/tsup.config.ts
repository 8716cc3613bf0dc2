import { cp, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig } from 'tsup';

const referencePackage = createRequire(import.meta.url).resolve('@scalar/api-reference');

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node20',
  sourcemap: true,
  clean: true,
  // The packages of the workspace are bundled from their sources, so that a start need not build them first.
  noExternal: ['@centavo/contracts', '@centavo/mcp'],
  esbuildOptions: (options) => {
    options.conditions = ['@centavo/source'];
  },
  onSuccess: copyFiles,
});

/** Copies the files of the repository that the server serves or names, so that an installed package has them. */
async function copyFiles(): Promise<void> {
  const files = {
    '../../docs/errors': 'dist/errors',
    '../../docs/operations.md': 'dist/docs/operations.md',
    '../../docs/configuration.md': 'dist/docs/configuration.md',
    '../../examples/household-2026.csv': 'dist/examples/household-2026.csv',
    [join(dirname(referencePackage), 'browser', 'standalone.js')]: 'dist/reference.js',
  };
  for (const [source, target] of Object.entries(files)) {
    await mkdir(dirname(target), { recursive: true });
    await cp(source, target, { recursive: true });
  }
}
