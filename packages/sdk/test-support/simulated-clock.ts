import type { Clock } from '../src/transport/clock.js';

interface Timer {
  readonly dueMs: number;
  readonly act: () => void;
}

/** A clock in which time passes only when nothing else can happen: then it jumps to the next timer. */
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

  /** Timers that are still set: none once a call has ended. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets time pass until the promise has settled, and gives its result. */
  async settle<Value>(promise: PromiseLike<Value>): Promise<Value> {
    let settled = false;
    const watched = Promise.resolve(promise).finally(() => {
      settled = true;
    });
    watched.catch(() => {});
    while (!settled) {
      // A turn of the event loop: every promise that can go on without time passing does.
      await new Promise((resolve) => setImmediate(resolve));
      if (!settled) this.#jump();
    }
    return watched;
  }

  /** The reason for which the promise is rejected. */
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
