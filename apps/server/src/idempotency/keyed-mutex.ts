/** The last in the line of a key. */
interface Line {
  readonly key: string;
  readonly landed: Promise<unknown>;
}

/**
 * Lets the requests under one key go ahead one after the other, and those behind wait without a database connection: a storm
 * of duplicates then holds one connection and one turn of this process, and strangers are served in between.
 * Twins in other processes are held back by the advisory lock.
 */
export class SingleFlight {
  // No map: what has left it would be freed late (decision 0028). There are as many lines as writes are under way.
  readonly #lines: Line[] = [];

  /** Runs `work` once all that came earlier under `key` have landed, or `waitMsMax` have passed. */
  async run<Result>(request: {
    readonly key: string;
    readonly waitMsMax: number;
    readonly sleep: (ms: number) => Promise<void>;
    readonly work: () => Promise<Result>;
  }): Promise<Result> {
    const { key } = request;
    const place = this.#lines.findIndex((line) => line.key === key);
    const ahead = this.#lines[place]?.landed;
    const work =
      ahead === undefined
        ? request.work()
        : Promise.race([ahead, request.sleep(request.waitMsMax)]).then(() => request.work());
    const line = { key, landed: Promise.allSettled([ahead, work]) };
    this.#lines[place === -1 ? this.#lines.length : place] = line;
    void line.landed.then(() => this.#forget(line));
    return work;
  }

  /** The last takes its place. */
  #forget(line: Line): void {
    const place = this.#lines.indexOf(line);
    if (place === -1) return;
    const last = this.#lines.pop();
    if (last !== undefined && last !== line) this.#lines[place] = last;
  }
}
