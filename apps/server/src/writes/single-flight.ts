/**
 * Lets the requests under one key go ahead one after the other, and those behind wait without a database connection: a storm
 * of duplicates then holds one connection and one turn of this process, and strangers are served in between.
 * Twins in other processes are held back by the advisory lock.
 */
export class SingleFlight {
  /** The last in the line of each key. */
  readonly #lines = new Map<string, Promise<unknown>>();

  /** Runs `work` once all that came earlier under `key` have landed, or `waitMsMax` have passed. */
  async run<Result>(request: {
    readonly key: string;
    readonly waitMsMax: number;
    readonly sleep: (ms: number) => Promise<void>;
    readonly work: () => Promise<Result>;
  }): Promise<Result> {
    const { key } = request;
    const ahead = this.#lines.get(key);
    const work =
      ahead === undefined
        ? request.work()
        : Promise.race([ahead, request.sleep(request.waitMsMax)]).then(() => request.work());
    const landed = Promise.allSettled([ahead, work]);
    this.#lines.set(key, landed);
    void landed.then(() => {
      if (this.#lines.get(key) === landed) this.#lines.delete(key);
    });
    return work;
  }
}
