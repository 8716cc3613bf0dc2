import { ArraySet } from './array-set.js';

/** An operation with a deadline. */
export interface Timed {
  /** The deadline, in milliseconds of `performance.now()`. */
  readonly expiresAt: number;
  expire(): void;
}

const tickMs = 20;

/**
 * Calls `expire` of each operation at its deadline: up to 20 ms late, never early. One timer serves all operations, because V8 would
 * free separate timers late (decision 0044). When each batch of statements had a separate timer, and a Map contained these timers,
 * GET /movements (benchmark W2) had only 0.77 times as many requests per second.
 */
export class Deadlines {
  readonly #timed = new ArraySet<Timed>();
  #timer: NodeJS.Timeout | undefined;

  add(operation: Timed): void {
    this.#timed.add(operation);
    this.#timer ??= setInterval(() => this.#tick(), tickMs).unref();
  }

  /** Removes an operation that completed. Removing it again does nothing. */
  remove(operation: Timed): void {
    this.#timed.delete(operation);
  }

  #tick(): void {
    const now = performance.now();
    // `expire` removes the operation, so the loop iterates over a copy.
    for (const operation of [...this.#timed].filter(({ expiresAt }) => expiresAt <= now)) operation.expire();
    if (this.#timed.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
