import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Binaries, prepareBinaries } from './binaries.js';
import { type ClusterHome, clusterHome, prepareDataDir } from './cluster-directory.js';
import { livingHolders, readClusterState, writeClusterState } from './cluster-state.js';
import { createCluster } from './create-cluster.js';
import { launchPostmaster } from './launch-postmaster.js';
import { ensureDatabase, openServingLogin } from './owner-connection.js';
import { findPostmaster, findPostmasterProcess } from './postmaster.js';
import { currentProcess, isProcessAlive, untilProcessEnds } from './process-identity.js';
import { chooseRunUser, runProgram } from './run-program.js';
import { withStartLock } from './start-lock.js';

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

const pollMs = 20;
// Fast shutdown writes a checkpoint; on a slow disk with full buffers that is some ten seconds.
const fastMsMax = 60_000;
const immediateMsMax = 15_000;

/**
 * Takes one holder off the cluster, and shuts PostgreSQL down if nobody alive is left. Call it under the start lock.
 *
 * @throws Error when PostgreSQL does not end, naming its process.
 */
export async function releaseCluster(options: {
  home: ClusterHome;
  holderId: string;
  binaries: Binaries;
}): Promise<void> {
  const state = await readClusterState(options.home);
  if (state === undefined) return;
  const holders = (await livingHolders(state)).filter((holder) => holder.id !== options.holderId);
  await writeClusterState(options.home, { ...state, holders });
  if (holders.length > 0) return;

  const pid = (await findPostmasterProcess(state.directory))?.pid;
  if (pid === undefined) return;
  if (await endsAfter({ pid, signal: 'INT', waitMsMax: fastMsMax, binaries: options.binaries })) return;
  // Immediate shutdown loses nothing that was committed: the next start replays the log.
  if (await endsAfter({ pid, signal: 'QUIT', waitMsMax: immediateMsMax, binaries: options.binaries })) return;
  throw new Error(`PostgreSQL (process ${pid}) does not end. Stop it by hand.`);
}

async function endsAfter(options: {
  pid: number;
  signal: 'INT' | 'QUIT';
  waitMsMax: number;
  binaries: Binaries;
}): Promise<boolean> {
  const { pid, signal, waitMsMax, binaries } = options;
  if (process.platform === 'win32') {
    // Windows has no signals; PostgreSQL's own tool sends its substitute for them.
    await runProgram({ file: binaries.pgCtl, parameters: ['kill', signal, String(pid)], runUser: undefined });
  } else {
    try {
      process.kill(pid, `SIG${signal}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
      throw error;
    }
  }
  const deadline = performance.now() + waitMsMax;
  while (await isProcessAlive(pid)) {
    if (performance.now() > deadline) return false;
    await delay(pollMs);
  }
  return true;
}
