import { setTimeout as delay } from 'node:timers/promises';
import { isProcessAlive } from './process-identity.js';

const pollMs = 500;

/**
 * Waits until a process has ended, whoever ended it and however. It looks again and again, because nothing tells us of the
 * end of a process that is not our child. Waiting alone does not keep this process alive.
 *
 * @param options.giveUp once aborted, nobody looks any more and the promise stays open for ever.
 */
export async function untilProcessEnds(options: { pid: number; giveUp: AbortSignal }): Promise<void> {
  const { pid, giveUp } = options;
  while (!giveUp.aborted) {
    const isAlive = await isProcessAlive(pid);
    if (!isAlive && !giveUp.aborted) return;
    await delay(pollMs, undefined, { ref: false });
  }
  await new Promise<never>(() => {});
}
