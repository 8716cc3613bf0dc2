import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// The pattern skips `import type …` and `export type … from …`, because the compiler erases them. Because of verbatimModuleSyntax, the
// compiler keeps all other imports.
const fromClause = /^(?:import|export)\s(?!type\s)[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/** Returns the source files and the packages that `file` loads, directly or through other files. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const match of readFileSync(file, 'utf8').matchAll(fromClause)) {
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    if (name.startsWith('.')) reachedFrom(resolve(dirname(file), name.replace(/\.js$/, '.ts')), reached);
    else reached.add(name);
  }
  return reached;
}

const sourceOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test('the entry point `calls` imports no npm package, directly or through other files', () => {
  const reached = [...reachedFrom(sourceOf('./calls.ts'))];
  expect(reached.filter((name) => !name.endsWith('.ts'))).toEqual([]);
  expect(reached.length).toBeGreaterThan(10);
});

test('reachedFrom finds zod in the main entry point, so the test above can detect an import of zod', () => {
  expect(reachedFrom(sourceOf('./index.ts'))).toContain('zod');
});
