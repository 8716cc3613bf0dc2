import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, inject, test } from 'vitest';
import { repository } from '../acceptance/support/repository.js';
import { findBrokenLinks } from './support/find-broken-links.js';
import { type EntryPoint, folderOf, manifestIn, packageNames } from './support/packages.js';
import { runToEnd } from './support/run-to-end.js';

const { consumer, tarballs } = inject('packages');

describe.each(packageNames)('the package %s', (name) => {
  const installed = join(consumer, 'node_modules', name);
  const manifest = manifestIn(installed);

  test('contains the built files, the licence, the changelog and the README, and nothing else', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((path) =>
      path.replaceAll('\\', '/'),
    );
    const built = files.filter((path) => /^dist\/[\w.-]+\.(?:c?js|d\.c?ts)$/.test(path));
    expect(files.filter((path) => !built.includes(path)).sort()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json'].sort(),
    );
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync(join(repository, 'LICENSE'), 'utf8'));
  });

  test('declares its licence, the Node versions and no side effects, and names no repository or website', () => {
    const { engines } = manifestIn(repository);
    expect(manifest).toMatchObject({ license: 'MIT', engines, sideEffects: false, type: 'module' });
    for (const address of ['repository', 'homepage', 'bugs', 'funding']) expect(manifest).not.toHaveProperty(address);
  });

  test('has the exports of the package.json in the workspace, without the condition @centavo/source', () => {
    const entryPoints = Object.entries(manifestIn(folderOf(name)).exports).map(([path, entryPoint]) => {
      const { '@centavo/source': _, ...published } = entryPoint as EntryPoint & { '@centavo/source': string };
      return [path, published];
    });
    expect(manifest.exports).toEqual(Object.fromEntries(entryPoints));
    const targets = Object.values(manifest.exports).flatMap((entryPoint) =>
      [entryPoint.import, entryPoint.require].flatMap(Object.values),
    );
    expect(targets.filter((target) => !existsSync(join(installed, target)))).toEqual([]);
  });

  test('includes every file that its Markdown pages link to', () => {
    expect(findBrokenLinks(installed)).toEqual([]);
  });

  test('passes publint without a message', async () => {
    const file = readFileSync(tarballs[name]);
    const tarball = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('has types that resolve with every module resolution, including the oldest', async () => {
    const attw = join(repository, 'node_modules', '.bin', 'attw');
    await runToEnd({ program: attw, words: [tarballs[name], '--profile', 'strict', '--no-color'], cwd: consumer });
  });
});

test('the libraries depend only on zod, csv-parse and each other', () => {
  const contracts = manifestIn(join(consumer, 'node_modules', '@centavo/contracts'));
  const sdk = manifestIn(join(consumer, 'node_modules', '@centavo/sdk'));
  const reader = manifestIn(join(consumer, 'node_modules', '@centavo/statement-reader'));
  expect(Object.keys(contracts.dependencies ?? {})).toEqual(['zod']);
  expect(sdk.dependencies).toEqual({ '@centavo/contracts': contracts.version });
  expect(Object.keys(reader.dependencies ?? {}).sort()).toEqual(['@centavo/contracts', 'csv-parse']);
  expect(reader.dependencies).toMatchObject({ '@centavo/contracts': contracts.version });
  const { packages } = JSON.parse(readFileSync(join(consumer, 'package-lock.json'), 'utf8'));
  expect(Object.keys(packages).filter((path) => path !== '')).toEqual([
    'node_modules/@centavo/contracts',
    'node_modules/@centavo/sdk',
    'node_modules/@centavo/statement-reader',
    'node_modules/csv-parse',
    'node_modules/zod',
  ]);
});
