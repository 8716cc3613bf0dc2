import { serviceUnavailable } from '../../api-error.js';

interface Waiter {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Runs a few tasks at once and queues a few more, by turns between owners. An owner with many waiting tasks delays the others
 * by one task each round. When the queue is full, the owner with the most waiting tasks loses the newest of them.
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
   * Runs `task` at once, or queues it until its turn.
   * @param owner the key of the turns, such as the address of a request
   * @throws SERVICE_UNAVAILABLE (503) when the queue is full
   */
  async run<Result>(owner: string, task: () => Promise<Result>): Promise<Result> {
    if (this.#runningCount < this.#atOnce) this.#runningCount += 1;
    else await this.#wait(owner);
    try {
      return await task();
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
      // A newcomer may push out a task only of an owner with two or more.
      if (otherLength > Math.max(length, 1)) [longest, length] = [other, otherLength];
    }
    if (longest === owner) throw queueFull();
    this.#waitingCount -= 1;
    this.#waiting.get(longest)?.pop()?.refuse(queueFull());
  }

  /** Starts a task of the next owner, who then comes last in the round. */
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
