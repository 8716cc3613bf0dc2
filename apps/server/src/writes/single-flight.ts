/**
 * Lets one request under a key go ahead and its twins in this process wait for it, without a database connection.
 * Twins in other processes are held back by the advisory lock; this only keeps a storm of duplicates off the pool.
 */
export class SingleFlight {
  readonly #flights = new Map<string, Promise<void>>();

  /** Runs `work` after the flight under `key` that is under way, if any, has landed or `waitMsMax` have passed. */
  async run<Result>(request: {
    readonly key: string;
    readonly waitMsMax: number;
    readonly sleep: (ms: number) => Promise<void>;
    readonly work: () => Promise<Result>;
  }): Promise<Result> {
    const { key } = request;
    const ahead = this.#flights.get(key);
    // Those who waited run together afterwards: they find the stored answer and need no turn of their own.
    if (ahead !== undefined) {
      await Promise.race([ahead, request.sleep(request.waitMsMax)]);
      return request.work();
    }
    const work = request.work();
    const landed = work.then(
      () => undefined,
      () => undefined,
    );
    this.#flights.set(key, landed);
    try {
      return await work;
    } finally {
      this.#flights.delete(key);
    }
  }
}
