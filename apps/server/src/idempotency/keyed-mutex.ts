/** The queue of a key: the promise that settles when its last request has ended. */
interface Queue {
  readonly key: string;
  readonly ended: Promise<unknown>;
}

/**
 * Runs the requests under one key one after the other. Waiting requests hold no database connection, so a storm of duplicates
 * occupies one connection and leaves the others to other callers. Duplicates in other processes wait for the advisory lock.
 */
export class KeyedMutex {
  // An array, because a map frees the memory of deleted entries late (decision 0028). It has one entry per keyed write under way.
  readonly #queues: Queue[] = [];

  /** Runs `work` when all earlier requests under `key` have ended, or after `waitMsMax`. */
  async run<Result>(request: {
    readonly key: string;
    readonly waitMsMax: number;
    readonly sleep: (ms: number) => Promise<void>;
    readonly work: () => Promise<Result>;
  }): Promise<Result> {
    const { key } = request;
    const index = this.#queues.findIndex((queue) => queue.key === key);
    const earlier = this.#queues[index]?.ended;
    const work =
      earlier === undefined
        ? request.work()
        : Promise.race([earlier, request.sleep(request.waitMsMax)]).then(() => request.work());
    const queue = { key, ended: Promise.allSettled([earlier, work]) };
    this.#queues[index === -1 ? this.#queues.length : index] = queue;
    void queue.ended.then(() => this.#remove(queue));
    return work;
  }

  /** Moves the last queue to the free index. */
  #remove(queue: Queue): void {
    const index = this.#queues.indexOf(queue);
    if (index === -1) return;
    const last = this.#queues.pop();
    if (last !== undefined && last !== queue) this.#queues[index] = last;
  }
}
