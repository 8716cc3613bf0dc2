import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { defineConfig } from 'tsup';

/** The pages that are copied to `dist/docs`, because the server serves them or names them in its messages. */
const pages = ['configuration.md', 'operations.md', 'scaling.md'];

const referencePackage = createRequire(import.meta.url).resolve('@scalar/api-reference');

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node20',
  sourcemap: true,
  clean: true,
  // The packages of the workspace are bundled from their sources, so that they need not be built first.
  noExternal: ['@centavo/contracts', '@centavo/mcp'],
  esbuildOptions: (options) => {
    options.conditions = ['@centavo/source'];
  },
  onSuccess: copyFiles,
});

/** Copies the files of the repository that the server serves or names, so that an installed package has them. */
async function copyFiles(): Promise<void> {
  const files = {
    '../../docs/errors': 'dist/docs/errors',
    '../../examples/household-2026.csv': 'dist/examples/household-2026.csv',
    [join(dirname(referencePackage), 'browser', 'standalone.js')]: 'dist/reference.js',
  };
  for (const [source, target] of Object.entries(files)) {
    await mkdir(dirname(target), { recursive: true });
    await cp(source, target, { recursive: true });
  }
  for (const page of pages) {
    const text = await readFile(join('../../docs', page), 'utf8');
    await writeFile(join('dist/docs', page), withoutLinksOutside(text));
  }
}

/** Replaces each link to a file outside the package with its text and the file's path in the repository: `agents [docs/agents.md]`. */
function withoutLinksOutside(page: string): string {
  return page.replace(/\[([^\]]+)\]\(([^)#]+)(?:#[^)]*)?\)/g, (link, text: string, target: string) => {
    const isKept = /^[a-z]+:/.test(target) || target.startsWith('errors/') || pages.includes(target);
    return isKept ? link : `${text} [${posix.join('docs', target)}]`;
  });
}
