import { randomUUID } from 'node:crypto';
import { prepareBinaries } from './binaries.js';
import { chooseRunUser } from './choose-run-user.js';
import { clusterHome } from './cluster-home.js';
import { livingHolders, readClusterState, writeClusterState } from './cluster-state.js';
import { createCluster } from './create-cluster.js';
import { ensureDatabase } from './ensure-database.js';
import { launchPostmaster } from './launch-postmaster.js';
import { openServingLogin } from './owner-connection.js';
import { findPostmaster } from './postmaster.js';
import { prepareDataDir } from './prepare-data-dir.js';
import { currentProcess } from './process-identity.js';
import { releaseCluster } from './release-cluster.js';
import { withStartLock } from './start-lock.js';
import { untilProcessEnds } from './until-process-ends.js';

/** A PostgreSQL server of our own, reachable on 127.0.0.1 only. */
export interface EmbeddedPostgres {
  /** Of the cluster's owner, a superuser. Contains the password: never log it. */
  connectionString: string;
  /** Makes or renews the login that serves, once the database is migrated. Returns its connection string: never log it. */
  openServingLogin(): Promise<string>;
  /** True when this start made the database, so that it is still without tables. */
  isNew: boolean;
  /** Where the data lies; not always inside DATA_DIR, see `chooseClusterDirectory`. */
  directory: string;
  /** Process id of the postmaster. */
  pid: number;
  /** Resolves with what to tell the operator once PostgreSQL has ended before `stop` was called; nobody starts it again. */
  untilLost(): Promise<string>;
  /** Leaves the cluster. The last process to leave shuts PostgreSQL down and waits until it has. */
  stop(): Promise<void>;
}

/**
 * Gives a running PostgreSQL whose data lies in `dataDir`, creating the cluster, starting it or joining it as needed.
 *
 * A PostgreSQL that outlived its server (kill -9) is adopted. While another process of ours uses it, we join as a guest:
 * whoever leaves last stops it, so neither a guest's end nor its owner's takes the database away from the other.
 * Several processes may call this at once on one `dataDir`; they take turns.
 *
 * @param dataDir made if absent; a path of any kind, also one that PostgreSQL's user cannot reach.
 * @param say is told, one line at a time, what an operator may want to know.
 * @param durable `false` turns fsync off: only for data that may be lost, such as a test's.
 * @throws Error with the reason and the remedy when PostgreSQL cannot be had on this machine.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  say: (line: string) => void;
  durable?: boolean;
}): Promise<EmbeddedPostgres> {
  const { say, durable = true } = options;
  const dataDir = await prepareDataDir(options.dataDir);
  const home = clusterHome(dataDir);
  return withStartLock(home.lockPrefix, async () => {
    const runUser = await chooseRunUser({ directory: (await readClusterState(home))?.directory, say });
    const binaries = await prepareBinaries({ runUser, say });
    const cluster = await createCluster({ home, binaries, runUser, durable, say });
    if (cluster.directory !== home.usualDirectory) say(`The data of ${dataDir} is in ${cluster.directory}.`);
    const running =
      (await findPostmaster({ directory: cluster.directory, password: cluster.password })) ??
      (await launchPostmaster({ home, ...cluster, binaries, runUser, durable }));
    if (running.wasRunning) say(`PostgreSQL was already running (process ${running.pid}); using it.`);

    const holder = { id: randomUUID(), ...(await currentProcess()) };
    await writeClusterState(home, { ...cluster, holders: [...(await livingHolders(cluster)), holder] });
    const leave = (): Promise<void> => releaseCluster({ home, holderId: holder.id, binaries });
    const isNew = await ensureDatabase({ port: running.port, password: cluster.password }).catch(async (error) => {
      // Nobody would ever stop a PostgreSQL whose start we report as failed.
      await leave();
      throw error;
    });

    const stopping = new AbortController();
    let leaving: Promise<void> | undefined;
    return {
      connectionString: running.connectionString,
      openServingLogin: () => openServingLogin(running),
      isNew,
      directory: cluster.directory,
      pid: running.pid,
      async untilLost() {
        await untilProcessEnds({ pid: running.pid, giveUp: stopping.signal });
        return `The embedded PostgreSQL (process ${running.pid}) has ended without being asked to. Its log is ${home.logFile}.`;
      },
      stop() {
        stopping.abort();
        leaving ??= withStartLock(home.lockPrefix, leave);
        return leaving;
      },
    };
  });
}
