/** Where a caller was let in: as whom, and in which tracker. */
export interface Place {
  readonly userId: string;
  readonly trackerId: string;
}

/**
 * Where each caller was let in last, so that what they ask for can be looked up in the same round trip in which it is found
 * out whether they may have it. It is a guess about what will be found and decides nothing. Whoever was refused is forgotten,
 * so that nobody has the database work for refusals.
 */
export class LastPlaces {
  readonly #places = new Map<string, Place>();
  readonly #placesMax: number;

  constructor({ placesMax = 10_000 } = {}) {
    this.#placesMax = placesMax;
  }

  /** The place that was kept last, unless it was forgotten since. */
  find(caller: string): Place | undefined {
    return this.#places.get(caller);
  }

  /** Keeps a place; the caller whose place was kept longest gives way where there are too many. */
  keep(caller: string, place: Place): void {
    const known = this.#places.get(caller);
    if (known !== undefined && known.userId === place.userId && known.trackerId === place.trackerId) return;
    const [oldest] = this.#places.keys();
    if (known === undefined && oldest !== undefined && this.#places.size >= this.#placesMax)
      this.#places.delete(oldest);
    this.#places.set(caller, place);
  }

  forget(caller: string): void {
    this.#places.delete(caller);
  }
}
