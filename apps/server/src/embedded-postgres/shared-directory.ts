import { chmod, mkdir, stat } from 'node:fs/promises';
import { type RunUser, runProgram } from './run-program.js';

/** The directory in which root stores files that PostgreSQL's user has to reach. Every user may traverse /var/lib. */
export const sharedDirectory = '/var/lib/centavo';

/**
 * Creates the directory that root shares with PostgreSQL's user. If the directory exists and PostgreSQL's user cannot enter it, repairs its
 * mode. Under umask 077, mkdir creates a directory with mode 0700, which only its owner can enter. Such a directory may be left from an
 * earlier start.
 *
 * @param options.path the directory, for tests; the default is {@link sharedDirectory}
 * @throws Error with the remedy if PostgreSQL's user still cannot enter the directory: another user owns it, or a parent denies access
 */
export async function prepareSharedDirectory(options: {
  runUser: RunUser;
  report: (line: string) => void;
  path?: string;
}): Promise<void> {
  const { runUser, report, path = sharedDirectory } = options;
  // mkdir returns undefined if the directory exists.
  if ((await mkdir(path, { recursive: true })) !== undefined) await chmod(path, 0o755);
  if (await canEnter(path, runUser)) return;
  const { uid, mode } = await stat(path);
  if (uid === process.getuid?.()) {
    await chmod(path, (mode & 0o7777) | 0o111);
    if (await canEnter(path, runUser)) {
      report(`PostgreSQL's user could not enter ${path}. All users may enter it now.`);
      return;
    }
  }
  throw new Error(
    `PostgreSQL's user (uid ${runUser.uid}) cannot enter ${path}. Allow all users to enter it and its parents with chmod a+x, then start again.`,
  );
}

/** Returns true if a user can enter a directory. Runs a program as that user, because the mode does not show access control lists. */
export async function canEnter(directory: string, runUser: RunUser): Promise<boolean> {
  const { code } = await runProgram({ file: '/bin/sh', parameters: ['-c', 'cd -- "$1"', 'sh', directory], runUser });
  return code === 0;
}
