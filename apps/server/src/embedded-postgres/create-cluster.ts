import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import type { ClusterPaths } from './cluster-directory.js';
import { chooseClusterDirectory } from './cluster-directory.js';
import { type ClusterState, readClusterState, writeClusterState } from './cluster-state.js';
import { type RunUser, runProgram } from './run-program.js';

/**
 * Creates the cluster of a DATA_DIR if the cluster does not exist. The caller holds the start lock.
 *
 * The password is stored first. Then initdb creates the cluster in a subdirectory of a temporary directory. At the end, this subdirectory
 * is renamed to its final path. A kill at any moment therefore leaves either no cluster, or a complete cluster whose password is stored.
 *
 * @throws Error with the last lines of the output if initdb fails.
 * @throws Error if the PostgreSQL data directory of a complete cluster is missing, or if DATA_DIR contains a PostgreSQL data directory but
 *   no state file. A new empty database would hide that the data directory or the state file is lost.
 */
export async function createCluster(options: {
  paths: ClusterPaths;
  binaries: Binaries;
  runUser: RunUser | undefined;
  durable: boolean;
  report: (line: string) => void;
}): Promise<ClusterState> {
  const { paths, report } = options;
  const state = await readClusterState(paths);
  if (state !== undefined && (await exists(state.directory))) return { ...state, isInitialized: true };
  if (state?.isInitialized) {
    throw new Error(
      `The database of ${paths.dataDir} should be in ${state.directory}, which is missing. Mount or restore it. To begin with an empty database, delete ${paths.stateFile}.`,
    );
  }
  if (state === undefined && (await exists(paths.defaultDirectory))) {
    throw new Error(
      `${paths.defaultDirectory} has a database, but its password file ${paths.stateFile} is missing. Restore that file, or move the directory.`,
    );
  }

  const directory = await chooseClusterDirectory({ ...options, previous: state?.directory });
  const planned: ClusterState = {
    directory,
    password: state?.password ?? randomBytes(24).toString('base64url'),
    isInitialized: false,
    holders: [],
  };
  await writeClusterState(paths, planned);
  await removeUnfinished({ directory, report });
  report(`Creating a PostgreSQL database in ${directory}.`);
  await initialize({ ...options, ...planned });
  const finished = { ...planned, isInitialized: true };
  await writeClusterState(paths, finished);
  return finished;
}

async function initialize(options: {
  binaries: Binaries;
  runUser: RunUser | undefined;
  durable: boolean;
  directory: string;
  password: string;
}): Promise<void> {
  const { binaries, runUser, durable, directory, password } = options;
  const temporary = unfinishedPrefix(directory) + randomBytes(4).toString('hex');
  const passwordFile = join(temporary, 'password');
  const data = join(temporary, 'data');
  await mkdir(temporary, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (runUser !== undefined) {
    await chown(passwordFile, runUser.uid, runUser.gid);
    await chown(temporary, runUser.uid, runUser.gid);
  }
  try {
    const { code, output } = await runProgram({
      file: binaries.initdb,
      parameters: [
        `--pgdata=${data}`,
        '--username=centavo',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // PostgreSQL's own collation: the sort order does not depend on the machine and its C library.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(durable ? [] : ['--no-sync']),
      ],
      runUser,
    });
    if (code !== 0) {
      const reason = output.trim().split('\n').slice(-5).join('\n');
      throw new Error(
        `initdb could not create a database in ${directory}:\n${reason}\nSet DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL 15 or newer.`,
      );
    }
    await rename(data, directory);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const unfinishedPrefix = (directory: string): string => `${directory}.new-`;

/**
 * Removes the temporary directories of interrupted attempts to create the cluster. If the Centavo server was killed, the initdb that it had
 * started may still write there, so the removal is retried. A directory that cannot be removed only costs disk space and does not prevent
 * the start.
 */
async function removeUnfinished(options: { directory: string; report: (line: string) => void }): Promise<void> {
  const { directory, report } = options;
  const prefix = basename(unfinishedPrefix(directory));
  const names = await readdir(dirname(directory));
  const unfinished = names.filter((name) => name.startsWith(prefix));
  for (const name of unfinished) {
    const folder = join(dirname(directory), name);
    await rm(folder, { recursive: true, force: true, maxRetries: 8, retryDelay: 100 }).catch(() =>
      report(`An interrupted creation of the database left ${folder}; delete it.`),
    );
  }
}

async function exists(directory: string): Promise<boolean> {
  return (await stat(directory).catch(() => undefined)) !== undefined;
}
