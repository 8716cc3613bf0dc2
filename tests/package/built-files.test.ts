import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, inject, test } from 'vitest';
import { repository } from '../acceptance/support/repository.js';
import { manifestIn } from './support/packages.js';
import { runToEnd } from './support/run-to-end.js';

const { consumer } = inject('packages');

test.each(['import', 'require'] as const)(
  'with %s, @centavo/sdk loads only @centavo/contracts/calls and no zod; its entry point for tests also loads msw',
  (how) => {
    expect(packagesReachedFrom('@centavo/sdk', '.', how)).toEqual(['@centavo/contracts/calls']);
    expect(packagesReachedFrom('@centavo/contracts', './calls', how)).toEqual([]);
    expect(packagesReachedFrom('@centavo/sdk', './webhooks', how)).toEqual([]);
    expect(packagesReachedFrom('@centavo/sdk', './testing', how)).toEqual(['@centavo/contracts/calls', 'msw']);
  },
);

test.each(['import', 'require'] as const)(
  'with %s, the entry points of @centavo/contracts that contain schemas load zod and nothing else',
  (how) => {
    expect(packagesReachedFrom('@centavo/contracts', '.', how)).toEqual(['zod']);
    expect(packagesReachedFrom('@centavo/contracts', './openapi', how)).toEqual(['zod']);
  },
);

test.each(['import', 'require'] as const)(
  'with %s, the statement reader loads only @centavo/contracts/calls, csv-parse and built-in modules',
  (how) => {
    const reached = packagesReachedFrom('@centavo/statement-reader', '.', how).filter((name) => !isBuiltin(name));
    expect(reached).toEqual(['@centavo/contracts/calls', 'csv-parse/sync']);
  },
);

test('the client, bundled for a browser, is not larger than .size-limit.json allows', async () => {
  const sizeLimit = join(repository, 'node_modules', '.bin', 'size-limit');
  const { stdout } = await runToEnd({ program: sizeLimit, words: ['--json'], cwd: repository });
  expect(JSON.parse(stdout)).toMatchObject([{ passed: true }]);
});

/** Returns the packages and `node:` modules that an entry point imports, directly or through other files of its package. */
function packagesReachedFrom(name: string, entryPoint: string, how: 'import' | 'require'): string[] {
  const folder = join(consumer, 'node_modules', name);
  const entry = manifestIn(folder).exports[entryPoint]?.[how].default;
  if (entry === undefined) throw new Error(`${name} has no entry ${entryPoint}`);
  const files = [join(folder, entry)];
  const reached = new Set<string>();
  // The loop also visits the files that it adds to the list.
  for (const file of files) {
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles) {
      const next = join(dirname(file), fileName);
      if (!fileName.startsWith('.')) reached.add(fileName);
      else if (!files.includes(next)) files.push(next);
    }
  }
  return [...reached].sort();
}
