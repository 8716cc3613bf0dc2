/** Time as the transport needs it, so that tests decide when it passes. */
export interface Clock {
  /** Milliseconds since 1970, for HTTP dates; may jump when the machine's clock is set. */
  nowMs(): number;
  /** Milliseconds from an arbitrary start that never jump, for deadlines and durations. */
  elapsedMs(): number;
  /** Calls `act` after `delayMs`, unless the returned function is called before. */
  schedule(delayMs: number, act: () => void): () => void;
}

// setTimeout takes a longer delay for none at all and fires at once.
const timerMsMax = 2_147_483_647;

/** The machine's own time. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  schedule(delayMs, act) {
    if (delayMs > timerMsMax) return () => {};
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
};
