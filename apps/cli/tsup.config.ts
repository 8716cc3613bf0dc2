import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node20',
  sourcemap: true,
  // The parts that the program loads with `import()` become separate files.
  splitting: true,
  clean: true,
  // A native module, which is missing if its optional package was not installed.
  external: ['@napi-rs/keyring'],
  // A program of a few files starts faster than one of many. tsup bundles only development dependencies, so most packages are
  // development dependencies. The packages of the workspace are bundled from their sources.
  // The bundled CommonJS packages call `require` for modules of Node, so the banner defines `require`.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  esbuildOptions: (options) => {
    options.conditions = ['@centavo/source'];
  },
});
