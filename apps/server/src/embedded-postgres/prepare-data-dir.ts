import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

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
