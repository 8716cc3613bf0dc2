import { randomUUID } from 'node:crypto';
import { chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { ClusterHome } from './cluster-directory.js';
import { isSameProcessAlive, type ProcessIdentity } from './process-identity.js';

/** A process that uses the cluster. The id tells two uses by one process apart. */
export type ClusterHolder = ProcessIdentity & { id: string };

/** What we know of the cluster of one DATA_DIR. */
export interface ClusterState {
  /** Absolute path of the data. */
  directory: string;
  /** Of the role `centavo`. */
  password: string;
  /** False until initdb has once succeeded. */
  isInitialized: boolean;
  /** The dead among them count for nothing; see `isSameProcessAlive`. */
  holders: ClusterHolder[];
}

/**
 * Reads the state file of a cluster.
 *
 * @returns undefined when there is none yet.
 * @throws Error when it cannot be read or is damaged, with the remedy.
 */
export async function readClusterState(home: ClusterHome): Promise<ClusterState | undefined> {
  let text: string;
  try {
    text = await readFile(home.stateFile, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(
      `${home.stateFile} cannot be read (${code}). The database was made by another user: run as that user, or set DATA_DIR to a directory of your own.`,
      { cause: error },
    );
  }
  try {
    const stored = JSON.parse(text) as ClusterState & { folder?: string };
    if (typeof stored.password !== 'string' || typeof stored.directory !== 'string') throw new Error('incomplete');
    const { folder, ...state } = stored;
    // In a copy of DATA_DIR stand those who use the original; nobody uses the copy of its cluster yet.
    const isCopied = !isAbsolute(state.directory) && folder !== undefined && folder !== (await folderMark(home));
    // A cluster inside DATA_DIR is stored relative to it, so that DATA_DIR can be moved as a whole.
    return {
      ...state,
      directory: resolve(home.dataDir, state.directory),
      holders: isCopied ? [] : state.holders,
    };
  } catch (error) {
    throw new Error(`${home.stateFile} is damaged. Restore it from a backup of DATA_DIR.`, { cause: error });
  }
}

/** Replaces the state file at once or not at all. Call it only under the start lock. */
export async function writeClusterState(home: ClusterHome, state: ClusterState): Promise<void> {
  const inside = relative(home.dataDir, state.directory);
  const directory = inside.startsWith('..') || isAbsolute(inside) ? state.directory : inside;
  const { password, isInitialized, holders } = state;
  const temporary = `${home.stateFile}.${randomUUID()}`;
  const stored = { directory, folder: await folderMark(home), password, isInitialized, holders };
  await writeFile(temporary, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flush: true });
  if (process.getuid?.() === 0) {
    // Root may visit a DATA_DIR of an ordinary user (an operator's command under sudo); the owner must not be locked out by it.
    const owner = await stat(home.dataDir);
    await chown(temporary, owner.uid, owner.gid);
  }
  await rename(temporary, home.stateFile);
}

/** Names DATA_DIR itself, wherever it is moved; a copy has another. */
async function folderMark(home: ClusterHome): Promise<string> {
  return String((await stat(home.dataDir)).ino);
}

/** Gives the holders whose processes still run: a killed one could not take itself off the list. */
export async function livingHolders(state: ClusterState): Promise<ClusterHolder[]> {
  const isAlive = await Promise.all(state.holders.map(isSameProcessAlive));
  return state.holders.filter((_, position) => isAlive[position]);
}
