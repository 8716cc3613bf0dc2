const capacity = 10;
const earnedPerSuccess = 0.1;

/**
 * Limits retries, so that they do not multiply the load on a failing server. The budget starts at its maximum of ten retries, and
 * ten successful calls add one retry. A client shares its budget with all clients that `forTracker` creates from it.
 * @source packages/sdk/README.md, Retries
 */
export class RetryBudget {
  // Counts tenths of a retry, so that ten successes add exactly one retry.
  #tenths = capacity * 10;

  /** Takes one retry. Returns false if none is left. */
  take(): boolean {
    if (this.#tenths < 10) return false;
    this.#tenths -= 10;
    return true;
  }

  /** Adds a tenth of a retry for a successful call. */
  addSuccess(): void {
    this.#tenths = Math.min(capacity * 10, this.#tenths + earnedPerSuccess * 10);
  }
}
