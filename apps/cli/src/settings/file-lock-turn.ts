import { readFile, rm } from 'node:fs/promises';
import { InterruptedError } from '../cli-error.js';
import type { Clock } from '../clock.js';
import { tryCreateLock, withFileLock } from './file-lock.js';
import { describeOwner, isAbandoned, readOwnerPid } from './file-lock-owner.js';

/** How waiting for a turn meets the world. */
export interface TurnOptions {
  readonly clock: Clock;
  /** Ctrl-C ends the wait. */
  readonly interruption: AbortSignal;
  /** Called once, when it is somebody else's turn. */
  readonly onWait: (pid: number | undefined) => void;
}

/**
 * Takes a lock file for work that may last for hours, and waits for it as long as another process is at work: no age
 * makes a lock void, only the end of its process does. The path has to be of this machine alone, because a process of
 * another one cannot be asked after.
 *
 * @returns what ends the turn
 * @throws InterruptedError (exit 130) when Ctrl-C ended the wait; the system's error where no lock can be made
 */
export async function takeTurn(path: string, options: TurnOptions): Promise<() => Promise<void>> {
  const { clock, interruption, onWait } = options;
  const mine = await describeOwner();
  let isTold = false;
  while (!(await tryCreateLock(path, mine))) {
    if (interruption.aborted) throw new InterruptedError();
    const held = await readIfThere(path);
    if (held === undefined) continue;
    if (await isAbandoned(held)) {
      await withFileLock(`${path}.takeover`, clock, () => removeIfStill(path, held));
      continue;
    }
    if (!isTold) onWait(readOwnerPid(held));
    isTold = true;
    await clock.waitMs(lookEveryMs, interruption);
  }
  return () => rm(path, { force: true });
}

const lookEveryMs = 100;

/** One process at a time does this, so that none takes away the lock of whoever was quicker. */
async function removeIfStill(path: string, abandoned: string): Promise<void> {
  if ((await readIfThere(path)) === abandoned) await rm(path, { force: true });
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
