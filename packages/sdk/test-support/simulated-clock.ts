import type { Clock } from '../src/transport/clock.js';

interface Timer {
  readonly dueMs: number;
  readonly act: () => void;
}

/** A clock that advances only when no other code can run. It then jumps to the time of the next timer. */
export class SimulatedClock implements Clock {
  #elapsedMs = 0;
  readonly #startMs: number;
  readonly #timers = new Set<Timer>();

  constructor(startMs = Date.UTC(2026, 0, 31, 12)) {
    this.#startMs = startMs;
  }

  nowMs(): number {
    return this.#startMs + this.#elapsedMs;
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  schedule(delayMs: number, act: () => void): () => void {
    const timer = { dueMs: this.#elapsedMs + delayMs, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** The number of pending timers. Must be 0 after a call of an SDK method has settled. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Advances time until the promise settles, and returns its result. */
  async settle<Value>(promise: PromiseLike<Value>): Promise<Value> {
    let settled = false;
    const watched = Promise.resolve(promise).finally(() => {
      settled = true;
    });
    watched.catch(() => {});
    while (!settled) {
      // Lets the event loop run once, so that all promises that do not wait for a timer continue.
      await new Promise((resolve) => setImmediate(resolve));
      if (!settled) this.#jump();
    }
    return watched;
  }

  /** Advances time until the promise rejects, and returns the rejection reason. */
  async failure(promise: PromiseLike<unknown>): Promise<unknown> {
    return this.settle(promise).then(
      () => {
        throw new Error('The call succeeded');
      },
      (reason: unknown) => reason,
    );
  }

  #jump(): void {
    const next = [...this.#timers].sort((one, other) => one.dueMs - other.dueMs)[0];
    if (next === undefined) return;
    this.#timers.delete(next);
    this.#elapsedMs = Math.max(this.#elapsedMs, next.dueMs);
    next.act();
  }
}
