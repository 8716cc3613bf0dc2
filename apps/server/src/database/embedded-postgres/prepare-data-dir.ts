import { mkdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';

/**
 * Makes DATA_DIR if it is absent, and gives its real path.
 *
 * As root it is made 0711: PostgreSQL's user has to pass through it to its own folder, but may not list it. Otherwise 0700.
 * A directory that exists keeps its mode: it is the operator's.
 *
 * @throws Error with the remedy when it cannot be made.
 */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  try {
    await mkdir(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    // The real path, so that two names of one directory share one lock and one database.
    return await realpath(path);
  } catch (error) {
    throw new Error(`DATA_DIR ${path} cannot be made. Set DATA_DIR to a directory that this user may write.`, {
      cause: error,
    });
  }
}
