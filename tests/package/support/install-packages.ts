import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { repository } from '../../acceptance/support/repository.js';
import { folderOf, manifestIn, type PackageName, packageNames } from './packages.js';
import { runToEnd } from './run-to-end.js';

/** The libraries as their users install them. */
export interface InstalledPackages {
  readonly tarballs: Readonly<Record<PackageName, string>>;
  /** The folder of a program that has installed them. */
  readonly consumer: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    packages: InstalledPackages;
  }
}

/** Packs the libraries and installs them in an empty folder, once for all test files; removes everything at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-package-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const tarballs = await packInto(folder);
    project.provide('packages', { tarballs, consumer: await installIn(folder, Object.values(tarballs)) });
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}

/** Packs the libraries with pnpm, because npm would keep the workspace's `exports` and `workspace:*`. */
async function packInto(folder: string): Promise<Record<PackageName, string>> {
  const { packageManager } = manifestIn(repository) as { packageManager?: string };
  const filters = packageNames.map((name) => `--filter=${name}`);
  await runToEnd({
    program: 'npx',
    words: ['--prefer-offline', '-y', String(packageManager), ...filters, 'pack', '--pack-destination', folder],
    cwd: repository,
  });
  const tarballOf = (name: PackageName) => {
    const { version } = manifestIn(folderOf(name));
    return join(folder, `${name.slice(1).replace('/', '-')}-${version}.tgz`);
  };
  return {
    '@centavo/contracts': tarballOf('@centavo/contracts'),
    '@centavo/sdk': tarballOf('@centavo/sdk'),
    '@centavo/statement-reader': tarballOf('@centavo/statement-reader'),
  };
}

/**
 * Installs the tarballs as a user does. zod and csv-parse come from this repository's own dependencies, so that no registry
 * is needed. The install fails if a package needs anything else.
 */
async function installIn(folder: string, tarballs: readonly string[]): Promise<string> {
  const consumer = join(folder, 'consumer');
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  const copied = [
    await copyDependency(folder, { of: '@centavo/contracts', name: 'zod' }),
    await copyDependency(folder, { of: '@centavo/statement-reader', name: 'csv-parse' }),
  ];
  const options = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund'];
  await runToEnd({
    program: 'npm',
    words: ['install', ...options, '--cache', join(folder, 'npm-cache'), ...copied, ...tarballs],
    cwd: consumer,
  });
  // Users of `@centavo/sdk/testing` install msw. Here a link replaces the installation, because msw has many dependencies.
  await symlink(
    await realpath(join(folderOf('@centavo/sdk'), 'node_modules', 'msw')),
    join(consumer, 'node_modules', 'msw'),
  );
  return consumer;
}

/** Copies a dependency out of pnpm's store, because npm treats a path with an @ as a package name. Returns its path. */
async function copyDependency(
  folder: string,
  dependency: { readonly of: PackageName; readonly name: string },
): Promise<string> {
  const copy = join(folder, dependency.name);
  const source = await realpath(join(folderOf(dependency.of), 'node_modules', dependency.name));
  await cp(source, copy, { recursive: true });
  return copy;
}
