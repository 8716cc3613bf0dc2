import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import type { ClusterHome } from './cluster-home.js';
import { livingHolders, readClusterState, writeClusterState } from './cluster-state.js';
import { findPostmasterProcess } from './postmaster-process.js';
import { isProcessAlive } from './process-identity.js';
import { runProgram } from './run-program.js';

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
