const capacity = 10;
const earnedPerSuccess = 0.1;

/**
 * What keeps retries from multiplying the load on a server that is in trouble: ten of them are free, further ones are
 * earned, one by every ten successes. All clients made by `forTracker` share one budget.
 * @source reliability, SDK
 */
export class RetryBudget {
  // Counted in tenths, so that ten successes make exactly one retry.
  #tenths = capacity * 10;

  /** Takes one retry; false if none is left. */
  take(): boolean {
    if (this.#tenths < 10) return false;
    this.#tenths -= 10;
    return true;
  }

  /** Credits one success. */
  earn(): void {
    this.#tenths = Math.min(capacity * 10, this.#tenths + earnedPerSuccess * 10);
  }
}
