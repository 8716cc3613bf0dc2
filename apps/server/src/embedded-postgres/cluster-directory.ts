import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sharedRoot } from './binaries.js';
import type { ClusterHome } from './cluster-home.js';
import { type RunUser, runProgram } from './run-program.js';

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
