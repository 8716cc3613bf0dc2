/** An operation with a deadline. */
export interface Timed {
  /** The deadline, by `performance.now()`. */
  readonly expiresAt: number;
  expire(): void;
}

const tickMs = 20;

/**
 * Calls `expire` of each operation at its deadline: up to 20 ms late, never early. One timer serves all, because a timer for each
 * operation would keep its memory alive longer (decision 0028).
 */
export class Deadlines {
  readonly #timed: Timed[] = [];
  #timer: NodeJS.Timeout | undefined;

  add(operation: Timed): void {
    this.#timed.push(operation);
    this.#timer ??= setInterval(() => this.#tick(), tickMs).unref();
  }

  /** Removes an operation that completed. Removing it again does nothing. */
  remove(operation: Timed): void {
    const index = this.#timed.indexOf(operation);
    if (index !== -1) this.#timed.splice(index, 1);
  }

  #tick(): void {
    const now = performance.now();
    // `expire` removes it.
    for (const operation of this.#timed.filter(({ expiresAt }) => expiresAt <= now)) operation.expire();
    if (this.#timed.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
