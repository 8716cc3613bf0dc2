import { ArraySet } from '../optimizations/array-set.js';

/** The queue of an idempotency key. `ended` settles when the last request in the queue has ended. */
interface Queue {
  readonly key: string;
  ended: Promise<unknown> | undefined;
}

/**
 * Runs the requests with the same key one after the other. A request that waited for `waitMsMax` starts anyway. Waiting requests use
 * no database connection, so many concurrent duplicates occupy only one connection. Duplicates in other processes do not queue
 * here. They do not get the advisory lock of the key, and try again every 20 to 80 ms (`retryTransaction`).
 */
export class KeyedMutex {
  /** One queue for each idempotency key of a write in progress. */
  readonly #queues = new ArraySet<Queue>();

  /**
   * Runs `work` when all earlier requests under any of the keys have ended, or after `waitMsMax`. A request joins the queues of
   * all its keys in one step, so two requests never wait for each other.
   */
  async run<Result>(request: {
    readonly keys: readonly string[];
    readonly waitMsMax: number;
    readonly sleep: (ms: number) => Promise<void>;
    readonly work: () => Promise<Result>;
  }): Promise<Result> {
    const queues = request.keys.map((key) => this.#queues.find((queue) => queue.key === key) ?? this.#addQueue(key));
    const earlier = queues.flatMap(({ ended }) => ended ?? []);
    const work =
      earlier.length === 0
        ? request.work()
        : Promise.race([Promise.all(earlier), request.sleep(request.waitMsMax)]).then(() => request.work());
    const ended = Promise.allSettled([...earlier, work]);
    for (const queue of queues) queue.ended = ended;
    void ended.then(() => {
      for (const queue of queues) if (queue.ended === ended) this.#queues.delete(queue);
    });
    return work;
  }

  #addQueue(key: string): Queue {
    const queue = { key, ended: undefined };
    this.#queues.add(queue);
    return queue;
  }
}
