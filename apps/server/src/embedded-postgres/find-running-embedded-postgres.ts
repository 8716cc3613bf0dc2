import { clusterHome } from './cluster-home.js';
import { readClusterState } from './cluster-state.js';
import { findPostmaster } from './postmaster.js';

/**
 * Finds the PostgreSQL that runs on `dataDir`, for an operator's command beside a running server. Starts nothing and writes nothing.
 *
 * @returns its connection string (it contains the password: never log it), or undefined when none runs.
 * @throws Error when one runs but does not accept the stored password, or when the state file belongs to another user.
 */
export async function findRunningEmbeddedPostgres({ dataDir }: { dataDir: string }): Promise<string | undefined> {
  const state = await readClusterState(clusterHome(dataDir));
  if (state === undefined) return undefined;
  return (await findPostmaster(state))?.connectionString;
}
