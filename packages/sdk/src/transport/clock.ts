/** The time source of the transport, which tests replace. */
export interface Clock {
  /** Returns milliseconds since 1970, for HTTP dates. The value may jump when the machine's clock is set. */
  nowMs(): number;
  /** Returns monotonic milliseconds from an arbitrary start, for deadlines and durations. */
  elapsedMs(): number;
  /** Calls `act` after `delayMs`. The returned function cancels the call. */
  schedule(delayMs: number, act: () => void): () => void;
}

// The longest delay of `setTimeout`, in milliseconds. With a longer delay, `setTimeout` would fire at once. For such a delay, the clock
// therefore sets no timer.
const timerMsMax = 2_147_483_647;

/** The clock of the machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  schedule(delayMs, act) {
    if (delayMs > timerMsMax) return () => {};
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
};
