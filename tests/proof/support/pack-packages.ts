import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../acceptance/support/repository.js';
import { packageNames } from '../../package/support/packages.js';
import { runToEnd } from '../../package/support/run-to-end.js';

/** A file of a published package. */
export interface PackedFile {
  readonly path: string;
  readonly text: string;
}

/** Packs the packages as for publication, and returns their files. The packages must already be built. */
export async function packPackages(): Promise<PackedFile[]> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-packed-'));
  try {
    const { packageManager } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
    const filters = packageNames.map((name) => `--filter=${name}`);
    const words = ['--prefer-offline', '-y', packageManager, ...filters, 'pack', '--pack-destination', folder];
    await runToEnd({ program: 'npx', words, cwd: repository });
    for (const tarball of await readdir(folder))
      await promisify(execFile)('tar', ['-xzf', tarball, '--one-top-level'], { cwd: folder });
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.tgz'));
    return await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return { path: path.slice(folder.length + 1), text: await readFile(path, 'utf8') };
      }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
