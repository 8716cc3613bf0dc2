import { randomUUID } from 'node:crypto';
import { chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { ClusterPaths } from './cluster-directory.js';
import { isSameProcessAlive, type ProcessIdentity } from './process-identity.js';

/** A process that uses the cluster. `id` distinguishes two uses by one process. */
export type ClusterHolder = ProcessIdentity & { id: string };

/** The stored state of the PostgreSQL cluster of one DATA_DIR. */
export interface ClusterState {
  /** The absolute path of the cluster's data directory, which may be outside DATA_DIR. */
  directory: string;
  /** The password of the role `centavo`. */
  password: string;
  /** False until initdb has succeeded. */
  isInitialized: boolean;
  /** The processes that use the cluster. The list may also contain processes that have ended; see `liveHolders`. */
  holders: ClusterHolder[];
}

/**
 * Reads the state file of a cluster.
 *
 * @returns undefined if the file does not exist yet.
 * @throws Error with the remedy if the file cannot be read or is damaged.
 */
export async function readClusterState(paths: ClusterPaths): Promise<ClusterState | undefined> {
  let text: string;
  try {
    text = await readFile(paths.stateFile, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(
      `${paths.stateFile} cannot be read (${code}). If another user created the database, run as that user, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
  try {
    const stored = JSON.parse(text) as ClusterState & { folder?: string };
    if (typeof stored.password !== 'string' || typeof stored.directory !== 'string') throw new Error('incomplete');
    // The field `folder` is the inode of the DATA_DIR for which the file was written.
    const { folder: storedInode, ...state } = stored;
    // If DATA_DIR is a copy of another DATA_DIR and contains the copied cluster, the state file is a copy too. The processes that it lists
    // as holders use the original cluster, and no process uses the copied cluster yet.
    const isInside = !isAbsolute(state.directory);
    const isCopied = isInside && storedInode !== undefined && storedInode !== (await dataDirInode(paths));
    // The path of a cluster inside DATA_DIR is stored relative to DATA_DIR, so that DATA_DIR can be moved as a whole.
    return {
      ...state,
      directory: resolve(paths.dataDir, state.directory),
      holders: isCopied ? [] : state.holders,
    };
  } catch (error) {
    throw new Error(`${paths.stateFile} is damaged. Restore it from a backup of DATA_DIR.`, { cause: error });
  }
}

/** Replaces the state file atomically. The caller holds the start lock. */
export async function writeClusterState(paths: ClusterPaths, state: ClusterState): Promise<void> {
  const inside = relative(paths.dataDir, state.directory);
  const directory = inside.startsWith('..') || isAbsolute(inside) ? state.directory : inside;
  const { password, isInitialized, holders } = state;
  const temporary = `${paths.stateFile}.${randomUUID()}`;
  const stored = { directory, folder: await dataDirInode(paths), password, isInitialized, holders };
  await writeFile(temporary, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flush: true });
  if (process.getuid?.() === 0) {
    // Root may use the DATA_DIR of an ordinary user, for example in a command under sudo. That user must keep access to the
    // state file.
    const owner = await stat(paths.dataDir);
    await chown(temporary, owner.uid, owner.gid);
  }
  await rename(temporary, paths.stateFile);
}

/** Returns the inode of DATA_DIR. A directory that is moved within its file system keeps its inode; a copy has a different one. */
async function dataDirInode(paths: ClusterPaths): Promise<string> {
  return String((await stat(paths.dataDir)).ino);
}

/** Returns the holders whose processes still run. A killed process could not remove itself from the list. */
export async function liveHolders(state: ClusterState): Promise<ClusterHolder[]> {
  const isAlive = await Promise.all(state.holders.map(isSameProcessAlive));
  return state.holders.filter((_, position) => isAlive[position]);
}
