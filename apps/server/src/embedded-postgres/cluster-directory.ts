import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { sharedRoot } from './binaries.js';
import { type RunUser, runProgram } from './run-program.js';

/** The places in DATA_DIR that belong to the embedded PostgreSQL. */
export interface ClusterHome {
  dataDir: string;
  /** Password, place of the data, and who uses it; mode 0600. */
  stateFile: string;
  /** Lock files are this name plus a number. */
  lockPrefix: string;
  /** What initdb and postgres print. */
  logFile: string;
  /** The cluster itself, unless PostgreSQL's user cannot reach DATA_DIR. */
  usualDirectory: string;
}

/** Names the places of the embedded PostgreSQL in `dataDir`. Touches no file. */
export function clusterHome(dataDir: string): ClusterHome {
  const root = resolve(dataDir);
  return {
    dataDir: root,
    stateFile: join(root, 'postgres.json'),
    lockPrefix: join(root, 'postgres.lock'),
    logFile: join(root, 'postgres.log'),
    usualDirectory: join(root, 'postgres'),
  };
}

/**
 * Makes DATA_DIR if it is absent, and gives its real path.
 *
 * As root it is made 0711: PostgreSQL's user has to pass through it to its own folder, but may not list it. Otherwise 0700.
 * A directory that exists keeps its mode: it is the operator's.
 *
 * @throws Error with the reason and the remedy when it cannot be made.
 */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  try {
    await makeFolder(path, process.getuid?.() === 0 ? 0o711 : 0o700);
    // The real path, so that two names of one directory share one lock and one database.
    return await realpath(path);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new Error(
      `DATA_DIR ${path} cannot be made (${reason}). Set DATA_DIR to a directory that this user may write.`,
      { cause: error },
    );
  }
}

/**
 * Makes a folder and the parents that it lacks. Node's own `recursive` never ends where a parent exists and yet answers
 * ENOENT to making anything in it, as /proc does.
 */
async function makeFolder(path: string, mode: number): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && (await stat(parent).catch(() => undefined)) === undefined) await makeFolder(parent, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const isThere = (await stat(path).catch(() => undefined))?.isDirectory() === true;
    if (!isThere) throw error;
  }
}

/**
 * Chooses where a new cluster is made: in DATA_DIR, or under /var/lib/centavo when PostgreSQL's user cannot reach DATA_DIR.
 *
 * The folder there is named after a hash of DATA_DIR's path and a random part. Without the random part, a DATA_DIR that was deleted
 * and made again would meet the old data, whose password went with it.
 *
 * @param previous the directory that an interrupted attempt had chosen.
 * @returns an absolute path; its parent exists.
 */
export async function chooseClusterDirectory(options: {
  home: ClusterHome;
  runUser: RunUser | undefined;
  previous: string | undefined;
  say: (line: string) => void;
}): Promise<string> {
  const { home, runUser, previous, say } = options;
  if (runUser === undefined || (await canEnter(home.dataDir, runUser))) return home.usualDirectory;

  const prefix = `${createHash('sha256').update(home.dataDir).digest('hex').slice(0, 16)}-`;
  await mkdir(sharedRoot, { recursive: true, mode: 0o755 });
  const isPreviousThere = previous !== undefined && dirname(previous) === sharedRoot;
  const chosen = isPreviousThere ? previous : join(sharedRoot, prefix + randomBytes(4).toString('hex'));
  say(`PostgreSQL's user cannot enter ${home.dataDir}; the data goes to ${chosen} instead.`);
  for (const name of await readdir(sharedRoot)) {
    if (name.startsWith(prefix) && !name.startsWith(basename(chosen))) {
      say(
        `An earlier database of the same DATA_DIR is still in ${join(sharedRoot, name)}; delete it if you do not need it.`,
      );
    }
  }
  return chosen;
}

async function canEnter(folder: string, runUser: RunUser): Promise<boolean> {
  const { code } = await runProgram({ file: '/bin/sh', parameters: ['-c', 'cd -- "$1"', 'sh', folder], runUser });
  return code === 0;
}
