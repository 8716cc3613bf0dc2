const capacity = 10;
const earnedPerSuccess = 0.1;

/**
 * Limits retries, so that they do not multiply the load on a failing server: ten are free, and ten successes add one
 * more. All clients made by `forTracker` share one budget.
 * @source reliability, SDK
 */
export class RetryBudget {
  // Counted in tenths, so that ten successes make exactly one retry.
  #tenths = capacity * 10;

  /** Takes one retry. Returns false if none is left. */
  take(): boolean {
    if (this.#tenths < 10) return false;
    this.#tenths -= 10;
    return true;
  }

  /** Adds one success. */
  addSuccess(): void {
    this.#tenths = Math.min(capacity * 10, this.#tenths + earnedPerSuccess * 10);
  }
}
