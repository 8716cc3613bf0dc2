import { hash, verify } from '@node-rs/argon2';
import { serviceUnavailable } from '../../api-error.js';

/** Turns passwords into hashes and compares them; an argument, so that a test can see that it was asked. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
}

// The least that OWASP's Password Storage Cheat Sheet recommends for Argon2id; argon2id is the library's default.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * How many passwords are hashed at once. Each takes a thread of libuv's pool, where the signatures of access tokens are verified
 * too, so half of the pool stays free for those.
 * @param threadPoolSize UV_THREADPOOL_SIZE, which libuv reads; 4 threads unless set
 */
export function countHashesAtOnce(threadPoolSize: string | undefined): number {
  const threadCount = threadPoolSize === undefined ? 4 : Number.parseInt(threadPoolSize, 10) || 1;
  return Math.min(hashesAtOnceMax, Math.max(1, Math.floor(threadCount / 2)));
}

const hashesAtOnceMax = 2;

/** Argon2id in the thread pool of libuv. Some 20 ms and 19 MiB each: never call it while a transaction is open. */
export const argon2id: PasswordHashing = {
  hash: (password) => hash(password, parameters),
  verify: (passwordHash, password) => verify(passwordHash, password),
};

/**
 * The hash of a password that nobody knows, made with the same parameters: a log-in under an unknown e-mail address is
 * compared with it and costs what a wrong password costs. A constant, because the first such log-in would otherwise cost
 * a hash more.
 */
export const unknownUserPasswordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$4aW9w3Ctg2qkfzkfguOuiA$UAvCrhpta1NHFi1zRkmJ2o7WsDUbimiMsQwI0MHVCx8';

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
