import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Binaries, prepareBinaries } from './binaries.js';
import { type ClusterPaths, clusterPaths, prepareDataDir } from './cluster-directory.js';
import { liveHolders, readClusterState, writeClusterState } from './cluster-state.js';
import { createCluster } from './create-cluster.js';
import { launchPostmaster } from './launch-postmaster.js';
import { ensureDatabase, prepareServingLogin, removePostgresVariables } from './owner-connection.js';
import { findPostmaster, findPostmasterProcess } from './postmaster.js';
import { currentProcess, isProcessAlive, waitForProcessExit } from './process-identity.js';
import { chooseRunUser, runProgram } from './run-program.js';
import { withStartLock } from './start-lock.js';

/** A PostgreSQL server that this program manages. It listens on 127.0.0.1 only. */
export interface EmbeddedPostgres {
  /** The connection string of the cluster's owner, a superuser. Contains the password: never log it. */
  connectionString: string;
  /**
   * Creates the PostgreSQL login role that the server uses for requests, or restores the privileges and the password of that role. The
   * database must be migrated. Returns the connection string of the login: never log it.
   */
  prepareServingLogin(): Promise<string>;
  /** True if this start created the database, which then has no tables yet. */
  isNew: boolean;
  /** PostgreSQL's data directory; not always inside DATA_DIR, see `chooseClusterDirectory`. */
  directory: string;
  /** The process ID of the postmaster. */
  pid: number;
  /** Resolves with a message for the operator if PostgreSQL ends before `stop` is called. This module does not restart it. */
  waitForFailure(): Promise<string>;
  /** Releases the cluster. The last process that does so shuts PostgreSQL down and waits for the exit. */
  stop(): Promise<void>;
}

/**
 * Returns the PostgreSQL of `dataDir`. Creates the cluster if it is absent, and starts PostgreSQL if it is not running.
 *
 * Reuses a running PostgreSQL, even if the Centavo server that started it was killed. Several processes may share one PostgreSQL. It is
 * stopped when the last process releases it, so the exit of one process does not take the database away from another. Concurrent calls for
 * the same `dataDir` run one after the other. Removes the PG… variables of libpq from the environment of this process.
 *
 * @param options.dataDir created if absent; the system user that runs PostgreSQL needs no access to it.
 * @param options.report receives progress messages for the operator, one line at a time.
 * @param options.durable `false` turns off all protection against a crash of the machine. Use `false` only for data that may be lost, such
 *   as the data of a test.
 * @throws Error with the reason and the remedy if PostgreSQL cannot run on this machine.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  report: (line: string) => void;
  durable?: boolean;
}): Promise<EmbeddedPostgres> {
  const { report, durable = true } = options;
  removePostgresVariables(process.env);
  const dataDir = await prepareDataDir(options.dataDir);
  const paths = clusterPaths(dataDir);
  return withStartLock(paths.lockPrefix, async () => {
    const runUser = await chooseRunUser({ directory: (await readClusterState(paths))?.directory, report });
    const binaries = await prepareBinaries({ runUser, report });
    const cluster = await createCluster({ paths, binaries, runUser, durable, report });
    if (cluster.directory !== paths.defaultDirectory) report(`The data of ${dataDir} is in ${cluster.directory}.`);
    const running =
      (await findPostmaster({ directory: cluster.directory, password: cluster.password })) ??
      (await launchPostmaster({ paths, ...cluster, binaries, runUser, durable }));
    if (running.wasRunning) report(`PostgreSQL was already running (process ${running.pid}); using it.`);

    const holder = { id: randomUUID(), ...(await currentProcess()) };
    await writeClusterState(paths, { ...cluster, holders: [...(await liveHolders(cluster)), holder] });
    const release = (): Promise<void> => releaseCluster({ paths, holderId: holder.id, binaries });
    const isNew = await ensureDatabase({ port: running.port, password: cluster.password }).catch(async (error) => {
      // After an error the caller has no `stop` function to call, so PostgreSQL must be released here.
      await release();
      throw error;
    });

    const stopping = new AbortController();
    let releasing: Promise<void> | undefined;
    return {
      connectionString: running.connectionString,
      prepareServingLogin: () => prepareServingLogin(running),
      isNew,
      directory: cluster.directory,
      pid: running.pid,
      async waitForFailure() {
        await waitForProcessExit({ pid: running.pid, signal: stopping.signal });
        return `The embedded PostgreSQL (process ${running.pid}) has ended unexpectedly. Its log is ${paths.logFile}.`;
      },
      stop() {
        stopping.abort();
        releasing ??= withStartLock(paths.lockPrefix, release);
        return releasing;
      },
    };
  });
}

/**
 * Finds the running PostgreSQL of `dataDir`, for an operator's command. A Centavo server may run at the same time. Starts and writes
 * nothing. Removes the PG… variables of libpq from the environment of this process.
 *
 * @returns the connection string, or undefined if PostgreSQL does not run. The string contains the password: never log it.
 * @throws Error if a PostgreSQL runs but does not accept the connection, or if the state file cannot be read or is damaged.
 */
export async function findRunningEmbeddedPostgres({ dataDir }: { dataDir: string }): Promise<string | undefined> {
  removePostgresVariables(process.env);
  const state = await readClusterState(clusterPaths(dataDir));
  if (state === undefined) return undefined;
  return (await findPostmaster(state))?.connectionString;
}

const pollMs = 20;
// Fast shutdown (SIGINT) writes a checkpoint, which takes about ten seconds on a slow disk with full buffers.
const fastMsMax = 60_000;
const immediateMsMax = 15_000;

/**
 * Removes one holder from the list of processes that use the cluster. Shuts PostgreSQL down if no process in the list is alive. The caller
 * holds the start lock.
 *
 * @throws Error with PostgreSQL's process ID if PostgreSQL does not end.
 */
export async function releaseCluster(options: {
  paths: ClusterPaths;
  holderId: string;
  binaries: Binaries;
}): Promise<void> {
  const state = await readClusterState(options.paths);
  if (state === undefined) return;
  const holders = (await liveHolders(state)).filter((holder) => holder.id !== options.holderId);
  await writeClusterState(options.paths, { ...state, holders });
  if (holders.length > 0) return;

  const pid = (await findPostmasterProcess(state.directory))?.pid;
  if (pid === undefined) return;
  if (await signalAndWaitForExit({ pid, signal: 'INT', waitMsMax: fastMsMax, binaries: options.binaries })) return;
  // Immediate shutdown (SIGQUIT) loses no committed data: the next start replays the write-ahead log.
  if (await signalAndWaitForExit({ pid, signal: 'QUIT', waitMsMax: immediateMsMax, binaries: options.binaries }))
    return;
  throw new Error(`PostgreSQL (process ${pid}) does not stop. End that process.`);
}

async function signalAndWaitForExit(options: {
  pid: number;
  signal: 'INT' | 'QUIT';
  waitMsMax: number;
  binaries: Binaries;
}): Promise<boolean> {
  const { pid, signal, waitMsMax, binaries } = options;
  if (process.platform === 'win32') {
    // Windows has no signals; `pg_ctl kill` uses PostgreSQL's replacement for signals.
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
