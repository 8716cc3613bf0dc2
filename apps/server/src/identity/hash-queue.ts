import { serviceUnavailable } from '../api-error.js';

interface Waiter {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Runs a few works at once and lets a few more wait, in turns between their owners. An owner with many works waiting delays
 * the others by one work each round. When the queue is full, the owner who has most waiting loses the newest of them.
 */
export class HashQueue {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  #runningCount = 0;
  #waitingCount = 0;
  /** The owner whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(options: { readonly atOnce: number; readonly waitingMax: number }) {
    this.#atOnce = options.atOnce;
    this.#waitingMax = options.waitingMax;
  }

  /**
   * Runs `work` when it is its turn.
   * @param owner on whose behalf, such as the address that a request came from
   * @throws SERVICE_UNAVAILABLE (503) when the queue is full
   */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#runningCount < this.#atOnce) this.#runningCount += 1;
    else await this.#wait(owner);
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  #wait(owner: string): Promise<void> {
    if (this.#waitingCount === this.#waitingMax) this.#makeRoomFor(owner);
    return new Promise((start, refuse) => {
      this.#waitingCount += 1;
      this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), { start, refuse }]);
    });
  }

  #makeRoomFor(owner: string): void {
    let [longest, length] = [owner, this.#waiting.get(owner)?.length ?? 0];
    for (const [other, { length: otherLength }] of this.#waiting) {
      // An owner who has none waiting yet takes the place of one who has several.
      if (otherLength > Math.max(length, 1)) [longest, length] = [other, otherLength];
    }
    if (longest === owner) throw queueFull();
    this.#waitingCount -= 1;
    this.#waiting.get(longest)?.pop()?.refuse(queueFull());
  }

  /** Hands the turn that has become free to the next owner, who then is the last in the round. */
  #startNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#runningCount -= 1;
      return;
    }
    const [owner, [first, ...others]] = next;
    this.#waiting.delete(owner);
    if (others.length > 0) this.#waiting.set(owner, others);
    this.#waitingCount -= 1;
    first?.start();
  }
}

function queueFull(): Error {
  return serviceUnavailable({
    internalReason: 'too many passwords wait to be hashed',
    message: 'Too many log-ins and registrations at once. Wait for Retry-After, then repeat the request.',
  });
}
