import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../acceptance/support/repository.js';
import { manifestIn } from './packages.js';
import { runToEnd } from './run-to-end.js';

export const packageManagers = ['npm', 'pnpm'] as const;

export type PackageManager = (typeof packageManagers)[number];

const programs = ['server', 'cli'] as const;

/** The tarballs of the server and the CLI in a temporary folder. */
export interface PackedPrograms {
  readonly folder: string;
  readonly tarballs: readonly string[];
  remove(): Promise<void>;
}

/** Packs the server and the CLI with pnpm, because npm would keep `workspace:*` in the packed package.json. */
export async function packPrograms(): Promise<PackedPrograms> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-programs-'));
  // If root runs the test, PostgreSQL runs as another user, who needs access to this folder.
  await chmod(folder, 0o711);
  const filters = programs.map((name) => `--filter=@centavo/${name}`);
  await runPnpm({ words: [...filters, 'pack', '--pack-destination', folder], cwd: repository });
  const tarballs = programs.map((name) => {
    const { version } = manifestIn(join(repository, 'apps', name));
    return join(folder, `centavo-${name}-${version}.tgz`);
  });
  return { folder, tarballs, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 12 }) };
}

/**
 * Installs the tarballs in an empty folder. Their dependencies come from the registry; npm may take them from its cache instead.
 * @returns the folder of the installed commands
 */
export async function installPrograms(packed: PackedPrograms, packageManager: PackageManager): Promise<string> {
  const consumer = join(packed.folder, packageManager);
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{ "name": "consumer", "private": true }\n');
  if (packageManager === 'npm') {
    const words = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packed.tarballs];
    await runToEnd({ program: 'npm', words, cwd: consumer });
  } else {
    // A new store, because an existing one may contain the results of earlier install scripts.
    const words = ['add', '--prefer-offline', '--store-dir', join(packed.folder, 'store'), ...packed.tarballs];
    await runPnpm({ words, cwd: consumer });
  }
  const commands = join(consumer, 'node_modules', '.bin');
  if (!existsSync(join(commands, 'centavo'))) throw new Error(`${packageManager} installed no command centavo.`);
  return commands;
}

async function runPnpm(options: { readonly words: readonly string[]; readonly cwd: string }): Promise<void> {
  const { packageManager } = manifestIn(repository) as { packageManager?: string };
  await runToEnd({
    program: 'npx',
    words: ['--prefer-offline', '-y', String(packageManager), ...options.words],
    cwd: options.cwd,
  });
}
