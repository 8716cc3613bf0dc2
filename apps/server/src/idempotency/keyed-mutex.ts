import { ArraySet } from '../optimizations/array-set.js';

/** The queue of a key: `ended` settles when its last request has ended. */
interface Queue {
  readonly key: string;
  ended: Promise<unknown> | undefined;
}

/**
 * Runs the requests under one key one after the other. A request that waited for `waitMsMax` starts anyway. Waiting requests hold no database connection, so a storm of duplicates
 * occupies one connection and leaves the others to other callers. Duplicates in other processes wait for the advisory lock.
 */
export class KeyedMutex {
  /** One for each idempotency key of a write under way. */
  readonly #queues = new ArraySet<Queue>();

  /** Runs `work` when all earlier requests under `key` have ended, or after `waitMsMax`. */
  async run<Result>(request: {
    readonly key: string;
    readonly waitMsMax: number;
    readonly sleep: (ms: number) => Promise<void>;
    readonly work: () => Promise<Result>;
  }): Promise<Result> {
    const { key } = request;
    const queue = this.#queues.find((other) => other.key === key) ?? this.#addQueue(key);
    const earlier = queue.ended;
    const work =
      earlier === undefined
        ? request.work()
        : Promise.race([earlier, request.sleep(request.waitMsMax)]).then(() => request.work());
    const ended = Promise.allSettled([earlier, work]);
    queue.ended = ended;
    void ended.then(() => {
      if (queue.ended === ended) this.#queues.delete(queue);
    });
    return work;
  }

  #addQueue(key: string): Queue {
    const queue = { key, ended: undefined };
    this.#queues.add(queue);
    return queue;
  }
}
