import { setTimeout as delay } from 'node:timers/promises';
import { connectionStringOf, withOwnerConnection } from './owner-connection.js';
import { findPostmasterProcess, type PostmasterProcess } from './postmaster-process.js';

/** A PostgreSQL that accepts our connections. */
export interface Postmaster extends PostmasterProcess {
  /** Contains the password: never log it. */
  connectionString: string;
  wasRunning: boolean;
}

const pollMs = 50;
// After a crash PostgreSQL first replays its log; that takes seconds, on a slow disk a minute.
const waitMsMax = 120_000;

/**
 * Finds the PostgreSQL that runs on `directory` and proves by connecting that it is ours. Waits while it starts up or shuts down.
 *
 * @returns undefined when none runs.
 * @throws Error when one runs that does not let us in, naming its process.
 */
export async function findPostmaster(cluster: {
  directory: string;
  password: string;
}): Promise<Postmaster | undefined> {
  const { directory, password } = cluster;
  const deadline = performance.now() + waitMsMax;
  for (;;) {
    const found = await findPostmasterProcess(directory);
    if (found === undefined) return undefined;
    const address = { port: found.port, password };
    const failure = await tryToConnect(address);
    if (failure === undefined) return { ...found, connectionString: connectionStringOf(address), wasRunning: true };
    if (!isPassing(failure) || performance.now() > deadline) {
      throw new Error(
        `Process ${found.pid} runs PostgreSQL on ${directory} but does not let us in (${failure.message}). Stop that process, then start again.`,
        { cause: failure },
      );
    }
    await delay(pollMs);
  }
}

/** Tries one connection; gives the failure, or undefined when it worked. */
export async function tryToConnect(address: { port: number; password: string }): Promise<Error | undefined> {
  try {
    await withOwnerConnection(address, async () => undefined);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function isPassing(failure: Error): boolean {
  const code = (failure as NodeJS.ErrnoException).code;
  // 57P03: starting up or shutting down. The rest: not listening yet, or no longer.
  return code === '57P03' || code === 'ECONNREFUSED' || code === 'ECONNRESET' || failure.message.includes('terminated');
}
