import { setTimeout as wait } from 'node:timers/promises';

/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Resolves after `delayMs`, or at once when `signal` aborts; it never rejects. */
  waitMs(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  waitMs: (delayMs, signal) => wait(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};
