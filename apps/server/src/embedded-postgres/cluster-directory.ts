import { createHash, randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { RunUser } from './run-program.js';
import { canEnter, prepareSharedDirectory, sharedDirectory } from './shared-directory.js';

/** The paths in DATA_DIR that belong to the embedded PostgreSQL. */
export interface ClusterPaths {
  dataDir: string;
  /**
   * The file with the path of the cluster, the password of the cluster's owner, and a list of the processes that use the cluster. The mode
   * of the file is 0600.
   */
  stateFile: string;
  /** The path of a lock file is this prefix, a dot and a number. */
  lockPrefix: string;
  /** The file with the output of `postgres`. */
  logFile: string;
  /** The data directory of the cluster if PostgreSQL's user can reach DATA_DIR. If not, see `chooseClusterDirectory`. */
  defaultDirectory: string;
}

/** Returns the paths of the embedded PostgreSQL in `dataDir`. Accesses no file. */
export function clusterPaths(dataDir: string): ClusterPaths {
  const root = resolve(dataDir);
  return {
    dataDir: root,
    stateFile: join(root, 'postgres.json'),
    lockPrefix: join(root, 'postgres.lock'),
    logFile: join(root, 'postgres.log'),
    defaultDirectory: join(root, 'postgres'),
  };
}

/**
 * Creates DATA_DIR if it is absent, and returns its real path.
 *
 * Root creates it with mode 0711, because PostgreSQL's user has to traverse it but must not list it. Other users create it with 0700.
 * An existing directory keeps the mode that the operator chose.
 *
 * @throws Error with the reason and the remedy if the directory cannot be created, read or written.
 */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  let problem = 'cannot be created';
  try {
    await createDirectory(path, process.getuid?.() === 0 ? 0o711 : 0o700);
    // Different paths to one directory, such as symbolic links, have the same real path, so all processes share one lock and one database.
    const realPath = await realpath(path);
    problem = 'is not readable and writable';
    await readdir(path);
    await access(path, constants.W_OK);
    return realPath;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new Error(
      `DATA_DIR ${path} ${problem} (${reason}). Set DATA_DIR to a directory that this user may read and write.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Creates a directory and its missing parents. Does not use the option `recursive` of Node's mkdir, because that option hangs in a
 * directory in which every mkdir fails with ENOENT, such as /proc.
 */
async function createDirectory(path: string, mode: number): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && (await stat(parent).catch(() => undefined)) === undefined) await createDirectory(parent, mode);
  try {
    await mkdir(path, { mode });
    // The umask removes permissions from the mode of mkdir. Without chmod, PostgreSQL's user might be unable to enter the directory.
    await chmod(path, mode);
  } catch (error) {
    const exists = (await stat(path).catch(() => undefined))?.isDirectory() === true;
    if (!exists) throw error;
  }
}

/**
 * Chooses the directory of a new cluster: in DATA_DIR, or under /var/lib/centavo if PostgreSQL's user cannot reach DATA_DIR.
 *
 * The name of the directory under /var/lib/centavo consists of a hash of DATA_DIR's path and a random part. Without the random part, a
 * DATA_DIR that was deleted and created again would use the old data, whose password is lost.
 *
 * @param options.previous the directory that an earlier, interrupted attempt to create this cluster chose.
 * @returns an absolute path; its parent exists.
 */
export async function chooseClusterDirectory(options: {
  paths: ClusterPaths;
  runUser: RunUser | undefined;
  previous: string | undefined;
  report: (line: string) => void;
}): Promise<string> {
  const { paths, runUser, previous, report } = options;
  if (runUser === undefined || (await canEnter(paths.dataDir, runUser))) return paths.defaultDirectory;

  const prefix = `${createHash('sha256').update(paths.dataDir).digest('hex').slice(0, 16)}-`;
  await prepareSharedDirectory({ runUser, report });
  const isPreviousShared = previous !== undefined && dirname(previous) === sharedDirectory;
  const chosen = isPreviousShared ? previous : join(sharedDirectory, prefix + randomBytes(4).toString('hex'));
  report(`PostgreSQL's user cannot enter ${paths.dataDir}. The data is stored in ${chosen}.`);
  for (const name of await readdir(sharedDirectory)) {
    if (name.startsWith(prefix) && !name.startsWith(basename(chosen))) {
      report(
        `An earlier database of the same DATA_DIR is still in ${join(sharedDirectory, name)}; delete it if you do not need it.`,
      );
    }
  }
  return chosen;
}
