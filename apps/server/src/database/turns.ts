/** Somebody who waits for their turn. */
interface Waiting {
  readonly begin: () => void;
  /** By the clock of `performance.now()`. */
  readonly since: number;
}

/**
 * Lets so many go on at once, and besides them whoever has waited for a while: those before them then wait themselves, for a
 * lock say, and need no processor.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #patienceMs: number;
  // Neither a set nor a timer for each: what goes in and out of them all the time would be freed late (decision 0028).
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #underWay = 0;

  constructor({ atOnce, patienceMs }: { readonly atOnce: number; readonly patienceMs: number }) {
    this.#atOnce = atOnce;
    this.#patienceMs = patienceMs;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when it is one's turn, in the order of the calls; whoever has had it calls {@link end} once. */
  async begin(): Promise<void> {
    if (this.#underWay < this.#atOnce) {
      this.#underWay += 1;
      return;
    }
    await new Promise<void>((begin) => {
      this.#waiting.push({ begin, since: performance.now() });
      this.#timer ??= setTimeout(() => this.#letPatientBegin(), this.#patienceMs);
    });
  }

  end(): void {
    this.#underWay -= 1;
    if (this.#underWay < this.#atOnce) this.#letNextBegin();
  }

  #letNextBegin(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#underWay += 1;
    next.begin();
  }

  /** Looks again when the next of those who wait by then has waited long enough. */
  #letPatientBegin(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const leftMs = next.since + this.#patienceMs - now;
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#letPatientBegin(), leftMs);
        return;
      }
      this.#letNextBegin();
    }
  }
}
