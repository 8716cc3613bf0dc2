import { join, resolve } from 'node:path';

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
