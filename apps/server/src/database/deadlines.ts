/** Something that is awaited, and what is done when it has not come in time. */
export interface Awaited {
  /** By `performance.now()`. */
  readonly expiresAt: number;
  expire(): void;
}

const tickMs = 20;

/**
 * Gives up what does not come in time: up to 20 ms late, and never early. One clock looks after all of them for as long as there
 * are any: with a timer for each, what they hold would be freed late (decision 0028).
 */
export class Deadlines {
  readonly #awaited: Awaited[] = [];
  #clock: NodeJS.Timeout | undefined;

  add(awaited: Awaited): void {
    this.#awaited.push(awaited);
    this.#clock ??= setInterval(() => this.#tick(), tickMs).unref();
  }

  /** It has come, or was given up; it may be told twice. */
  remove(awaited: Awaited): void {
    const place = this.#awaited.indexOf(awaited);
    if (place !== -1) this.#awaited.splice(place, 1);
  }

  #tick(): void {
    const now = performance.now();
    // It leaves when it expires.
    for (const awaited of this.#awaited.filter(({ expiresAt }) => expiresAt <= now)) awaited.expire();
    if (this.#awaited.length > 0) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}
