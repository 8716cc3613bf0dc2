import { serviceUnavailable } from '../../api-error.js';

/** Hashes and verifies passwords. An interface, so that tests can replace the implementation. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
}

// The minimum parameters for Argon2id in OWASP's Password Storage Cheat Sheet. The library uses Argon2id by default.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Returns the number of passwords that are hashed concurrently: 1 or 2. Each hash occupies a thread of libuv's pool, which also verifies
 * the signatures of access tokens. At least half of the pool stays free for these signatures, unless it has only one thread.
 * @param threadPoolSize the value of UV_THREADPOOL_SIZE, which libuv reads; undefined if the variable is not set (libuv then has 4 threads)
 */
export function countHashesAtOnce(threadPoolSize: string | undefined): number {
  const threadCount = threadPoolSize === undefined ? 4 : Number.parseInt(threadPoolSize, 10) || 1;
  return Math.min(hashesAtOnceMax, Math.max(1, Math.floor(threadCount / 2)));
}

const hashesAtOnceMax = 2;

let loading: Promise<typeof import('@node-rs/argon2')> | undefined;

/**
 * Loads the native module of Argon2id. If it were imported statically, a failure to load it would end every command, even `--version`.
 * @throws Error with the reason and the remedy if the native module is missing or cannot be loaded
 */
export function loadArgon2(): Promise<typeof import('@node-rs/argon2')> {
  loading ??= import('@node-rs/argon2').catch((error: unknown) => {
    throw explainMissingArgon2(error);
  });
  return loading;
}

/**
 * Returns an error with one sentence about the reason and one about the remedy. The error of @node-rs/argon2 itself blames a bug of npm,
 * although the usual reason is an installation with `--omit=optional`. That error has a chain of causes, one for each file that the package
 * tried to load.
 * @param error the error of importing @node-rs/argon2
 */
export function explainMissingArgon2(error: unknown): Error {
  // Checks the messages of the causes, because the causes have no error code for a missing file.
  const found = causesOf(error).find(({ message }) => !message.startsWith('Cannot find module'));
  const message =
    found === undefined
      ? 'is missing, because optional dependencies were left out. Install again without --omit=optional.'
      : `cannot be loaded (${found.message.split('\n')[0]}). Install again on this machine.`;
  return new Error(`The native module of @node-rs/argon2 ${message}`, { cause: error });
}

/** Returns the chain of causes of an error, or only the error itself if it has no cause. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  let { cause } = error as Error;
  while (cause instanceof Error) {
    causes.push(cause);
    ({ cause } = cause);
  }
  return causes.length > 0 ? causes : [error as Error];
}

/** Argon2id in libuv's thread pool. Each call takes about 20 ms and 19 MiB: never call it in an open transaction. */
export const argon2id: PasswordHashing = {
  hash: async (password) => (await loadArgon2()).hash(password, parameters),
  verify: async (passwordHash, password) => (await loadArgon2()).verify(passwordHash, password),
};

/**
 * The hash of a random password that is not stored, with the same parameters as the hashes of users. A login with an unknown e-mail
 * address verifies this hash, and so takes as long as a login with a wrong password. The hash is a constant: if the server computed it at
 * the first login with an unknown address, that login would take longer.
 */
export const unknownUserPasswordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$4aW9w3Ctg2qkfzkfguOuiA$UAvCrhpta1NHFi1zRkmJ2o7WsDUbimiMsQwI0MHVCx8';

interface Waiter {
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs a limited number of tasks concurrently, and queues the others. Waiting tasks start round-robin by owner, so an owner with many
 * tasks delays every other owner by only one task per round. When the queue is full, a new task evicts the newest waiting task of the
 * owner with the most waiting tasks, if that owner has at least two and more than the owner of the new task. Otherwise the new task is
 * rejected.
 */
export class HashQueue {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  #runningCount = 0;
  #waitingCount = 0;
  /** The waiting tasks of each owner. The owners are in round-robin order: the next owner comes first. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(options: { readonly atOnce: number; readonly waitingMax: number }) {
    this.#atOnce = options.atOnce;
    this.#waitingMax = options.waitingMax;
  }

  /**
   * Runs `task` at once or queues it.
   * @param owner the key for the round-robin order, such as the address block of a request
   * @throws SERVICE_UNAVAILABLE (503) if the full queue rejects this task at once, or evicts it later for a task of another owner
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
    if (this.#waitingCount === this.#waitingMax) this.#evictFor(owner);
    return new Promise((start, reject) => {
      this.#waitingCount += 1;
      this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), { start, reject }]);
    });
  }

  /** Rejects a waiting task in favour of a new task of `owner`, or throws if the new task must be rejected. */
  #evictFor(owner: string): void {
    let [longest, length] = [owner, this.#waiting.get(owner)?.length ?? 0];
    for (const [other, { length: otherLength }] of this.#waiting) {
      // Evicts only from an owner with at least two waiting tasks.
      if (otherLength > Math.max(length, 1)) [longest, length] = [other, otherLength];
    }
    if (longest === owner) throw queueFull();
    this.#waitingCount -= 1;
    this.#waiting.get(longest)?.pop()?.reject(queueFull());
  }

  /** Starts the first task of the next owner, and moves this owner to the end of the order. */
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
    message: 'Too many logins and registrations at once. Wait for the time in Retry-After, then repeat the request.',
  });
}

// With at most 32 waiting tasks, a waiting request gets its response within about a second, even on two busy processors.
const hashesWaitingMax = 32;

/** Creates the queue in which the passwords of this process wait to be hashed. */
export function openHashQueue(): HashQueue {
  return new HashQueue({
    atOnce: countHashesAtOnce(process.env.UV_THREADPOOL_SIZE),
    waitingMax: hashesWaitingMax,
  });
}
