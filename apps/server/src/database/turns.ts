/** Somebody who waits for their turn. */
interface Waiting {
  readonly begin: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Lets so many go on at once, and besides them whoever has waited for a while: those before them then wait themselves, for a
 * lock say, and need no processor.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #patienceMs: number;
  readonly #waiting = new Set<Waiting>();
  #underWay = 0;

  constructor({ atOnce, patienceMs }: { readonly atOnce: number; readonly patienceMs: number }) {
    this.#atOnce = atOnce;
    this.#patienceMs = patienceMs;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when it is one's turn, in the order of the calls; whoever has had it calls {@link end} once. */
  async begin(): Promise<void> {
    if (this.#underWay >= this.#atOnce) {
      await new Promise<void>((resolve) => {
        const begin = () => {
          clearTimeout(waiting.timer);
          this.#waiting.delete(waiting);
          this.#underWay += 1;
          resolve();
        };
        const waiting: Waiting = { begin, timer: setTimeout(begin, this.#patienceMs) };
        this.#waiting.add(waiting);
      });
      return;
    }
    this.#underWay += 1;
  }

  end(): void {
    this.#underWay -= 1;
    if (this.#underWay >= this.#atOnce) return;
    const [next] = this.#waiting;
    next?.begin();
  }
}
