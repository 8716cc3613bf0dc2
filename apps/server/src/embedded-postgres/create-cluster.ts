import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import type { ClusterHome } from './cluster-directory.js';
import { chooseClusterDirectory } from './cluster-directory.js';
import { type ClusterState, readClusterState, writeClusterState } from './cluster-state.js';
import { type RunUser, runProgram } from './run-program.js';

/**
 * Makes the cluster of a DATA_DIR if it has none yet. Call it under the start lock.
 *
 * The password is written first, then initdb works in a folder beside the final one, and a rename ends it. So a kill at any moment
 * leaves either no cluster or a whole one whose password we know.
 *
 * @throws Error when initdb fails, with its last lines; or when data that once was there is missing, because starting with
 * empty books in its place would hide the loss.
 */
export async function createCluster(options: {
  home: ClusterHome;
  binaries: Binaries;
  runUser: RunUser | undefined;
  durable: boolean;
  say: (line: string) => void;
}): Promise<ClusterState> {
  const { home, say } = options;
  const state = await readClusterState(home);
  if (state !== undefined && (await exists(state.directory))) return { ...state, isInitialized: true };
  if (state?.isInitialized) {
    throw new Error(
      `The database of ${home.dataDir} should be in ${state.directory}, but that is missing. Mount or restore it; to begin with an empty database, delete ${home.stateFile}.`,
    );
  }
  if (state === undefined && (await exists(home.usualDirectory))) {
    throw new Error(
      `${home.usualDirectory} holds a database, but its password file ${home.stateFile} is missing. Restore that file, or move the directory away.`,
    );
  }

  const directory = await chooseClusterDirectory({ ...options, previous: state?.directory });
  const planned: ClusterState = {
    directory,
    password: state?.password ?? randomBytes(24).toString('base64url'),
    isInitialized: false,
    holders: [],
  };
  await writeClusterState(home, planned);
  await removeUnfinished({ directory, say });
  say(`Creating a PostgreSQL database in ${directory}.`);
  await initialize({ ...options, ...planned });
  const finished = { ...planned, isInitialized: true };
  await writeClusterState(home, finished);
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
  const draft = unfinishedPrefix(directory) + randomBytes(4).toString('hex');
  const passwordFile = join(draft, 'password');
  const data = join(draft, 'data');
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (runUser !== undefined) {
    await chown(passwordFile, runUser.uid, runUser.gid);
    await chown(draft, runUser.uid, runUser.gid);
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
        // The collation is PostgreSQL's own, so sorting does not depend on the machine, nor change when its C library does.
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
        `initdb could not make a database in ${directory}:\n${reason}\nSet DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL 15 or newer.`,
      );
    }
    await rename(data, directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const unfinishedPrefix = (directory: string): string => `${directory}.new-`;

/**
 * Clears what killed attempts left. An initdb that outlived its killed server may still be writing there, so a removal is tried again,
 * and one that fails all the same costs disk space, not the start.
 */
async function removeUnfinished(options: { directory: string; say: (line: string) => void }): Promise<void> {
  const { directory, say } = options;
  const prefix = basename(unfinishedPrefix(directory));
  const names = await readdir(dirname(directory));
  const unfinished = names.filter((name) => name.startsWith(prefix));
  for (const name of unfinished) {
    const folder = join(dirname(directory), name);
    await rm(folder, { recursive: true, force: true, maxRetries: 8, retryDelay: 100 }).catch(() =>
      say(`An interrupted attempt left ${folder}; delete it.`),
    );
  }
}

async function exists(directory: string): Promise<boolean> {
  return (await stat(directory).catch(() => undefined)) !== undefined;
}
