import type { Clock } from './clock.js';
import { untilAborted } from './until-aborted.js';

/**
 * Waits `delayMs`, or until the signal ends the call.
 * @throws the signal's reason
 */
export async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  let cancel = () => {};
  const passed = new Promise<void>((resolve) => {
    cancel = clock.schedule(delayMs, resolve);
  });
  try {
    await untilAborted(passed, signal);
  } finally {
    cancel();
  }
}
